/** Takes files in: dropped anywhere on the page, or chosen from the disk. */
import { FilePlus2, FlaskConical, FolderOpen } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { useFileDrop } from '../../../shared/files/use-file-drop.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { isReady } from '../state/flash-state.ts';
import { addFiles, takeFiles } from '../store/file-actions.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import styles from './drop-zone.module.css';
import { droppedFiles, filesOf } from './dropped-files.ts';

export interface DropZoneProps {
  readonly reading: boolean;
  /** True: shown as one line, because files are already chosen. */
  readonly slim: boolean;
}

export function DropZone({ reading, slim }: DropZoneProps) {
  const { words } = pageFamily();
  const over = useFileDrop({ take: (transfer) => void takeFiles(droppedFiles(transfer)) });
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  return (
    <div className={classNames(styles['drop'], over && styles['over'], slim && styles['slim'])}>
      {reading ? <Spinner /> : <FilePlus2 />}
      <b>{reading ? 'Reading the files…' : words.drop}</b>
      <span>{words.dropHint}</span>
      <span className={`buttons ${styles['choose']}`}>
        <Button size="sm" icon={<FilePlus2 />} onClick={() => files.current?.click()}>
          Choose files
        </Button>
        {words.folders ? (
          <Button size="sm" icon={<FolderOpen />} onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
        ) : null}
        <DemoFirmware />
      </span>
      <PickedFiles ref={files} label="Firmware files" accept={words.accept} />
      {words.folders ? <PickedFiles ref={folder} label="Folder of a build" folder /> : null}
    </div>
  );
}

/**
 * Ignores dropped files while the board is busy. Without it, the browser would leave the page to open a dropped file.
 */
export function DropRefusal() {
  useFileDrop({ take: null });
  return null;
}

interface PickedFilesProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly folder?: boolean;
  readonly accept?: string | undefined;
}

function PickedFiles({ ref, label, folder = false, accept }: PickedFilesProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
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

/** Shown while a demo board waits and no files are chosen. */
function DemoFirmware() {
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const empty = useFlasher(({ chosen }) => chosen.files.length === 0);
  if (board === null || !board.demo || !isReady({ phase }) || !empty) {
    return null;
  }
  const take = async () => {
    const files = await pageFamily().demoFirmware(board);
    await addFiles(files.map(({ bytes, ...file }) => ({ ...file, content: new Blob([bytes]) })));
  };
  return (
    <Button size="sm" icon={<FlaskConical />} onClick={() => void take()}>
      Use demo firmware
    </Button>
  );
}
