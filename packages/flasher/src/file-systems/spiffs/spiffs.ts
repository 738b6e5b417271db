/** SPIFFS (spiffs docs/TECH_SPEC; ESP-IDF Programming Guide, "SPIFFS Filesystem"): reads and changes an image in memory. */
import type { FlashRange } from '../../core/region.ts';
import { changedSectorsOf } from '../changed-sectors.ts';
import type { FileEntry, FileSystem, FileSystemUsage, NewFile } from '../file-system.ts';
import { FileSystemError } from '../file-system-error.ts';
import { type FileSystemFinding, makeFinding } from '../findings.ts';
import { compareNames, encodeName, isUsableName, splitPath } from '../paths.ts';
import { type FoundLayout, findLayout, usualNameLength, usualTables } from './find-layout.ts';
import { Geometry, nameAt, type SpiffsLayout, type SpiffsMagic, spareBlocks } from './layout.ts';
import { loadObjects, pageState, readObject, type SpiffsContents, type SpiffsObject } from './objects.ts';
import { eraseBlock, SpiffsEdit } from './spiffs-edit.ts';

const usualBlockSize = 4_096;
const usualPageSize = 256;

/** Page indices have 16 bits, and the highest one marks an unused entry. */
const maxPages = 0xffff;

/** Parameters that are compiled into the firmware. The usual ones are those of ESP-IDF. */
export interface SpiffsOptions {
  /** In bytes. Usually 256. */
  readonly pageSize?: number;
  /** In bytes. Usually 4,096. */
  readonly blockSize?: number;
  /** SPIFFS_OBJ_NAME_LEN: bytes of a name with its NUL. Usually 32. */
  readonly nameLength?: number;
  /** SPIFFS_OBJ_META_LEN in bytes. Usually 4; 0 in Arduino's core of the ESP8266. */
  readonly metaLength?: number;
  /** SPIFFS_ALIGNED_OBJECT_INDEX_TABLES. True in Arduino's core of the ESP8266. */
  readonly isAligned?: boolean;
  /** Usually `length`. */
  readonly magic?: Exclude<SpiffsMagic, 'none'>;
}

export class Spiffs implements FileSystem {
  readonly kind = 'spiffs';
  readonly hasFolders = false;
  readonly ignoresCase = false;
  readonly image: Uint8Array;
  readonly findings: readonly FileSystemFinding[];
  readonly #original: Uint8Array;
  #geometry: Geometry;
  /** Blocks that changes wrote to. */
  readonly #touched = new Set<number>();
  #contents: SpiffsContents;
  /** Files by their name; null after a change, until they are asked for. */
  #byName: ReadonlyMap<string, SpiffsObject> | null = null;

  /**
   * @param image Copied. The partition, or an image file.
   * @param options Layout of names and tables. Ignored if files in the image show another one.
   * @throws FileSystemError with `no-file-system`.
   */
  constructor(
    image: Uint8Array,
    options: Pick<SpiffsOptions, 'nameLength' | 'metaLength' | 'isAligned'> | null = null,
  ) {
    // A constructor and not `slice`, which for a Buffer of Node makes a view.
    this.#original = new Uint8Array(image);
    this.image = new Uint8Array(image);
    const found = findLayout(this.image, options === null ? null : tableOffset(options));
    if (found === null) {
      throw new FileSystemError('no-file-system');
    }
    const isGiven = options !== null && tableOffset(options) === found.layout.tableAt;
    const nameLength = isGiven ? (options.nameLength ?? usualNameLength) : found.layout.nameLength;
    this.#geometry = new Geometry({ ...found.layout, nameLength });
    this.#contents = loadObjects(this.image, this.#geometry);
    this.findings = this.#findUnusual({ ...found, isAssumed: found.isAssumed && !isGiven });
  }

  get title(): string {
    const { blockCount, blockSize, pageSize } = this.#geometry.layout;
    const [count, size] = [blockCount, blockSize].map((value) => value.toLocaleString('en-US'));
    return `SPIFFS, ${count} blocks of ${size} bytes, pages of ${pageSize} bytes`;
  }

  get longestName(): number {
    return this.#geometry.layout.nameLength - 1;
  }

  get isReadOnly(): boolean {
    const { blockCount, blockSize } = this.#geometry.layout;
    return blockCount * blockSize > this.image.length;
  }

  list(): FileEntry[] {
    const entries: FileEntry[] = [];
    const folders = new Set<string>();
    const files = [...this.#files()].sort(([one], [other]) => compareInTree(one, other));
    for (const [path, { size, fault }] of files) {
      for (const folder of parentsOf(path)) {
        if (!folders.has(folder)) {
          folders.add(folder);
          entries.push({ path: folder, kind: 'folder', size: 0, fault: null });
        }
      }
      entries.push({ path, kind: 'file', size, fault });
    }
    return entries;
  }

  read(path: string): Uint8Array {
    const object = this.#find(path);
    if (object === null) {
      throw new FileSystemError(this.#below(path).length > 0 ? 'not-a-file' : 'not-found', path);
    }
    if (object.fault === 'damaged') {
      throw new FileSystemError('file-damaged', path);
    }
    return readObject(this.image, this.#geometry, object);
  }

  write(path: string, bytes: Uint8Array): void {
    const before = this.#find(path);
    const name = before?.name ?? this.#nameFor(path);
    if (before === null && this.#below(path).length > 0) {
      throw new FileSystemError('not-a-file', path);
    }
    this.#change((edit) => edit.store(name, bytes, before));
  }

  rename(from: string, to: string): void {
    const moved = this.#named(from);
    const target = this.#nameFor(to, false);
    if (absolute(from) === target) {
      return;
    }
    if (target.startsWith(`${absolute(from)}/`)) {
      throw new FileSystemError('into-itself', to);
    }
    this.#checkParents(to);
    if (this.#find(to) !== null || this.#below(to).length > 0) {
      throw new FileSystemError('exists', to);
    }
    const renamed = moved.map(({ object, rest }) => ({ object, name: target + rest }));
    for (const { name } of renamed) {
      this.#checkLength(name);
    }
    this.#change((edit) => {
      for (const { object, name } of renamed) {
        edit.rename(object, name);
      }
    });
  }

  remove(path: string): void {
    const removed = this.#named(path);
    this.#change((edit) => {
      for (const { object } of removed) {
        edit.remove(object);
      }
    });
  }

  makeDirectory(path: string): void {
    throw new FileSystemError('no-empty-folders', path);
  }

  /** Counts as the driver's `SPIFFS_info`: pages without those of the spare blocks, and one page for emergencies. */
  usage(): FileSystemUsage {
    const { entriesPerBlock, dataPerPage, layout } = this.#geometry;
    const used = this.#contents.states.filter((state) => state === pageState.used).length;
    const pages = Math.max(0, layout.blockCount - spareBlocks) * entriesPerBlock + 1;
    return { used: used * dataPerPage, total: pages * dataPerPage };
  }

  format(): void {
    this.#geometry = geometryFor(this.image.length, this.#geometry.layout);
    eraseBlocks(this.image, this.#geometry);
    this.#load();
  }

  changedSectors(): FlashRange[] {
    return changedSectorsOf(this.#original, this.image);
  }

  /** Files by their path. Of two with the same name, the first one counts. */
  #files(): ReadonlyMap<string, SpiffsObject> {
    if (this.#byName !== null) {
      return this.#byName;
    }
    const files = new Map<string, SpiffsObject>();
    for (const object of this.#contents.objects) {
      const isUsable = object.name.replace(/^\//, '').split('/').every(isUsableName);
      if (isUsable && !files.has(object.name)) {
        files.set(object.name, object);
      }
    }
    this.#byName = files;
    return files;
  }

  #find(path: string): SpiffsObject | null {
    const files = this.#files();
    return files.get(absolute(path)) ?? files.get(path) ?? null;
  }

  /** Files whose names start with the path and a slash, and the rest of their names. */
  #below(path: string): { readonly object: SpiffsObject; readonly rest: string }[] {
    const prefix = `${absolute(path)}/`;
    return [...this.#files()].flatMap(([name, object]) =>
      absolute(name).startsWith(prefix) ? [{ object, rest: absolute(name).slice(prefix.length - 1) }] : [],
    );
  }

  /** Returns the file with this path, or all files of the folder. */
  #named(path: string): { readonly object: SpiffsObject; readonly rest: string }[] {
    this.#checkParents(path);
    const file = this.#find(path);
    const named = file === null ? this.#below(path) : [{ object: file, rest: '' }];
    if (named.length === 0) {
      throw new FileSystemError('not-found', path);
    }
    return named;
  }

  /** Returns the name of a new file: absolute, as ESP-IDF's driver and its image generator write it. */
  #nameFor(path: string, isChecked = true): string {
    const name = `/${splitPath(path).join('/')}`;
    if (isChecked) {
      this.#checkParents(path);
      this.#checkLength(name);
    }
    return name;
  }

  #checkParents(path: string): void {
    if (parentsOf(`/${splitPath(path).join('/')}`).some((parent) => this.#find(parent) !== null)) {
      throw new FileSystemError('not-a-folder', path);
    }
  }

  #checkLength(name: string): void {
    const { length } = encodeName(name);
    if (length > this.longestName) {
      const what = `SPIFFS stores the whole path as one name. This one has ${length} bytes, and ${this.longestName} fit.`;
      throw new FileSystemError('path-too-long', name, { what });
    }
  }

  #load(): void {
    this.#contents = loadObjects(this.image, this.#geometry);
    this.#byName = null;
  }

  #change(make: (edit: SpiffsEdit) => void): void {
    if (this.isReadOnly) {
      throw new FileSystemError('damaged');
    }
    const edit = new SpiffsEdit(this.image, this.#touched, this.#geometry, this.#contents);
    make(edit);
    this.image.set(edit.image);
    this.#load();
  }

  #findUnusual({ layout, isAssumed }: FoundLayout): FileSystemFinding[] {
    const { objects, damagedBlocks } = this.#contents;
    const length = layout.blockCount * layout.blockSize;
    const faults = objects.filter(({ fault }) => fault !== null).length;
    const hidden = objects.length - this.#files().size;
    const isUsual = layout.pageSize === usualPageSize && usualTables.some((tableAt) => tableAt === layout.tableAt);
    const findings: (FileSystemFinding | false)[] = [
      layout.blockSize !== usualBlockSize && makeFinding('block-size', layout.blockSize),
      length > this.image.length && makeFinding('image-shorter', length - this.image.length),
      length < this.image.length && makeFinding('image-longer', this.image.length - length),
      damagedBlocks.length > 0 && makeFinding('blocks-damaged', damagedBlocks.length),
      faults > 0 && makeFinding('files-damaged', faults),
      hidden > 0 && makeFinding('names-unusable', hidden),
      layout.magic === 'none' && makeFinding('no-magic'),
      isAssumed && makeFinding('layout-assumed'),
      !isAssumed && !isUsual && makeFinding('layout-unusual'),
    ];
    return findings.filter((finding) => finding !== false);
  }
}

/** Returns the path with exactly one slash in front and none at its end. */
function absolute(path: string): string {
  return `/${path.replace(/^\/+|\/+$/g, '')}`;
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.flatMap((_, index) => (index > 0 && parts[index - 1] !== '' ? [parts.slice(0, index).join('/')] : []));
}

/** Sorts a folder in front of its contents, and its contents together. */
function compareInTree(one: string, other: string): number {
  const [first, second] = [one, other].map((path) => encodeName(path.replaceAll('/', '\0')));
  return first === undefined || second === undefined ? 0 : compareNames(first, second);
}

function tableOffset({ nameLength = usualNameLength, metaLength = 4, isAligned = false }: SpiffsOptions): number {
  const end = nameAt + nameLength + metaLength;
  return isAligned ? end + (end % 2) : end;
}

/**
 * Returns an empty SPIFFS image.
 *
 * @param size Size of the partition in bytes. A rest that is smaller than a block is left unused.
 * @throws FileSystemError with `size-unusable` for sizes and parameters that the driver does not mount.
 */
export function formatSpiffs(size: number, options: SpiffsOptions = {}): Uint8Array {
  const {
    pageSize = usualPageSize,
    blockSize = usualBlockSize,
    nameLength = usualNameLength,
    magic = 'length',
  } = options;
  const geometry = geometryFor(size, { pageSize, blockSize, magic, nameLength, tableAt: tableOffset(options) });
  const image = new Uint8Array(size).fill(0xff);
  eraseBlocks(image, geometry);
  return image;
}

/**
 * Returns the geometry of a file system that fills a partition. The magic number of a block counts them.
 *
 * @throws FileSystemError with `size-unusable`.
 */
function geometryFor(size: number, layout: Omit<SpiffsLayout, 'blockCount'>): Geometry {
  const { pageSize, blockSize, magic, tableAt } = layout;
  const blockCount = Math.floor(size / blockSize);
  const geometry = new Geometry({ ...layout, blockCount });
  const isPossible =
    blockSize % pageSize === 0 && tableAt + 2 <= pageSize && (magic === 'none' || geometry.hasRoomForMagic);
  if (blockCount <= spareBlocks || !isPossible || blockCount * geometry.pagesPerBlock > maxPages) {
    throw new FileSystemError('size-unusable');
  }
  return geometry;
}

function eraseBlocks(image: Uint8Array, geometry: Geometry): void {
  for (let block = 0; block < geometry.layout.blockCount; block++) {
    eraseBlock(image, geometry, block);
  }
}

/**
 * Returns an image with these files, for a release.
 *
 * @param size Size of the partition in bytes.
 * @throws FileSystemError with `full`, `size-unusable` and the codes of names.
 */
export function buildSpiffs(size: number, files: Iterable<NewFile>, options: SpiffsOptions = {}): Uint8Array {
  const fileSystem = new Spiffs(formatSpiffs(size, options), options);
  for (const { path, bytes } of files) {
    fileSystem.write(path, bytes);
  }
  return fileSystem.image;
}
