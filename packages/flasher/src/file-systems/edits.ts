/** Edits of a file system that are planned, and the difference that they make to the image as it is on the board. */
import { isSame } from '../core/bytes.ts';
import type { FlashRegion } from '../core/region.ts';
import { changedSectorsOf } from './changed-sectors.ts';
import type { FileEntry, FileSystem, FileSystemKind, FileSystemUsage } from './file-system.ts';
import { FileSystemError } from './file-system-error.ts';
import type { FileSystemFinding } from './findings.ts';
import { formatImage, openFileSystem } from './open-file-system.ts';

/** One planned edit. Paths are absolute. Plain values, for the worker. */
export type FileEdit =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'make-folder'; readonly path: string }
  /** Takes back what earlier edits did to this file or folder, by its path now, or before it was removed. */
  | { readonly kind: 'restore'; readonly path: string }
  /** Removes everything. Another kind than the present one makes a new file system. */
  | {
      readonly kind: 'format';
      readonly as: FileSystemKind;
      /** False: a new FAT has no wear levelling of ESP-IDF. Missing: it has. */
      readonly wearLevelling?: boolean;
    };

/** `added`: not on the board. `changed`: other contents. `renamed`: moved from `was`, perhaps changed as well. */
export type FileChange = 'added' | 'changed' | 'renamed' | 'removed';

/** A file or folder of the tree, with what the edits did to it. */
export interface EditedEntry extends FileEntry {
  /** Null: as it is on the board. Contents of a removed folder are left out. */
  readonly change: FileChange | null;
  /** Path on the board; null for an added one. */
  readonly was: string | null;
  /** Number of files in a folder, of a removed one those on the board; 0 for files. */
  readonly files: number;
}

/** An image with its edits. */
export interface EditedFileSystem {
  /** Null: there is no file system, and no edit has made one. */
  readonly fileSystem: FileSystem | null;
  /** Folders come before their contents. Removed ones are in the place where they were. */
  readonly entries: readonly EditedEntry[];
  /** True: everything was removed, or a new file system is made. */
  readonly isFormatted: boolean;
  /** False: nothing differs from the board, and the edits can be dropped. */
  readonly isChanged: boolean;
  readonly findings: readonly FileSystemFinding[];
  /** Null without a file system. */
  readonly usage: FileSystemUsage | null;
  /** Space in use on the board in bytes; 0 without a file system. */
  readonly usedBefore: number;
  /** Changed sectors, in the order in which they are to be written. Offsets are relative to the image. The bytes are views of the changed image. */
  readonly changed: readonly FlashRegion[];
}

/**
 * Adds edits to earlier ones. A write replaces an earlier one of the same file if only writes are between them, so that
 * typing does not wear the image.
 */
export function addEdits(edits: readonly FileEdit[], added: readonly FileEdit[]): FileEdit[] {
  const all = [...edits];
  for (const edit of added) {
    if (edit.kind === 'format') {
      all.length = 0;
    } else if (edit.kind === 'write') {
      const from = all.findLastIndex(({ kind }) => kind !== 'write') + 1;
      const same = all.findIndex((other, at) => at >= from && other.kind === 'write' && other.path === edit.path);
      if (same >= 0) {
        all.splice(same, 1);
      }
    }
    all.push(edit);
  }
  return all;
}

/**
 * Carries out the edits on a copy of the image.
 *
 * @param image The partition as it is on the board. Not changed.
 * @throws FileSystemError if one of the edits is impossible. The caller keeps its earlier state.
 */
export function applyEdits(image: Uint8Array, edits: readonly FileEdit[]): EditedFileSystem {
  const before = tryOpen(image, edits.length > 0);
  const run = new EditRun(image, before);
  for (const edit of edits) {
    run.apply(edit);
  }
  return run.finish();
}

/** Returns null for an image that is not a file system, if an edit may make one. */
function tryOpen(image: Uint8Array, mayFail: boolean): FileSystem | null {
  try {
    return openFileSystem(image);
  } catch (error) {
    if (mayFail && error instanceof FileSystemError) {
      return null;
    }
    throw error;
  }
}

const pathOf = (path: string): string => `/${path.replace(/^\/+|\/+$/g, '')}`;
/** Returns the size of a file system, and what is unusual about it. */
const shapeOf = (fileSystem: FileSystem | null) =>
  fileSystem === null ? '' : [fileSystem.usage().total, ...fileSystem.findings.map(({ code }) => code)].join();
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

class EditRun {
  readonly #image: Uint8Array;
  readonly #before: FileSystem | null;
  readonly #entriesBefore: ReadonlyMap<string, FileEntry>;
  /** Present path of everything that comes from the board, with its path there. */
  #origins: Map<string, string>;
  /** Present paths of files that were written. */
  readonly #written = new Set<string>();
  #now: FileSystem | null;
  #isFormatted = false;

  constructor(image: Uint8Array, before: FileSystem | null) {
    this.#image = image;
    this.#before = before;
    this.#now = before === null ? null : openFileSystem(image);
    this.#entriesBefore = new Map((before?.list() ?? []).map((entry) => [pathOf(entry.path), entry]));
    this.#origins = new Map([...this.#entriesBefore.keys()].map((path) => [path, path]));
  }

  apply(edit: FileEdit): void {
    if (edit.kind === 'format') {
      this.#format(edit.as, edit.wearLevelling);
      return;
    }
    const fileSystem = this.#mounted();
    const path = pathOf(edit.path);
    switch (edit.kind) {
      case 'write':
        this.#write(path, edit.bytes);
        break;
      case 'rename':
        fileSystem.rename(path, edit.to);
        this.#move(path, pathOf(edit.to));
        break;
      case 'remove':
        this.#remove(path);
        break;
      case 'make-folder':
        fileSystem.makeDirectory(path);
        break;
      case 'restore':
        this.#restore(path);
        break;
    }
  }

  finish(): EditedFileSystem {
    const fileSystem = this.#now;
    const entries = this.#entries();
    const image = fileSystem?.image ?? this.#image;
    // A format also mends what is unusual, such as a size other than that of the partition.
    const isOther =
      fileSystem?.kind !== this.#before?.kind ||
      (this.#isFormatted && shapeOf(openFileSystem(image)) !== shapeOf(this.#before));
    const isChanged = isOther || entries.some(({ change }) => change !== null);
    // Over other contents there is no order that keeps the old ones.
    const sectors = this.#isFormatted ? changedSectorsOf(this.#image, image) : (fileSystem?.changedSectors() ?? []);
    const changed = isChanged
      ? sectors.map(({ offset, length }) => ({
          offset,
          bytes: image.subarray(offset, offset + length),
        }))
      : [];
    return {
      fileSystem,
      entries,
      isFormatted: isChanged && this.#isFormatted,
      isChanged,
      findings: this.#isFormatted ? [] : (this.#before?.findings ?? []),
      usage: fileSystem?.usage() ?? null,
      usedBefore: this.#before?.usage().used ?? 0,
      changed,
    };
  }

  #mounted(): FileSystem {
    if (this.#now === null) {
      throw new FileSystemError('no-file-system');
    }
    return this.#now;
  }

  #format(kind: FileSystemKind, wearLevelling = true): void {
    const isSameKind = this.#before?.kind === kind;
    this.#now = openFileSystem(isSameKind ? this.#image : formatImage(kind, this.#image.length, wearLevelling));
    if (isSameKind) {
      this.#now.format();
    }
    this.#isFormatted = true;
    this.#origins = new Map();
    this.#written.clear();
  }

  #write(path: string, bytes: Uint8Array): void {
    this.#mounted().write(path, bytes);
    this.#written.add(this.#spelled(path));
  }

  /** Returns the path as the tree has it: some file systems ignore upper and lower case. */
  #spelled(path: string): string {
    if (this.#now?.ignoresCase !== true || this.#origins.has(path)) {
      return path;
    }
    const lower = path.toLowerCase();
    return [...this.#origins.keys()].find((other) => other.toLowerCase() === lower) ?? path;
  }

  #move(from: string, to: string): void {
    const start = this.#spelled(from);
    const moved = (path: string) => (path === start || isBelow(path, start) ? to + path.slice(start.length) : path);
    this.#origins = new Map([...this.#origins].map(([path, origin]) => [moved(path), origin]));
    for (const path of [...this.#written]) {
      this.#written.delete(path);
      this.#written.add(moved(path));
    }
  }

  #remove(path: string): void {
    this.#mounted().remove(path);
    const start = this.#spelled(path);
    for (const other of [...this.#origins.keys()]) {
      if (other === start || isBelow(other, start)) {
        this.#origins.delete(other);
      }
    }
    for (const other of [...this.#written]) {
      if (other === start || isBelow(other, start)) {
        this.#written.delete(other);
      }
    }
  }

  #restore(path: string): void {
    const isThere = this.#mounted()
      .list()
      .some((entry) => pathOf(entry.path) === path);
    const origin = this.#origins.get(path);
    if (isThere && origin === undefined) {
      this.#remove(path);
    } else if (origin !== undefined) {
      if (origin !== path) {
        this.#mounted().rename(path, origin);
        this.#move(path, origin);
      }
      this.#restoreContents(origin);
    } else {
      this.#bringBack(path);
    }
  }

  /** Writes the contents of the board into a file that exists. */
  #restoreContents(path: string): void {
    if (this.#written.delete(path)) {
      this.#mounted().write(path, this.#readBefore(path));
    }
  }

  /** Makes a removed file or folder again, with all that was in it. */
  #bringBack(path: string): void {
    const fileSystem = this.#mounted();
    const missing = new Set(this.#origins.values());
    for (const [other, { kind }] of this.#entriesBefore) {
      if ((other === path || isBelow(other, path)) && !missing.has(other)) {
        if (kind === 'file') {
          fileSystem.write(other, this.#readBefore(other));
        } else if (fileSystem.hasFolders) {
          fileSystem.makeDirectory(other);
        }
        this.#origins.set(other, other);
      }
    }
    // Parents that were removed as well exist again.
    for (const [other, { kind }] of this.#entriesBefore) {
      if (kind === 'folder' && isBelow(path, other) && !missing.has(other)) {
        this.#origins.set(other, other);
      }
    }
  }

  #readBefore(path: string): Uint8Array {
    const entry = this.#entriesBefore.get(path);
    if (this.#before === null || entry === undefined) {
      throw new FileSystemError('not-found', path);
    }
    return this.#before.read(entry.path);
  }

  #changeOf(path: string, { kind }: FileEntry, origin: string | null): FileChange | null {
    if (origin === null) {
      return 'added';
    }
    // The contents of a folder that was renamed have moved with it.
    const parent = path.slice(0, path.lastIndexOf('/'));
    const parentOrigin = parent === '' ? '' : (this.#origins.get(parent) ?? parent);
    if (`${parentOrigin}${path.slice(parent.length)}` !== origin) {
      return 'renamed';
    }
    return kind === 'file' && this.#isRewritten(path, origin) ? 'changed' : null;
  }

  #isRewritten(path: string, origin: string): boolean {
    if (!this.#written.has(path)) {
      return false;
    }
    try {
      return !isSame(this.#mounted().read(path), this.#readBefore(origin));
    } catch (error) {
      // The file on the board is damaged, so that a written one differs.
      if (error instanceof FileSystemError) {
        return true;
      }
      throw error;
    }
  }

  #entries(): EditedEntry[] {
    const present = this.#now?.list() ?? [];
    const entries = present.map((entry): EditedEntry => {
      const path = pathOf(entry.path);
      const origin = this.#origins.get(path) ?? null;
      const change = this.#changeOf(path, entry, origin);
      const files = entry.kind === 'file' ? 0 : countFiles(present, path);
      return { ...entry, path, change, was: origin, files };
    });
    const kept = new Set(this.#origins.values());
    // A folder of SPIFFS is there as long as a file is in it.
    const there = new Set(entries.map(({ path }) => path));
    const all = [...this.#entriesBefore.values()];
    const removed = all.filter(({ path }) => !kept.has(pathOf(path)) && !there.has(pathOf(path)));
    const gone = new Set(removed.map(({ path }) => pathOf(path)));
    for (const entry of removed) {
      const path = pathOf(entry.path);
      const parent = path.slice(0, path.lastIndexOf('/'));
      if (gone.has(parent)) {
        continue;
      }
      const files = entry.kind === 'file' ? 0 : countFiles(all, path);
      const lost: EditedEntry = { ...entry, path, change: 'removed', was: path, files };
      const at =
        parent === '' ? -1 : entries.findLastIndex((other) => other.path === parent || isBelow(other.path, parent));
      if (at < 0) {
        entries.push(lost);
      } else {
        entries.splice(at + 1, 0, lost);
      }
    }
    return entries;
  }
}

function countFiles(entries: readonly FileEntry[], folder: string): number {
  return entries.filter(({ path, kind }) => kind === 'file' && isBelow(pathOf(path), folder)).length;
}
