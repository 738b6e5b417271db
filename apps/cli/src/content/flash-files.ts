/** Files in a partition: read from its image, and changed as one planned write. */
import { sizeText } from '@wirebench/flasher/core';
import {
  applyEdits,
  type EditedFileSystem,
  type FileEdit,
  type FileSystem,
  FileSystemError,
  fileSystemFaultText,
  fileSystemText,
  openFileSystem,
  planFiles,
} from '@wirebench/flasher/file-systems';
import type { BoardRun } from '../board/board-run.ts';
import type { ConnectedEsp } from '../board/esp-board.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { type StoredContents, writeChange } from './stored-change.ts';

/** A file or folder of a board. */
export interface ListedFile {
  /** Absolute, with slashes. */
  readonly path: string;
  readonly isFolder: boolean;
  /** In bytes; 0 for a folder. */
  readonly size: number;
}

/** Does work on a file system. @throws CommandError for its failures. */
function refusing<Result>(act: () => Result, without = ''): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof FileSystemError) {
      const { remedy } = fileSystemFaultText[error.code];
      throw new CommandError(exitCodes.failed, `${without}${printable(error.message)} ${remedy}`);
    }
    throw error;
  }
}

export class FlashFiles {
  readonly run: BoardRun;
  readonly #esp: ConnectedEsp;
  readonly #contents: StoredContents;
  #opened: FileSystem | null = null;

  constructor(run: BoardRun, esp: ConnectedEsp, contents: StoredContents) {
    this.run = run;
    this.#esp = esp;
    this.#contents = contents;
  }

  get #fileSystem(): FileSystem {
    this.#opened ??= refusing(() => openFileSystem(this.#contents.bytes));
    return this.#opened;
  }

  /** Facts that tell the board and its contents from others. */
  get state(): readonly unknown[] {
    const { id, name } = this.#esp.board.facts;
    const { partition, md5 } = this.#contents;
    return [id, name, partition.name, partition.offset, md5];
  }

  /** One line about the file system. */
  get text(): string {
    return fileSystemText(this.#fileSystem);
  }

  /** Returns everything, a folder before its contents. */
  list(): ListedFile[] {
    return this.#fileSystem.list().map(({ path, kind, size }) => ({
      path: path.startsWith('/') ? path : `/${path}`,
      isFolder: kind === 'folder',
      size,
    }));
  }

  read(path: string): Uint8Array {
    return refusing(() => this.#fileSystem.read(path));
  }

  /** Returns true for an existing file with these bytes. */
  holds(path: string, bytes: Uint8Array): boolean {
    try {
      return Buffer.from(bytes).equals(this.#fileSystem.read(path));
    } catch (error) {
      if (error instanceof FileSystemError) {
        return false;
      }
      throw error;
    }
  }

  /** Plans the edits as one change, asks and writes it. An impossible edit changes nothing. */
  async change(edits: readonly FileEdit[]): Promise<true> {
    const { partition, bytes, md5 } = this.#contents;
    const { output, target } = this.run;
    const edited: EditedFileSystem = refusing(() => applyEdits(bytes, edits), 'nothing was written. ');
    const kind = edited.fileSystem?.kind ?? null;
    const planned = planFiles(partition, md5, { ...edited, kind }, sizeText);
    if (planned === null) {
      output.step(
        'changes',
        { partition: partition.name, entries: [] },
        'Nothing changes: the board has this already.',
      );
      return true;
    }
    await writeChange(
      this.run,
      this.#esp,
      this.#contents,
      planned,
      (file) => `wirebench flash ${target.given.path} 0x${partition.offset.toString(16)}=${file} --family esp`,
    );
    return true;
  }
}
