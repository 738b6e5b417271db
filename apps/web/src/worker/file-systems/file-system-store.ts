/** Worker side of file systems: keeps the contents of opened partitions, and carries out edits on copies of them. */
import type { Clock } from '@wirebench/clock';
import {
  applyEdits,
  buildImage,
  type EditedFileSystem,
  type FileEdit,
  type FileSystem,
  FileSystemError,
  fileSystemFaultText,
  fileSystemText,
  openFileSystem,
} from '@wirebench/flasher/file-systems';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { CallFailure, Channel } from '../../protocol/calls/call-protocol.ts';
import { CallServer } from '../../protocol/calls/call-server.ts';
import type { AllFiles, FileContent, FileSystemApi, FileSystemState } from '../../protocol/file-system-protocol.ts';

interface Opened {
  /** The partition as it is on the board. */
  readonly contents: Uint8Array;
  edited: EditedFileSystem | null;
}

export class FileSystemStore {
  readonly #opened = new Map<number, Opened>();

  constructor(channel: Channel, clock: Clock) {
    new CallServer<FileSystemApi, null>({
      channel,
      clock,
      handlers: {
        open: (id, contents) => {
          this.#opened.set(id, { contents, edited: null });
        },
        close: (id) => {
          this.#opened.delete(id);
        },
        apply: (id, edits) => this.#apply(this.#find(id), edits),
        read: (id, path, limit) => readFile(this.#find(id), path, limit),
        readAll: (id) => readAll(this.#find(id)),
        describe: describeContents,
        build: buildImage,
      },
      tick: () => null,
      failureOf,
    });
  }

  #find(id: number): Opened {
    const opened = this.#opened.get(id);
    if (opened === undefined) {
      throw new Error('This partition is not open.');
    }
    return opened;
  }

  #apply(opened: Opened, edits: readonly FileEdit[]): FileSystemState {
    try {
      opened.edited = applyEdits(opened.contents, edits);
    } catch (error) {
      if (edits.length > 0 || !(error instanceof FileSystemError)) {
        throw error;
      }
      opened.edited = null;
      return { ...unreadable, fault: { code: error.code, ...fileSystemFaultText[error.code] } };
    }
    return stateOf(opened.edited);
  }
}

const unreadable = {
  kind: null,
  title: '',
  isReadOnly: true,
  hasFolders: false,
  findings: [],
  entries: [],
  usage: null,
  usedBefore: 0,
  isFormatted: false,
  isChanged: false,
  changed: [],
} satisfies Omit<FileSystemState, 'fault'>;

function stateOf({ fileSystem, changed, ...edited }: EditedFileSystem): FileSystemState {
  return {
    ...edited,
    kind: fileSystem?.kind ?? null,
    fault: null,
    title: fileSystem?.title ?? '',
    isReadOnly: fileSystem?.isReadOnly ?? true,
    hasFolders: fileSystem?.hasFolders ?? false,
    // Copies: a view would send the whole image.
    changed: changed.map(({ offset, bytes }) => ({ offset, bytes: bytes.slice() })),
  };
}

function readFile({ contents, edited }: Opened, path: string, limit: number): FileContent {
  const entry = edited?.entries.find((other) => other.path === path);
  if (edited?.fileSystem == null || entry === undefined) {
    throw new FileSystemError('not-found', path);
  }
  const before = entry.was === null || entry.change === null ? null : tryRead(openFileSystem(contents), entry.was);
  const bytes = entry.change === 'removed' ? (before ?? new Uint8Array()) : edited.fileSystem.read(path);
  return { bytes: bytes.slice(0, limit), size: bytes.length, before: before?.slice(0, limit) ?? null };
}

function tryRead(fileSystem: FileSystem, path: string): Uint8Array | null {
  try {
    return fileSystem.read(path);
  } catch (error) {
    if (error instanceof FileSystemError) {
      return null;
    }
    throw error;
  }
}

function readAll({ edited }: Opened): AllFiles {
  const fileSystem = edited?.fileSystem ?? null;
  if (fileSystem === null) {
    return { files: [], damaged: [], folders: [] };
  }
  const entries = fileSystem.list();
  const read = entries
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => ({ path, bytes: tryRead(fileSystem, path) }));
  return {
    files: read.flatMap(({ path, bytes }) => (bytes === null ? [] : [{ path, bytes }])),
    damaged: read.filter(({ bytes }) => bytes === null).map(({ path }) => path),
    folders: entries.filter(({ kind }) => kind === 'folder').map(({ path }) => path),
  };
}

function describeContents(contents: Uint8Array): string | null {
  let fileSystem: FileSystem;
  try {
    fileSystem = openFileSystem(contents);
  } catch (error) {
    if (error instanceof FileSystemError) {
      return error.code === 'no-file-system' ? null : fileSystemFaultText[error.code].what;
    }
    throw error;
  }
  return fileSystemText(fileSystem);
}

function failureOf(error: unknown): CallFailure {
  if (!(error instanceof FileSystemError)) {
    return callFailure(error);
  }
  const { message, code } = error;
  return { name: error.name, message: `${message} ${fileSystemFaultText[code].remedy}`, code };
}
