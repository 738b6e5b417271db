/** Actions on all files of a board: upload, reload, comparison, zip and soft reset. */
import { MoreHorizontal, RefreshCw, RotateCcw, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { pickedFiles } from '../../../../shared/files/local-files.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { loadedDialog } from '../../../../shared/ui/loaded-dialog.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import styles from './board-files-panel.module.css';
import type { PortProps } from './board-part.ts';
import {
  type BoardView,
  compareWithBoard,
  downloadZip,
  listBoard,
  putBackZip,
  softReset,
  uploadToBoard,
} from './board-store.ts';
import { canWatchFolders, chooseWatchedFolder } from './board-watch.ts';

const PackageDialog = loadedDialog(async () => (await import('./board-package-dialog.tsx')).BoardPackageDialog);

interface BoardActionsProps extends PortProps {
  readonly view: BoardView;
  readonly isStopped: boolean;
  /** True: a job is under way, so the buttons are away. A dialog of the system that is open then still has its answer. */
  readonly isBusy: boolean;
}

export function BoardActions({ port, view, isStopped, isBusy }: BoardActionsProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const compared = useRef<HTMLInputElement>(null);
  const zip = useRef<HTMLInputElement>(null);
  const [installing, setInstalling] = useState(false);
  if (view.tree === null) {
    return null;
  }
  return (
    <span className={styles['actions']}>
      {installing ? <PackageDialog port={port} view={view} open onClose={() => setInstalling(false)} /> : null}
      {isBusy ? null : (
        <>
          {isStopped ? (
            <Button size="sm" icon={<RotateCcw />} onClick={() => softReset(port)}>
              Soft reset
            </Button>
          ) : null}
          <Button size="sm" icon={<Upload />} onClick={() => files.current?.click()}>
            Upload
          </Button>
          <IconButton label="Reload the files" size="sm" icon={<RefreshCw />} onClick={() => listBoard(port)} />
          <Menu
            align="end"
            items={[
              { label: 'Upload a folder…', onSelect: () => folder.current?.click() },
              { label: 'Compare a folder…', onSelect: () => compared.current?.click() },
              ...(canWatchFolders()
                ? [{ label: 'Watch a folder…', onSelect: () => void chooseWatchedFolder(port) }]
                : []),
              { label: 'Install a package…', movesFocus: true, onSelect: () => setInstalling(true) },
              'separator',
              { label: 'Save all as zip', onSelect: () => downloadZip(port, '/') },
              { label: 'Put back from zip…', onSelect: () => zip.current?.click() },
              'separator',
              { label: 'Soft reset', onSelect: () => softReset(port) },
            ]}
            trigger={(props) => (
              <Button {...props} size="sm" icon={<MoreHorizontal />} aria-label="More about the files of the board" />
            )}
          />
        </>
      )}
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files for the board"
        onChange={({ currentTarget: input }) => {
          void uploadToBoard(port, pickedFiles(input.files, '/'));
          input.value = '';
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        aria-label="Folder for the board"
        onChange={({ currentTarget: input }) => {
          void uploadToBoard(port, pickedFiles(input.files, '/'));
          input.value = '';
        }}
      />
      <input
        ref={compared}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        aria-label="Folder to compare with the board"
        onChange={({ currentTarget: input }) => {
          void compareWithBoard(port, pickedFiles(input.files, 'inside'));
          input.value = '';
        }}
      />
      <input
        ref={zip}
        type="file"
        hidden
        accept=".zip"
        aria-label="Zip with files of a board"
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? [];
          if (file !== undefined) {
            void putBackZip(port, file);
          }
          input.value = '';
        }}
      />
    </span>
  );
}
