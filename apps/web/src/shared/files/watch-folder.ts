/**
 * Watches a folder on the disk: by `FileSystemObserver` where the browser has it, else by a look each second. A file is reported
 * once it has been still for 300 ms, so that no half written one is read.
 */
import { isSameFile } from './changed-files.ts';
import type { LocalFile } from './local-files.ts';

/** Time between two looks without an observer, in milliseconds. */
const LOOK_TIME = 1_000;
/** Time for which a changed file must stay as it is, in milliseconds. */
const STILL_TIME = 300;
/** Limit of files and folders that are looked at: more suggest a home directory. */
const MAX_ENTRIES = 5_000;

export interface FolderWatch {
  readonly folder: FileSystemDirectoryHandle;
  /** Returns true for a file or folder that is watched, by its name. A folder's contents are asked for one by one. */
  readonly isWanted: (name: string) => boolean;
  /** Takes files that are new or were changed. Their paths begin with `/`, below the folder. */
  readonly onChanged: (files: readonly LocalFile[]) => void;
  /** Resolves after a time in milliseconds, or as soon as the signal aborts. Timers of hidden pages may be late. */
  readonly pause: (duration: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Part of `FileSystemObserver` (WHATWG, "File System Observer") that is used. */
interface Observer {
  observe(handle: FileSystemHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}

type ObserverClass = new (onRecords: () => void) => Observer;

type Snapshot = ReadonlyMap<string, File>;

/**
 * Watches until the signal aborts.
 *
 * @returns The files of the folder at the beginning, and the end of the watch. `done` rejects if the folder cannot be read
 *   any more, for instance because it was moved or the permission has ended.
 * @throws DOMException if the folder cannot be read. RangeError if it has more than 5,000 files and folders.
 */
export async function watchFolder(
  watch: FolderWatch,
): Promise<{ readonly files: readonly LocalFile[]; readonly done: Promise<void> }> {
  const first = await snapshotOf(watch);
  return { files: filesOf(first, [...first.keys()]), done: look(watch, first) };
}

async function look(watch: FolderWatch, first: Snapshot): Promise<void> {
  const { pause, signal, onChanged } = watch;
  const alarm = await observe(watch);
  let known = first;
  try {
    while (!signal.aborted) {
      await alarm.next();
      if (signal.aborted) {
        return;
      }
      let now = await snapshotOf(watch);
      let changed = changesOf(known, now);
      while (changed.length > 0 && !signal.aborted) {
        await pause(STILL_TIME, signal);
        const next = await snapshotOf(watch);
        const isStill = changesOf(now, next).length === 0;
        now = next;
        changed = changesOf(known, now);
        if (isStill) {
          break;
        }
      }
      if (changed.length > 0 && !signal.aborted) {
        onChanged(filesOf(now, changed));
      }
      known = now;
    }
  } finally {
    alarm.end();
  }
}

/** Returns the paths of files that are new or another version. */
const changesOf = (before: Snapshot, now: Snapshot): readonly string[] =>
  [...now].flatMap(([path, file]) => {
    const known = before.get(path);
    return known !== undefined && isSameFile(known, file) ? [] : [path];
  });

const filesOf = (snapshot: Snapshot, paths: readonly string[]): readonly LocalFile[] =>
  paths.flatMap((path) => {
    const file = snapshot.get(path);
    return file === undefined ? [] : [{ path, file }];
  });

/** Waits for the observer's records, or for a second where there is no observer. */
async function observe({ folder, pause, signal }: FolderWatch) {
  const { FileSystemObserver } = globalThis as { readonly FileSystemObserver?: ObserverClass };
  let wake: () => void = () => undefined;
  // The folder may have changed before the observer was ready.
  let isDue = true;
  const observer =
    FileSystemObserver === undefined
      ? null
      : new FileSystemObserver(() => {
          isDue = true;
          wake();
        });
  try {
    await observer?.observe(folder, { recursive: true });
  } catch (error) {
    // Some file systems cannot be observed.
    console.warn('The folder is looked at each second.', error);
    observer?.disconnect();
    return { next: () => pause(LOOK_TIME, signal), end: () => undefined };
  }
  if (observer === null) {
    return { next: () => pause(LOOK_TIME, signal), end: () => undefined };
  }
  const ended = () => wake();
  signal.addEventListener('abort', ended);
  return {
    next: async () => {
      if (!isDue && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isDue = false;
    },
    end: () => {
      signal.removeEventListener('abort', ended);
      observer.disconnect();
    },
  };
}

/** Directory handles list their entries (File System, section 2.5). */
interface ListedFolder {
  values(): AsyncIterable<FileSystemHandle>;
}

async function snapshotOf({ folder, isWanted }: FolderWatch): Promise<Snapshot> {
  const found = new Map<string, File>();
  let entries = 0;
  const visit = async (at: FileSystemHandle, path: string) => {
    for await (const handle of (at as unknown as ListedFolder).values()) {
      if (!isWanted(handle.name)) {
        continue;
      }
      if (++entries > MAX_ENTRIES) {
        throw new RangeError('The folder has too many files.');
      }
      if (handle.kind === 'directory') {
        await visit(handle, `${path}${handle.name}/`);
        continue;
      }
      try {
        found.set(`${path}${handle.name}`, await (handle as FileSystemFileHandle).getFile());
      } catch (error) {
        // An editor may replace a file between listing and reading. The next look finds it.
        if (!(error instanceof DOMException && error.name === 'NotFoundError')) {
          throw error;
        }
      }
    }
  };
  await visit(folder, '/');
  return found;
}
