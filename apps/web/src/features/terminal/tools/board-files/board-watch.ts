/**
 * Folders on the disk that are watched for a port: a saved file is written to the board, verified there, and the program starts
 * again if that is wanted. A file that was changed on the board since it was read is a question.
 */
import type { PortNumber } from '@wirebench/serial';
import type { BoardAnswer, BoardFile } from '../../../../protocol/bench/board-files-part.ts';
import type { LocalFile } from '../../../../shared/files/local-files.ts';
import { watchFolder } from '../../../../shared/files/watch-folder.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import { pauseOnBench } from '../../../../workbench/bench-waits.ts';
import {
  compareWithBoard,
  contentsOf,
  isBoardBusy,
  onBoardFree,
  showFailure,
  showWritten,
  softReset,
  work,
} from './board-store.ts';

export interface WatchView {
  /** Name of the folder. */
  readonly folder: string;
  /** True: each saved file is written without a click. */
  readonly isAutomatic: boolean;
  /** True: a soft reset follows each write. */
  readonly restarts: boolean;
  /** Saved files that are not written yet, in the order of their saving. */
  readonly saved: readonly LocalFile[];
  /** Saved files that the board has in another version than the one that was read. */
  readonly changedOnBoard: readonly LocalFile[];
}

interface Watch {
  readonly stop: AbortController;
  /** SHA-256 of the files on the board as they were read or written last, by path. */
  hashes: Readonly<Record<string, string>>;
  /** True: the user has agreed to interrupt the board's program for this folder. */
  mayInterrupt: boolean;
  /** Saved files that were given to the board. After a failure they wait for a click, or for the next save. */
  readonly tried: WeakSet<LocalFile>;
  /** True: a soft reset follows when the board is free. */
  restartIsDue: boolean;
}

type Views = Readonly<Partial<Record<PortNumber, WatchView>>>;
const views = pageStore<Views>({});
const watches = new Map<PortNumber, Watch>();

export function useBoardWatch(port: PortNumber): WatchView | undefined {
  return views.use((all) => all[port]);
}

function change(port: PortNumber, part: Partial<WatchView>): void {
  const view = views.getState()[port];
  if (view !== undefined) {
    views.setState((all) => ({ ...all, [port]: { ...view, ...part } }));
  }
}

interface FolderWindow {
  readonly showDirectoryPicker?: (options: { readonly id: string }) => Promise<FileSystemDirectoryHandle>;
}

export const canWatchFolders = (): boolean => (window as FolderWindow).showDirectoryPicker !== undefined;

/** Files of tools and editors that no board needs. */
const isWanted = (name: string) =>
  !(name.startsWith('.') || /(?:~|\.(?:tmp|swp|pyc))$|^(?:4913|__pycache__|node_modules|venv)$/.test(name));

/** Asks for a folder and watches it. Shows how its files differ from the board's. */
export async function chooseWatchedFolder(port: PortNumber): Promise<void> {
  let folder: FileSystemDirectoryHandle | undefined;
  try {
    folder = await (window as FolderWindow).showDirectoryPicker?.({ id: 'wirebench-python' });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      console.warn('The folder cannot be opened.', error);
      showFailure(port, 'The browser does not open this folder. Choose another one.');
    }
  }
  if (folder !== undefined) {
    await watchBoardFolder(port, folder);
  }
}

export async function watchBoardFolder(port: PortNumber, folder: FileSystemDirectoryHandle): Promise<void> {
  stopWatching(port);
  const stop = new AbortController();
  const { signal } = stop;
  const watch: Watch = { stop, hashes: {}, mayInterrupt: false, tried: new WeakSet(), restartIsDue: false };
  try {
    const onChanged = (files: readonly LocalFile[]) => {
      change(port, { saved: withNewer(views.getState()[port]?.saved ?? [], files) });
      writeIfAutomatic(port);
    };
    const { files, done } = await watchFolder({ folder, isWanted, onChanged, pause: pauseOnBench, signal });
    watches.set(port, watch);
    const view = { folder: folder.name, isAutomatic: false, restarts: false, saved: [], changedOnBoard: [] };
    views.setState((all) => ({ ...all, [port]: view }));
    void compareWithBoard(port, files, (hashes) => {
      watch.hashes = hashes;
    });
    await done;
  } catch (error) {
    console.warn('The folder is not watched any more.', error);
    if (!signal.aborted) {
      stopWatching(port);
      showFailure(
        port,
        error instanceof RangeError
          ? `${folder.name} has more than 5,000 files and folders. Choose the folder that has the board’s files alone.`
          : `${folder.name} cannot be read any more: it was moved, or its permission has ended. Choose it again.`,
      );
    }
  }
}

export function stopWatching(port: PortNumber): void {
  watches.get(port)?.stop.abort();
  watches.delete(port);
  views.setState(({ [port]: _, ...others }) => others, true);
}

export function setAutomatic(port: PortNumber, isAutomatic: boolean): void {
  change(port, { isAutomatic });
  writeIfAutomatic(port);
}

export function setRestarts(port: PortNumber, restarts: boolean): void {
  change(port, { restarts });
}

/** Returns the files with newer ones in place of the same paths. */
function withNewer(files: readonly LocalFile[], newer: readonly LocalFile[]): readonly LocalFile[] {
  const paths = new Set(newer.map(({ path }) => path));
  return [...files.filter(({ path }) => !paths.has(path)), ...newer];
}

function writeIfAutomatic(port: PortNumber): void {
  const view = views.getState()[port];
  const tried = watches.get(port)?.tried;
  if (view?.isAutomatic === true && view.saved.some((entry) => tried?.has(entry) === false)) {
    void writeSaved(port);
  }
}

onBoardFree((port) => {
  const watch = watches.get(port);
  if (watch?.restartIsDue === true) {
    watch.restartIsDue = false;
    softReset(port);
  } else {
    // Files may have been saved while the board was at work.
    writeIfAutomatic(port);
  }
});

/** Writes the saved files, but for those that were changed on the board. */
export async function writeSaved(port: PortNumber): Promise<void> {
  const watch = watches.get(port);
  const local = views.getState()[port]?.saved ?? [];
  if (watch !== undefined && local.length > 0) {
    await write(port, watch, local, watch.hashes);
  }
}

/** Writes the files that were changed on the board, over those of the board. */
export async function overwriteChanged(port: PortNumber): Promise<void> {
  const watch = watches.get(port);
  const local = views.getState()[port]?.changedOnBoard ?? [];
  if (watch !== undefined && local.length > 0) {
    await write(port, watch, local, undefined);
  }
}

/** Leaves the board's versions as they are. A later save of the same file asks again. */
export function keepBoards(port: PortNumber): void {
  change(port, { changedOnBoard: [] });
}

async function write(
  port: PortNumber,
  watch: Watch,
  local: readonly LocalFile[],
  expected: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  if (isBoardBusy(port)) {
    return;
  }
  for (const entry of local) {
    watch.tried.add(entry);
  }
  const files = await contentsOf(port, local);
  if (files === null) {
    return;
  }
  const job = { kind: 'write', files, folders: [], ...(expected === undefined ? {} : { expected }) } as const;
  const then = (answer: BoardAnswer) => written(port, watch, local, files, answer);
  await work(port, job, then, {
    mayInterrupt: watch.mayInterrupt,
    onAgreed: () => {
      watch.mayInterrupt = true;
    },
  });
}

function written(
  port: PortNumber,
  watch: Watch,
  local: readonly LocalFile[],
  files: readonly BoardFile[],
  answer: BoardAnswer,
): void {
  const view = views.getState()[port];
  if (view === undefined || watches.get(port) !== watch) {
    return;
  }
  watch.hashes = { ...watch.hashes, ...answer.hashes };
  const isDone = new Set(local);
  const changed = local.filter(({ path }) => answer.changed.includes(path));
  const left = (of: readonly LocalFile[]) => of.filter((entry) => !isDone.has(entry));
  change(port, { saved: left(view.saved), changedOnBoard: withNewer(left(view.changedOnBoard), changed) });
  const count = answer.written.length;
  if (count > 0) {
    const name = count === 1 ? (answer.written[0] ?? '') : counted(count, 'file');
    showWritten(port, files, `${name} ${count === 1 ? 'is' : 'are'} written and verified.`);
    watch.restartIsDue = view.restarts;
  }
}
