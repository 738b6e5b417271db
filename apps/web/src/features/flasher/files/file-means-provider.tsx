/** Supplies the ways to add files: the browser's dialogs, drops on the page, a release's link and the demo firmware. */

import { FolderOpen, FolderTree, Link } from 'lucide-react';
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react';
import { useFileDrop } from '../../../shared/files/use-file-drop.ts';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { releaseLinkLabel } from '../release/release-link.ts';
import { isBusy, isReady } from '../state/flash-state.ts';
import { hasImage } from '../store/board-builds.ts';
import type { DiskFile } from '../store/disk-files.ts';
import { addFiles, takeFiles } from '../store/file-actions.ts';
import { flasherStore, pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { droppedFiles, filesOf, pickFiles } from './dropped-files.ts';
import { type FileMeans, FileMeansContext } from './file-means.ts';

/** Returns true while files must not be added or removed. A comparison and a connection do not lock them. */
export function useFilesLock(): boolean {
  const phase = useFlash((flash) => flash.phase);
  return isBusy({ phase }) && phase !== 'planning' && phase !== 'connecting';
}

const loadLinkDialog = () => import('../release/release-link-dialog.tsx');

export function FileMeansProvider({ children }: { readonly children: ReactNode }) {
  const { words, demoFirmware, folderImage: FolderImage } = pageFamily();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [linking, setLinking] = useState(false);
  const loaded = useLoaded(linking, loadLinkDialog, () => setLinking(false));
  const [making, setMaking] = useState(false);
  const locked = useFilesLock();
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const empty = !useFlasher(hasImage);
  const over = useFileDrop({ take: locked ? null : (transfer) => void takeFiles(droppedFiles(transfer)) });
  const canTakeDemo = board?.demo === true && isReady({ phase }) && empty;
  const means = useMemo<FileMeans>(() => {
    const choose = () => void take(pickFiles('files', words.accept), files.current);
    const chooseFolder = () => void take(pickFiles('folder'), folder.current);
    return {
      choose,
      chooseAgain: () => {
        const isFolder = flasherStore()
          .getState()
          .fileFaults.some(({ name }) => name.includes('/'));
        return isFolder && words.folders ? chooseFolder() : choose();
      },
      others: [
        ...(words.folders ? [{ label: 'Choose a folder', icon: <FolderOpen />, onSelect: chooseFolder }] : []),
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
    };
  }, [words, demoFirmware, FolderImage, over, canTakeDemo, board]);
  return (
    <FileMeansContext value={means}>
      {children}
      <PickedFiles ref={files} label="Firmware files" accept={words.accept} locked={locked} />
      {words.folders ? <PickedFiles ref={folder} label="Folder of a build" folder locked={locked} /> : null}
      {FolderImage === undefined ? null : <FolderImage open={making} onClose={() => setMaking(false)} />}
      {loaded === null ? null : <loaded.ReleaseLinkDialog open={linking} onClose={() => setLinking(false)} />}
    </FileMeansContext>
  );
}

/** Adds what is picked. In browsers whose dialogs give no handles, `input` opens another one. */
async function take(picking: ReturnType<typeof pickFiles>, input: HTMLInputElement | null): Promise<void> {
  if (picking === undefined) {
    input?.click();
    return;
  }
  let picked: readonly DiskFile[] | null;
  try {
    picked = await picking;
  } catch {
    // The dialog is refused within a frame of another site. That of the input is not.
    input?.click();
    return;
  }
  if (picked !== null) {
    await takeFiles(picked);
  }
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
