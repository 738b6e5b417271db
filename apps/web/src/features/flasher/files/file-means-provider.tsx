/** Supplies the ways to add files: the browser's dialogs, drops on the page, a release's link and the demo firmware. */

import { FolderOpen, FolderTree, Link } from 'lucide-react';
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react';
import { useFileDrop } from '../../../shared/files/use-file-drop.ts';
import { releaseLinkLabel } from '../release/release-link.ts';
import { ReleaseLinkDialog } from '../release/release-link-dialog.tsx';
import { isBusy, isReady } from '../state/flash-state.ts';
import { addFiles, takeFiles } from '../store/file-actions.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { hasImage } from '../store/release-builds.ts';
import { droppedFiles, filesOf } from './dropped-files.ts';
import { type FileMeans, FileMeansContext } from './file-means.ts';

/** Returns true while files must not be added or removed. A comparison and a connection do not lock them. */
export function useFilesLock(): boolean {
  const phase = useFlash((flash) => flash.phase);
  return isBusy({ phase }) && phase !== 'planning' && phase !== 'connecting';
}

export function FileMeansProvider({ children }: { readonly children: ReactNode }) {
  const { words, demoFirmware, folderImage: FolderImage } = pageFamily();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [linking, setLinking] = useState(false);
  const [making, setMaking] = useState(false);
  const locked = useFilesLock();
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const empty = !useFlasher(hasImage);
  const over = useFileDrop({ take: locked ? null : (transfer) => void takeFiles(droppedFiles(transfer)) });
  const canTakeDemo = board?.demo === true && isReady({ phase }) && empty;
  const means = useMemo<FileMeans>(
    () => ({
      choose: () => files.current?.click(),
      others: [
        ...(words.folders
          ? [{ label: 'Choose a folder', icon: <FolderOpen />, onSelect: () => folder.current?.click() }]
          : []),
        { label: releaseLinkLabel, icon: <Link />, onSelect: () => setLinking(true) },
        ...(FolderImage === undefined
          ? []
          : [{ label: 'File system from a folder…', icon: <FolderTree />, onSelect: () => setMaking(true) }]),
      ],
      over,
      demo: canTakeDemo
        ? () =>
            void demoFirmware(board).then((all) =>
              addFiles(all.map(({ bytes, ...file }) => ({ ...file, content: new Blob([bytes]) }))),
            )
        : null,
    }),
    [words, demoFirmware, FolderImage, over, canTakeDemo, board],
  );
  return (
    <FileMeansContext value={means}>
      {children}
      <PickedFiles ref={files} label="Firmware files" accept={words.accept} locked={locked} />
      {words.folders ? <PickedFiles ref={folder} label="Folder of a build" folder locked={locked} /> : null}
      {FolderImage === undefined ? null : <FolderImage open={making} onClose={() => setMaking(false)} />}
      <ReleaseLinkDialog open={linking} onClose={() => setLinking(false)} />
    </FileMeansContext>
  );
}

interface PickedFilesProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly folder?: boolean;
  readonly accept?: string | undefined;
  readonly locked: boolean;
}

function PickedFiles({ ref, label, folder = false, accept, locked }: PickedFilesProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      disabled={locked}
      aria-label={label}
      accept={accept}
      {...(folder ? { webkitdirectory: '' } : {})}
      onChange={({ currentTarget }) => {
        const given = filesOf(currentTarget.files ?? []);
        // Lets the user choose the same file again after a new build.
        currentTarget.value = '';
        void takeFiles(given);
      }}
    />
  );
}
