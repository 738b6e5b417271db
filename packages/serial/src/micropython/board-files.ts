/**
 * The files of a board, by small pieces of Python in its raw REPL. A file is written under a temporary name, verified
 * by its hash on the board, and renamed: a file under its own name is whole at every moment.
 */
import {
  BLOCK_BYTES,
  closeCode,
  epilogue,
  hashCode,
  identityCode,
  listCode,
  makeFolderCode,
  openCode,
  prologue,
  readCode,
  removeFileCode,
  removeFolderCode,
  renameCode,
  spaceCode,
  statCode,
  writeCode,
} from './board-code.ts';
import { BoardError, boardErrorOf } from './board-error.ts';
import { decodeName, parsePythonBytes, pythonBytes } from './python-text.ts';
import type { RawRepl } from './raw-repl.ts';

export interface BoardEntry {
  /** Absolute, such as `/lib/a.py`. Bytes that are no UTF-8 are U+DC80 to U+DCFF; `pathText` makes them readable. */
  readonly path: string;
  readonly isFolder: boolean;
  /** In bytes; 0 for a folder. */
  readonly size: number;
}

export interface BoardSpace {
  /** In bytes. */
  readonly free: number;
  readonly total: number;
}

interface Written {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** True: the board could not rename over the old file, which was deleted just before. */
  readonly removedFirst: boolean;
}

/** Called with the bytes of a file that are done. */
type OnBytes = (bytes: number) => void;

/** Temporary name of a file that is being written, in the folder of the file. */
export const temporaryName = '.wirebench-new';
/** Limits of a tree that is listed. */
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 32;
/** Longest name on the file systems of boards, in bytes (littlefs, `LFS_NAME_MAX`; FAT long names). */
const MAX_NAME_BYTES = 255;
/** Blocks that are read with one piece of code. */
const BLOCKS_AT_ONCE = 16;
/** Time that a slow board takes to hash a byte, in milliseconds: 20 kB/s. */
const HASH_TIME = 0.05;
const SHORTEST_SILENCE = 10_000;

export class BoardFiles {
  readonly #repl: RawRepl;
  readonly #hash: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly #signal: AbortSignal;
  #hasBase64 = false;
  #canHash = false;
  /** True: what a failed write left behind is removed, also after a cancel. */
  #isCleaning = false;

  /**
   * @param hash Returns the SHA-256 in hexadecimal.
   * @param signal Checked between two pieces of code.
   */
  constructor(repl: RawRepl, hash: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>, signal: AbortSignal) {
    this.#repl = repl;
    this.#hash = hash;
    this.#signal = signal;
  }

  /** True: the board calculates SHA-256. False: files are read back to be compared. */
  get canHash(): boolean {
    return this.#canHash;
  }

  /** Defines the functions that the other methods need. Called first. */
  async begin(): Promise<void> {
    const [base64 = 0, hash = 0] = await this.#numbers(prologue);
    this.#hasBase64 = base64 === 1;
    this.#canHash = hash === 1;
  }

  /** Deletes the names that `begin` defined. */
  async end(): Promise<void> {
    await this.#lines(epilogue);
  }

  /** Returns the name of the system, such as `micropython 1.27.0; esp32`. */
  async identity(): Promise<string> {
    return new TextDecoder().decode(this.#bytes((await this.#lines(identityCode))[0]));
  }

  /** Returns the space of the file system of a folder; null if the board does not know it. */
  async space(folder: string): Promise<BoardSpace | null> {
    try {
      const [free = 0, total = 0] = await this.#numbers(spaceCode(folder));
      return { free, total };
    } catch (error) {
      if (error instanceof BoardError && error.code === 'exception') {
        return null;
      }
      throw error;
    }
  }

  /** Returns all entries below a folder, folders before their contents, in the order of names. */
  async tree(root: string, onEntry?: (entries: number) => void): Promise<readonly BoardEntry[]> {
    const entries: BoardEntry[] = [];
    const visit = async (folder: string, depth: number) => {
      if (depth > MAX_DEPTH) {
        throw new BoardError('too-many-files');
      }
      for (const entry of await this.list(folder)) {
        entries.push(entry);
        if (entries.length > MAX_ENTRIES) {
          throw new BoardError('too-many-files');
        }
        onEntry?.(entries.length);
        if (entry.isFolder) {
          await visit(entry.path, depth + 1);
        }
      }
    };
    await visit(root, 0);
    return entries;
  }

  async list(folder: string): Promise<readonly BoardEntry[]> {
    const lines = await this.#lines(listCode(folder), folder);
    const entries: BoardEntry[] = [];
    for (let at = 0; at + 1 < lines.length; at += 2) {
      const [isFolder = 0, size = 0] = parseNumbers(lines[at]);
      const name = decodeName(this.#bytes(lines[at + 1]));
      if (name === '' || name.includes('/')) {
        throw new BoardError('out-of-step');
      }
      entries.push({ path: childOf(folder, name), isFolder: isFolder === 1, size: isFolder === 1 ? 0 : size });
    }
    return entries.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Returns the entry of a path; null if it is not on the board. */
  async stat(path: string): Promise<BoardEntry | null> {
    try {
      const [isFolder = 0, size = 0] = await this.#numbers(statCode(path), path);
      return { path, isFolder: isFolder === 1, size: isFolder === 1 ? 0 : size };
    } catch (error) {
      if (error instanceof BoardError && error.code === 'missing') {
        return null;
      }
      throw error;
    }
  }

  /** Reads a file. It is read again once if its hash on the board is another one. */
  async read(
    path: string,
    onBytes?: OnBytes,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly hash: string }> {
    for (let attempt = 0; ; attempt++) {
      const bytes = await this.#readOnce(path, onBytes);
      const hash = await this.#hash(bytes);
      if (!this.#canHash || hash === (await this.hash(path))) {
        return { bytes, hash };
      }
      if (attempt === 1) {
        throw new BoardError('not-verified', { path });
      }
    }
  }

  /** Returns the SHA-256 of a file in hexadecimal, calculated on the board if it can. */
  async hash(path: string): Promise<string> {
    if (!this.#canHash) {
      return this.#hash(await this.#readOnce(path));
    }
    const size = (await this.stat(path))?.size ?? 0;
    const silence = SHORTEST_SILENCE + size * HASH_TIME;
    const digest = this.#bytes((await this.#lines(hashCode(path), path, silence))[0]);
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /**
   * Writes a file under a temporary name, verifies it on the board and renames it.
   *
   * @throws BoardError. The old file is then as it was. If the board was lost between deleting the old file and renaming,
   *   the new one is whole under its temporary name.
   */
  async write(path: string, content: Uint8Array<ArrayBuffer>, onBytes?: OnBytes): Promise<Written> {
    checkPath(path);
    const folder = folderOf(path);
    const temporary = childOf(folder, temporaryName);
    const old = await this.stat(path);
    if (old?.isFolder) {
      throw new BoardError('is-folder', { path });
    }
    await this.#dropTemporary(temporary);
    const space = await this.space(folder);
    if (space !== null && space.total > 0 && content.length > space.free) {
      throw new BoardError('full', { path });
    }
    try {
      await this.#writeAll(temporary, path, content, onBytes);
      const hash = await this.#hash(content);
      if ((await this.hash(temporary)) !== hash) {
        throw new BoardError('not-verified', { path });
      }
      return { hash, removedFirst: await this.#replace(temporary, path, old !== null) };
    } catch (error) {
      if (error instanceof BoardError && !isOutOfReach(error)) {
        this.#isCleaning = true;
        await this.#dropTemporary(temporary).catch(() => undefined);
        this.#isCleaning = false;
      }
      throw error;
    }
  }

  async makeFolder(path: string): Promise<void> {
    checkPath(path);
    await this.#lines(makeFolderCode(path), path);
  }

  /** Makes the folders of a path that are missing. */
  async makeFolders(path: string): Promise<void> {
    if (path === '/' || path === '') {
      return;
    }
    const entry = await this.stat(path);
    if (entry === null) {
      await this.makeFolders(folderOf(path));
      await this.makeFolder(path);
    } else if (!entry.isFolder) {
      throw new BoardError('not-a-folder', { path });
    }
  }

  /** Renames a file or folder. The new name must be free. */
  async rename(from: string, to: string): Promise<void> {
    checkPath(to);
    if ((await this.stat(to)) !== null) {
      throw new BoardError('exists', { path: to });
    }
    await this.#lines(renameCode(from, to), from);
  }

  /** Removes a file, or a folder with everything in it. */
  async remove(path: string): Promise<void> {
    const entry = await this.stat(path);
    if (entry === null) {
      throw new BoardError('missing', { path });
    }
    if (!entry.isFolder) {
      await this.#lines(removeFileCode(path), path);
      return;
    }
    const below = await this.tree(path);
    for (const { path: inner, isFolder } of below.toReversed()) {
      await this.#lines(isFolder ? removeFolderCode(inner) : removeFileCode(inner), inner);
    }
    await this.#lines(removeFolderCode(path), path);
  }

  async #readOnce(path: string, onBytes?: OnBytes): Promise<Uint8Array<ArrayBuffer>> {
    const size = (await this.stat(path))?.size ?? 0;
    const bytes = new Uint8Array(size);
    await this.#lines(openCode(path, 'rb'), path);
    let at = 0;
    for (;;) {
      const lines = await this.#lines(readCode(BLOCKS_AT_ONCE), path);
      for (const line of lines) {
        const block = this.#bytes(line);
        if (block.length > size - at) {
          throw new BoardError('out-of-step');
        }
        bytes.set(block, at);
        at += block.length;
      }
      onBytes?.(at);
      if (lines.length < BLOCKS_AT_ONCE) {
        break;
      }
    }
    await this.#lines(closeCode, path);
    if (at !== size) {
      throw new BoardError('out-of-step');
    }
    return bytes;
  }

  async #writeAll(temporary: string, path: string, content: Uint8Array, onBytes?: OnBytes): Promise<void> {
    await this.#lines(openCode(temporary, 'wb'), path);
    try {
      for (let at = 0; at < content.length; at += BLOCK_BYTES) {
        const block = content.subarray(at, at + BLOCK_BYTES);
        const literal = this.#hasBase64 ? `b'${toBase64(block)}'` : pythonBytes(block);
        const [taken] = await this.#numbers(writeCode(literal, this.#hasBase64), path);
        if (taken !== block.length) {
          throw new BoardError('full', { path });
        }
        onBytes?.(at + block.length);
      }
    } catch (error) {
      if (error instanceof BoardError && !isOutOfReach(error)) {
        this.#isCleaning = true;
        await this.#lines(closeCode, path).catch(() => undefined);
        this.#isCleaning = false;
      }
      throw error;
    }
    await this.#lines(closeCode, path);
  }

  /** Renames over the old file. Returns true if the old one had to be deleted first, as on FAT. */
  async #replace(temporary: string, path: string, isThere: boolean): Promise<boolean> {
    try {
      await this.#lines(renameCode(temporary, path), path);
      return false;
    } catch (error) {
      if (!isThere || !(error instanceof BoardError) || isOutOfReach(error)) {
        throw error;
      }
    }
    await this.#lines(removeFileCode(path), path);
    await this.#lines(renameCode(temporary, path), path);
    return true;
  }

  async #dropTemporary(temporary: string): Promise<void> {
    if ((await this.stat(temporary)) !== null) {
      await this.#lines(removeFileCode(temporary), temporary);
    }
  }

  async #numbers(code: string, path?: string): Promise<readonly number[]> {
    return parseNumbers((await this.#lines(code, path))[0]);
  }

  /** Runs code and returns the lines that it printed for us. Lines of programs in the background are left out. */
  async #lines(code: string, path?: string, silence?: number): Promise<readonly string[]> {
    if (this.#signal.aborted && !this.#isCleaning) {
      throw new BoardError('cancelled');
    }
    const { output, error } = await this.#repl.execute(code, silence === undefined ? {} : { silence });
    if (error !== '') {
      throw boardErrorOf(error, path);
    }
    return new TextDecoder()
      .decode(output)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^[#=~]/.test(line));
  }

  #bytes(line: string | undefined): Uint8Array<ArrayBuffer> {
    const kind = line?.charAt(0);
    const rest = line?.slice(1) ?? '';
    const bytes = kind === '=' ? fromBase64(rest) : kind === '~' ? parsePythonBytes(rest) : null;
    if (bytes === null) {
      throw new BoardError('out-of-step');
    }
    return bytes;
  }
}

/** True: the board is not in its raw REPL any more, so nothing can be cleaned up. */
function isOutOfReach({ code }: BoardError): boolean {
  return ['closed', 'reset', 'no-answer', 'out-of-step', 'too-much-output'].includes(code);
}

/** @throws BoardError if a part of the path is no name that a board can have. */
function checkPath(path: string): void {
  const names = path.split('/').slice(1);
  const isRight = (name: string) =>
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    name.isWellFormed() &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    !/[\x00-\x1f\x7f]/.test(name) &&
    new TextEncoder().encode(name).length <= MAX_NAME_BYTES;
  if (!path.startsWith('/') || !names.every(isRight)) {
    throw new BoardError('bad-name', { path });
  }
}

/** Returns the folder of a path; `/` for a path at the top. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function childOf(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

/** @throws BoardError if the line is not `#` and whole numbers. */
function parseNumbers(line: string | undefined): readonly number[] {
  if (line === undefined || !/^#(?: \d{1,15})+$/.test(line)) {
    throw new BoardError('out-of-step');
  }
  return line.slice(2).split(' ').map(Number);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
