/** LittleFS, disk versions 2.0 and 2.1 (littlefs SPEC.md and DESIGN.md): reads and changes an image in memory. */
import { isSame } from '../../core/bytes.ts';
import { joinRanges } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { changedSectorsOf } from '../changed-sectors.ts';
import type { FileEntry, FileSystem, FileSystemUsage, NewFile } from '../file-system.ts';
import { FileSystemError } from '../file-system-error.ts';
import { type FileSystemFinding, makeFinding } from '../findings.ts';
import { decodeName, encodeName, isUsableName, splitPath } from '../paths.ts';
import { type MetadataEntry, moveStateLength, writeMetadata } from './metadata.ts';
import { followSkipList, readSkipList } from './skip-list.ts';
import { defaultLimits, findSuperblock, makeSuperblockEntry, minBlockSize, type Superblock } from './superblock.ts';
import { maxTagLength, tagType } from './tags.ts';
import { type Folder, findOccupancy, loadVolume, type Occupancy, skipListOf, type Volume } from './volume.ts';
import { type Found, VolumeEdit } from './volume-edit.ts';

/** Usual block size in bytes: the sector of NOR flash, and the only one of esp_littlefs. */
const usualBlockSize = 4_096;

/**
 * Longest contents that are stored in metadata, in bytes, unless the image has longer ones. The driver loads such files
 * into a cache whose size is not on disk: 64 bytes for Arduino's core of the ESP8266, 512 for esp_littlefs.
 */
const safeInlineLength = 64;

export interface LittleFsOptions {
  /** In bytes; a power of two from 128. Usually 4,096. */
  readonly blockSize?: number;
  /** Minor disk version. Drivers of 2.1 mount 2.0; older drivers do not mount 2.1. Usually 0. */
  readonly minorVersion?: 0 | 1;
  /** Longest contents in bytes that are stored in metadata; at most the cache size of the driver. Usually 64. */
  readonly inlineLength?: number;
}

export class LittleFs implements FileSystem {
  readonly kind = 'littlefs';
  readonly hasFolders = true;
  readonly ignoresCase = false;
  readonly image: Uint8Array;
  readonly findings: readonly FileSystemFinding[];
  readonly #original: Uint8Array;
  readonly #originalUsed: Uint8Array;
  readonly #inlineLength: number;
  #volume: Volume;
  /** Blocks in use; null after a change, until they are asked for. */
  #occupancy: Occupancy | null;

  /**
   * @param image Copied. The partition, or an image file.
   * @throws FileSystemError with `no-file-system`, `littlefs-1`, `newer-version` or `superblock-damaged`.
   */
  constructor(image: Uint8Array, { inlineLength = safeInlineLength }: Pick<LittleFsOptions, 'inlineLength'> = {}) {
    // A constructor and not `slice`, which for a Buffer of Node makes a view.
    this.#original = new Uint8Array(image);
    this.image = new Uint8Array(image);
    const superblock = findSuperblock(this.image);
    if (superblock === null) {
      throw new FileSystemError('no-file-system');
    }
    this.#volume = loadVolume(this.image, superblock);
    const occupancy = findOccupancy(this.#volume);
    this.#originalUsed = occupancy.used;
    this.#occupancy = occupancy;
    this.findings = findUnusual(this.#volume, image.length, occupancy.faults.size);
    this.#inlineLength = inlineLimit(this.#volume, inlineLength);
  }

  get title(): string {
    const { minorVersion, blockSize, blockCount } = this.#volume.superblock;
    const [count, size] = [blockCount, blockSize].map((value) => value.toLocaleString('en-US'));
    return `LittleFS 2.${minorVersion}, ${count} blocks of ${size} bytes`;
  }

  get longestName(): number {
    return this.#volume.superblock.nameMax;
  }

  get isReadOnly(): boolean {
    return this.#volume.damagedFolders > 0 || this.#volume.blocks.count < this.#volume.superblock.blockCount;
  }

  list(): FileEntry[] {
    const { faults } = this.#occupied();
    const entries: FileEntry[] = [];
    const listFolder = (folder: Folder, prefix: string) => {
      for (const entry of entriesOf(folder)) {
        const name = decodeName(entry.name);
        if (isUsableName(name) && entry.type === tagType.regularFile) {
          entries.push({ path: prefix + name, kind: 'file', size: sizeOf(entry), fault: faults.get(entry) ?? null });
        } else if (isUsableName(name) && entry.type === tagType.folder) {
          const contents = this.#volume.folders.get(entry);
          const fault = contents === undefined ? 'damaged' : null;
          entries.push({ path: prefix + name, kind: 'folder', size: 0, fault });
          if (contents !== undefined) {
            listFolder(contents, `${prefix}${name}/`);
          }
        }
      }
    };
    listFolder(this.#volume.root, '/');
    return entries;
  }

  read(path: string): Uint8Array {
    const { entry } = this.#find(path);
    if (entry.type !== tagType.regularFile) {
      throw new FileSystemError('not-a-file', path);
    }
    if (entry.struct?.type === tagType.inlineStruct) {
      return entry.struct.data.slice();
    }
    const { blocks } = this.#volume;
    const list = skipListOf(entry);
    const addresses = list === null ? null : followSkipList(blocks, list.head, list.length);
    if (list === null || addresses === null || this.#occupied().faults.has(entry)) {
      throw new FileSystemError('file-damaged', path);
    }
    return readSkipList(blocks, addresses, list.length);
  }

  write(path: string, bytes: Uint8Array): void {
    const names = this.#splitPath(path);
    if (bytes.length > this.#volume.superblock.fileMax) {
      throw new FileSystemError('file-too-large', path);
    }
    const before = this.#lookUp(names);
    if (before !== null && before.entry.type !== tagType.regularFile) {
      throw new FileSystemError('not-a-file', path);
    }
    this.#change((edit) => {
      // The repair of an interrupted volume may have moved what was found.
      const found = this.#lookUp(names);
      const struct = edit.store(bytes, this.#inlineLength, found?.entry ?? null);
      if (found !== null) {
        edit.replaceEntry(found, { ...found.entry, struct });
      } else {
        const folder = this.#makeFolders(edit, names.slice(0, -1), path);
        const name = encodeName(names.at(-1) ?? '');
        edit.addEntry(folder, { type: tagType.regularFile, name, struct, attributes: new Map() });
      }
    });
  }

  rename(from: string, to: string): void {
    const oldNames = this.#splitPath(from);
    const newNames = this.#splitPath(to);
    this.#find(from);
    if (oldNames.join('/') === newNames.join('/')) {
      return;
    }
    if (oldNames.every((name, index) => newNames[index] === name)) {
      throw new FileSystemError('into-itself', to);
    }
    if (this.#lookUp(newNames) !== null) {
      throw new FileSystemError('exists', to);
    }
    this.#change((edit) => {
      const folder = this.#makeFolders(edit, newNames.slice(0, -1), to);
      edit.moveEntry(this.#find(from), folder, encodeName(newNames.at(-1) ?? ''));
    });
  }

  remove(path: string): void {
    this.#find(path);
    this.#change((edit) => edit.removeEntry(this.#find(path)));
  }

  makeDirectory(path: string): void {
    const names = this.#splitPath(path);
    if (this.#lookUp(names) !== null) {
      throw new FileSystemError('exists', path);
    }
    this.#change((edit) => this.#makeFolders(edit, names, path));
  }

  usage(): FileSystemUsage {
    const { used } = this.#occupied();
    const { blockSize, blockCount } = this.#volume.superblock;
    return { used: used.filter((one) => one === 1).length * blockSize, total: blockCount * blockSize };
  }

  format(): void {
    const { blockSize } = this.#volume.superblock;
    const superblock = { ...this.#volume.superblock, blockCount: blocksIn(this.image.length, blockSize) };
    putSuperblocks(this.image, superblock);
    this.#volume = loadVolume(this.image, superblock);
    this.#occupancy = null;
  }

  changedSectors(): FlashRange[] {
    const { thread, blocks } = this.#volume;
    // Later pairs of the list are found through earlier ones. Of a pair, the newest block was written.
    const ranks = new Map(
      thread.map((pair, index) => [Math.floor((pair.blocks[0] * blocks.size) / sectorSize), thread.length - index]),
    );
    const single = changedSectorsOf(this.#original, this.image).flatMap(inSingleSectors);
    const rankOf = ({ offset }: FlashRange) => ranks.get(offset / sectorSize) ?? 0;
    return joinRanges(single.toSorted((one, other) => rankOf(one) - rankOf(other) || one.offset - other.offset));
  }

  #occupied(): Occupancy {
    this.#occupancy ??= findOccupancy(this.#volume);
    return this.#occupancy;
  }

  #splitPath(path: string): [string, ...string[]] {
    const names = splitPath(path);
    if (names.some((name) => encodeName(name).length > this.longestName)) {
      throw new FileSystemError('name-too-long', path);
    }
    return names;
  }

  #find(path: string): Found {
    const found = this.#lookUp(splitPath(path));
    if (found === null) {
      throw new FileSystemError('not-found', path);
    }
    return found;
  }

  /** Returns null if the last name, or a folder in front of it, does not exist. */
  #lookUp(names: readonly string[]): Found | null {
    let folder: Folder | undefined = this.#volume.root;
    let found: Found | null = null;
    for (const name of names) {
      if (found !== null && found.entry.type !== tagType.folder) {
        throw new FileSystemError('not-a-folder', names.join('/'));
      }
      found = folder === undefined ? null : findEntry(folder, name);
      if (found === null) {
        return null;
      }
      folder = this.#volume.folders.get(found.entry);
    }
    return found;
  }

  /** Returns the folder with these names, and makes it and its parents if they are missing. */
  #makeFolders(edit: VolumeEdit, names: readonly string[], path: string): Folder {
    let folder = this.#volume.root;
    for (const name of names) {
      const found = findEntry(folder, name);
      if (found !== null && found.entry.type !== tagType.folder) {
        throw new FileSystemError('not-a-folder', path);
      }
      const next = found === null ? edit.addFolder(folder, encodeName(name)) : this.#volume.folders.get(found.entry);
      if (next === undefined) {
        throw new FileSystemError('damaged', path);
      }
      folder = next;
    }
    return folder;
  }

  /** Makes a change, or none if it fails. */
  #change(make: (edit: VolumeEdit) => void): void {
    if (this.isReadOnly) {
      throw new FileSystemError('damaged');
    }
    const { blocks, superblock, isConsistent } = this.#volume;
    const { size } = blocks;
    const isUnchanged = (block: number) =>
      isSame(this.#original.subarray(block * size, (block + 1) * size), blocks.get(block));
    this.#occupancy = null;
    let isDone = false;
    try {
      const edit = new VolumeEdit(this.#volume, this.#originalUsed, isUnchanged);
      make(edit);
      for (const [block, bytes] of edit.finish()) {
        this.image.set(bytes, block * size);
      }
      isDone = isConsistent;
    } finally {
      if (!isDone) {
        this.#volume = loadVolume(this.image, superblock);
      }
    }
  }
}

function inSingleSectors({ offset, length }: FlashRange): FlashRange[] {
  return Array.from({ length: Math.ceil(length / sectorSize) }, (_, index) => {
    const at = index * sectorSize;
    return { offset: offset + at, length: Math.min(sectorSize, length - at) };
  });
}

function entriesOf({ pairs }: Folder): MetadataEntry[] {
  return pairs.flatMap(({ entries }) => entries);
}

function findEntry(folder: Folder, name: string): Found | null {
  for (const pair of folder.pairs) {
    const entry = pair.entries.find(
      ({ type, name: other }) => type !== tagType.superblock && decodeName(other) === name,
    );
    if (entry !== undefined) {
      return { folder, pair, entry };
    }
  }
  return null;
}

function sizeOf(entry: MetadataEntry): number {
  return skipListOf(entry)?.length ?? entry.struct?.data.length ?? 0;
}

/** The driver keeps contents in metadata up to its cache, and up to an eighth of a block (lfs.h, `inline_max`). */
function inlineLimit({ root, folders, superblock }: Volume, atLeast: number): number {
  const lengths = [root, ...folders.values()]
    .flatMap(entriesOf)
    .filter(({ type, struct }) => type === tagType.regularFile && struct?.type === tagType.inlineStruct)
    .map(sizeOf);
  const longest = lengths.reduce((one, other) => Math.max(one, other), atLeast);
  return Math.min(longest, Math.floor(superblock.blockSize / 8), superblock.attributeMax, maxTagLength);
}

function findUnusual(volume: Volume, imageLength: number, damagedFiles: number): FileSystemFinding[] {
  const { superblock, root, folders, damagedFolders, isConsistent } = volume;
  const length = superblock.blockCount * superblock.blockSize;
  const hidden = [root, ...folders.values()]
    .flatMap(entriesOf)
    .filter(({ type, name }) => type !== tagType.superblock && !isUsableName(decodeName(name))).length;
  const findings: (FileSystemFinding | false)[] = [
    superblock.blockSize !== usualBlockSize && makeFinding('block-size', superblock.blockSize),
    length > imageLength && makeFinding('image-shorter', length - imageLength),
    length < imageLength && makeFinding('image-longer', imageLength - length),
    damagedFolders > 0 && makeFinding('folders-damaged', damagedFolders),
    damagedFiles > 0 && makeFinding('files-damaged', damagedFiles),
    hidden > 0 && makeFinding('names-unusable', hidden),
    damagedFolders === 0 && !isConsistent && makeFinding('interrupted'),
  ];
  return findings.filter((finding) => finding !== false);
}

/** Writes the same empty root folder into both blocks of the first pair, so that no older state can come back. */
function putSuperblocks(image: Uint8Array, superblock: Superblock): void {
  const { blockSize } = superblock;
  const entries = [makeSuperblockEntry(superblock)];
  const empty = { entries, tail: null, isHardTail: false, delta: new Uint8Array(moveStateLength) };
  image.set(writeMetadata({ ...empty, revision: 1 }, blockSize), 0);
  image.set(writeMetadata({ ...empty, revision: 2 }, blockSize), blockSize);
}

/**
 * Returns the number of blocks that fill a partition. The driver mounts no other number than that of its configuration
 * (`lfs.c`, "Invalid block count").
 *
 * @throws FileSystemError with `size-unusable`.
 */
function blocksIn(size: number, blockSize: number): number {
  const blockCount = Math.floor(size / blockSize);
  if (blockCount < 2) {
    throw new FileSystemError('size-unusable');
  }
  return blockCount;
}

/**
 * Returns an empty LittleFS image.
 *
 * @param size Size of the partition in bytes. A rest that is smaller than a block is left unused.
 * @throws FileSystemError with `size-unusable`.
 */
export function formatLittleFs(size: number, options: LittleFsOptions = {}): Uint8Array {
  const { blockSize = usualBlockSize, minorVersion = 0 } = options;
  if (blockSize < minBlockSize || (blockSize & (blockSize - 1)) !== 0) {
    throw new FileSystemError('size-unusable');
  }
  const blockCount = blocksIn(size, blockSize);
  const image = new Uint8Array(size).fill(0xff);
  putSuperblocks(image, { minorVersion, blockSize, blockCount, ...defaultLimits });
  return image;
}

/**
 * Returns an image with these files, for a release.
 *
 * @param size Size of the partition in bytes.
 * @throws FileSystemError with `full`, `size-unusable` and the codes of names.
 */
export function buildLittleFs(size: number, files: Iterable<NewFile>, options: LittleFsOptions = {}): Uint8Array {
  const fileSystem = new LittleFs(formatLittleFs(size, options), options);
  for (const { path, bytes } of files) {
    fileSystem.write(path, bytes);
  }
  return fileSystem.image;
}
