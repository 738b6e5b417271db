/** FAT12, FAT16 and FAT32, with ESP-IDF's wear levelling or without: reads and changes an image in memory. */
import { viewOf } from '../../core/bytes.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { changedSectorsOf } from '../changed-sectors.ts';
import type { FileEntry, FileSystem, FileSystemUsage } from '../file-system.ts';
import { FileSystemError } from '../file-system-error.ts';
import { type FileSystemFinding, makeFinding } from '../findings.ts';
import { isUsableName, splitPath } from '../paths.ts';
import { type FatLayout, makeVolume, readBootSector, slotLength } from './boot-sector.ts';
import {
  allEntries,
  attribute,
  dotSlot,
  type FatEntry,
  type FatFolder,
  FolderReader,
  findEntry,
  labelIn,
  newSlot,
  setCluster,
  unusedSlot,
} from './folders.ts';
import { checkName, foldCase, longestName, makeLongSlots, makeShort, shortText } from './names.ts';
import { FatVolume } from './volume.ts';
import {
  findWearLevelling,
  hasLostLevelling,
  isUnfinishedSafeWrite,
  levelImage,
  levelledSize,
  newLevelling,
  physicalOffset,
  readLevelled,
  safeModeLength,
  type WearLevelling,
} from './wear-levelling.ts';

/** Largest file: its length has 32 bits. */
const largestFile = 0xffff_ffff;

export class FatFs implements FileSystem {
  readonly kind = 'fat';
  readonly hasFolders = true;
  readonly ignoresCase = true;
  readonly longestName = longestName;
  readonly image: Uint8Array;
  readonly findings: readonly FileSystemFinding[];
  #isReadOnly: boolean;
  readonly #original: Uint8Array;
  #levelling: WearLevelling | null;
  #volume: FatVolume;
  #check: Pick<FolderReader, 'crossLinks' | 'damagedFolders' | 'brokenChains'>;
  #root: FatFolder;

  /**
   * @param image Copied. The partition, or an image file.
   * @throws FileSystemError with `no-file-system`.
   */
  constructor(image: Uint8Array) {
    // A constructor and not `slice`, which for a Buffer of Node makes a view.
    this.#original = new Uint8Array(image);
    this.image = new Uint8Array(image);
    const { levelling, layout, bytes } = findVolume(this.image);
    this.#levelling = levelling;
    const missing = Math.max(layout.size - bytes.length, (levelling?.length ?? 0) - image.length);
    // Missing bytes count as erased.
    const whole = layout.size <= bytes.length ? bytes : new Uint8Array(layout.size).fill(0xff);
    if (whole !== bytes) {
      whole.set(bytes);
    }
    this.#volume = new FatVolume(whole, layout);
    const reader = new FolderReader(this.#volume);
    this.#root = reader.read();
    this.#check = reader;
    const damages = this.#findDamages(missing);
    this.#isReadOnly = damages.length > 0;
    this.findings = [...damages, ...this.#findUnusual(image.length)];
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  get title(): string {
    const { bits, clusterSize, sectorSize: size } = this.#volume.layout;
    const [cluster, sector] = [clusterSize, size].map((value) => value.toLocaleString('en-US'));
    const levelling = this.#levelling === null ? 'without wear levelling' : 'with wear levelling';
    return `FAT${bits} ${levelling}, clusters of ${cluster} bytes, sectors of ${sector}`;
  }

  list(): FileEntry[] {
    const entries: FileEntry[] = [];
    const listFolder = (folder: FatFolder, prefix: string) => {
      for (const { name, isFolder, size, fault, contents } of folder.entries) {
        const path = prefix + name;
        entries.push({ path, kind: isFolder ? 'folder' : 'file', size: isFolder ? 0 : size, fault });
        if (contents !== null) {
          listFolder(contents, `${path}/`);
        }
      }
    };
    listFolder(this.#root, '/');
    return entries;
  }

  read(path: string): Uint8Array {
    const { isFolder, cluster, size, fault } = this.#find(path).entry;
    if (isFolder) {
      throw new FileSystemError('not-a-file', path);
    }
    const clusters = size === 0 ? [] : this.#volume.chain(cluster);
    if (fault === 'damaged' || clusters === null) {
      throw new FileSystemError('file-damaged', path);
    }
    const { clusterSize } = this.#volume.layout;
    const bytes = new Uint8Array(size);
    for (let index = 0; index * clusterSize < size; index++) {
      const at = this.#volume.clusterAt(clusters[index] ?? 2);
      const length = Math.min(clusterSize, size - index * clusterSize);
      bytes.set(this.#volume.bytes.subarray(at, at + length), index * clusterSize);
    }
    return bytes;
  }

  write(path: string, bytes: Uint8Array): void {
    const names = splitPath(path);
    const name = names.at(-1) ?? '';
    const before = this.#lookUp(names);
    if (before === null) {
      for (const part of names) {
        checkName(part, path);
      }
    }
    if (before?.entry.isFolder === true) {
      throw new FileSystemError('not-a-file', path);
    }
    if (bytes.length > largestFile) {
      throw new FileSystemError('file-too-large', path);
    }
    this.#change(() => {
      const folder = before?.folder ?? this.#makeFolders(names.slice(0, -1), path);
      const old = before === null ? [] : this.#clustersOf(before.entry);
      const { clusterSize } = this.#volume.layout;
      const clusters = this.#volume.resizeChain(old, Math.ceil(bytes.length / clusterSize), path);
      clusters.forEach((cluster, index) => {
        this.#volume.put(
          this.#volume.clusterAt(cluster),
          bytes.subarray(index * clusterSize, Math.min(bytes.length, (index + 1) * clusterSize)),
        );
      });
      const place = { cluster: clusters[0] ?? 0, size: bytes.length };
      if (before === null) {
        this.#addEntry(folder, name, { ...place, attributes: attribute.archive });
      } else {
        this.#setPlace(before.entry, place);
      }
    });
  }

  rename(from: string, to: string): void {
    const oldNames = splitPath(from);
    const newNames = splitPath(to);
    const { folder, entry } = this.#find(from);
    if (oldNames.join('/') === newNames.join('/')) {
      return;
    }
    const isInside = newNames.length > oldNames.length;
    if (isInside && oldNames.every((name, index) => foldCase(newNames[index] ?? '') === foldCase(name))) {
      throw new FileSystemError('into-itself', to);
    }
    const target = this.#lookUp(newNames);
    if (target !== null && target.entry !== entry) {
      throw new FileSystemError('exists', to);
    }
    for (const name of newNames) {
      checkName(name, to);
    }
    this.#change(() => {
      const slot = this.#volume.slot(entry.slots.at(-1) ?? 0).slice();
      this.#freeSlots(entry);
      folder.entries = folder.entries.filter((other) => other !== entry);
      const parent = this.#makeFolders(newNames.slice(0, -1), to);
      this.#addEntry(parent, newNames.at(-1) ?? '', { ...entry, slot });
      if (entry.isFolder && parent !== folder && entry.contents?.clusters !== null) {
        this.#setParent(entry, parent);
      }
    });
  }

  remove(path: string): void {
    const { entry } = this.#find(path);
    this.#change(() => {
      const free = (one: FatEntry) => {
        for (const other of one.contents?.entries ?? []) {
          free(other);
        }
        for (const cluster of this.#clustersOf(one)) {
          this.#volume.setNext(cluster, 0);
        }
      };
      free(entry);
      this.#freeSlots(entry);
    });
  }

  makeDirectory(path: string): void {
    const names = splitPath(path);
    if (this.#lookUp(names) !== null) {
      throw new FileSystemError('exists', path);
    }
    for (const name of names) {
      checkName(name, path);
    }
    this.#change(() => {
      this.#makeFolders(names, path);
    });
  }

  usage(): FileSystemUsage {
    const { clusterCount, clusterSize } = this.#volume.layout;
    return { used: (clusterCount - this.#volume.freeCount()) * clusterSize, total: clusterCount * clusterSize };
  }

  format(): void {
    const { layout } = this.#volume;
    const isElsewhere = this.#levelling !== null && this.#levelling.length !== this.image.length;
    if (this.#isReadOnly || isElsewhere || layout.size + sectorSize <= this.#wholeSize().volume) {
      this.#formatAnew();
      return;
    }
    for (let cluster = 2; this.#volume.isCluster(cluster); cluster++) {
      if (this.#volume.next(cluster) !== 0) {
        this.#volume.setNext(cluster, 0);
      }
    }
    if (layout.root === null) {
      this.#volume.setNext(layout.rootCluster, null);
      this.#volume.put(this.#volume.clusterAt(layout.rootCluster), new Uint8Array(layout.clusterSize));
    } else {
      const empty = new Uint8Array(layout.root.size);
      empty.set(this.#label() ?? []);
      this.#volume.put(layout.root.at, empty);
    }
    this.#store();
    this.#root = this.#load();
  }

  /** Returns the slot with the label in the fixed root folder; null without one. */
  #label(): Uint8Array | null {
    const { bytes, layout } = this.#volume;
    return layout.root === null ? null : labelIn(bytes.subarray(layout.root.at, layout.root.at + layout.root.size));
  }

  /** Returns the bytes of data of the whole partition, and of a volume that fills them. The safe mode keeps some free. */
  #wholeSize(): { readonly data: number; readonly volume: number } {
    const { layout } = this.#volume;
    const data = this.#levelling === null ? this.image.length : levelledSize(this.image.length);
    const isSafe = this.#levelling !== null && layout.size <= this.#levelling.size - safeModeLength;
    return { data, volume: data - (isSafe && layout.sectorSize === 512 ? safeModeLength : 0) };
  }

  /** Makes a new volume over the whole partition, with new wear levelling if it had some. */
  #formatAnew(): void {
    const { data: size, volume: volumeSize } = this.#wholeSize();
    const volume = makeVolume(volumeSize, this.#volume.layout.sectorSize === 512 ? 512 : sectorSize);
    if (volume === null) {
      throw new FileSystemError('size-unusable');
    }
    volume.set(this.#label() ?? [], readBootSector(volume)?.root?.at ?? 0);
    const data = new Uint8Array(size).fill(0xff);
    data.set(volume);
    this.image.set(this.#levelling === null ? data : levelImage(data, this.image.length));
    const found = findVolume(this.image);
    this.#levelling = found.levelling;
    this.#volume = new FatVolume(found.bytes, found.layout);
    this.#root = this.#load();
    this.#isReadOnly = false;
  }

  changedSectors(): FlashRange[] {
    return changedSectorsOf(this.#original, this.image);
  }

  /** Makes a change, or none if it fails. */
  #change(make: () => void): void {
    if (this.#isReadOnly) {
      throw new FileSystemError('damaged');
    }
    try {
      make();
    } catch (error) {
      this.#volume.settle(false);
      this.#root = this.#load();
      throw error;
    }
    this.#store();
    this.#root = this.#load();
  }

  /** Copies the changed pages of the volume into the image. */
  #store(): void {
    this.#volume.countFree();
    const levelling = this.#levelling;
    for (const page of this.#volume.settle(true)) {
      if (levelling !== null) {
        this.image.set(this.#volume.bytes.subarray(page, page + sectorSize), physicalOffset(levelling, page));
      }
    }
  }

  #load(): FatFolder {
    const reader = new FolderReader(this.#volume);
    const root = reader.read();
    this.#check = reader;
    return root;
  }

  #lookUp(names: readonly string[]): { readonly folder: FatFolder; readonly entry: FatEntry } | null {
    let folder: FatFolder = this.#root;
    let found: { readonly folder: FatFolder; readonly entry: FatEntry } | null = null;
    for (const name of names) {
      if (found !== null) {
        if (found.entry.contents === null) {
          throw new FileSystemError('not-a-folder', names.join('/'));
        }
        folder = found.entry.contents;
      }
      const entry = findEntry(folder, name);
      if (entry === null) {
        return null;
      }
      found = { folder, entry };
    }
    return found;
  }

  #find(path: string): { readonly folder: FatFolder; readonly entry: FatEntry } {
    const found = this.#lookUp(splitPath(path));
    if (found === null) {
      throw new FileSystemError('not-found', path);
    }
    return found;
  }

  #clustersOf({ cluster }: FatEntry): number[] {
    return cluster === 0 ? [] : (this.#volume.chain(cluster) ?? []);
  }

  /** Returns the folder with these names, and makes it and its parents if they are missing. */
  #makeFolders(names: readonly string[], path: string): FatFolder {
    let folder = this.#root;
    for (const name of names) {
      const entry = findEntry(folder, name);
      if (entry !== null && entry.contents === null) {
        throw new FileSystemError('not-a-folder', path);
      }
      folder = entry?.contents ?? this.#addFolder(folder, name, path);
    }
    return folder;
  }

  #addFolder(parent: FatFolder, name: string, path: string): FatFolder {
    const { clusterSize } = this.#volume.layout;
    const clusters = this.#volume.resizeChain([], 1, path);
    const [cluster = 0] = clusters;
    const bytes = new Uint8Array(clusterSize);
    bytes.set(dotSlot('.', cluster));
    bytes.set(dotSlot('..', this.#parentCluster(parent)), slotLength);
    this.#volume.put(this.#volume.clusterAt(cluster), bytes);
    const contents: FatFolder = { clusters, entries: [] };
    this.#addEntry(parent, name, { cluster, size: 0, attributes: attribute.folder, contents });
    return contents;
  }

  /** A parent entry of the root folder has cluster 0, also in FAT32. */
  #parentCluster(parent: FatFolder): number {
    return parent === this.#root ? 0 : (parent.clusters?.[0] ?? 0);
  }

  #setParent({ cluster }: FatEntry, parent: FatFolder): void {
    const at = this.#volume.clusterAt(cluster) + slotLength;
    if (this.#volume.bytes[at] === 0x2e) {
      const slot = this.#volume.slot(at).slice();
      setCluster(slot, this.#parentCluster(parent));
      this.#volume.put(at, slot);
    }
  }

  /** Adds slots for an entry, and another cluster to the folder if it is full. */
  #addEntry(
    folder: FatFolder,
    name: string,
    {
      cluster,
      size,
      attributes,
      slot: old = null,
      contents = null,
    }: Pick<FatEntry, 'cluster' | 'size' | 'attributes'> & {
      /** Slot that is moved here, with its dates. */
      readonly slot?: Uint8Array | null;
      readonly contents?: FatFolder | null;
    },
  ): void {
    const taken = new Set(folder.entries.map(({ short }) => shortText(short)));
    const short = makeShort(name, (candidate) => taken.has(candidate));
    const slot = old?.slice() ?? newSlot(attributes);
    slot.set(short);
    slot[12] = 0;
    setCluster(slot, cluster);
    viewOf(slot).setUint32(28, attributes & attribute.folder ? 0 : size, true);
    const slots = [...makeLongSlots(name, short), slot];
    const places = this.#placesFor(folder, slots.length);
    slots.forEach((bytes, index) => {
      this.#volume.put(places[index] ?? 0, bytes);
    });
    const isFolder = (attributes & attribute.folder) !== 0;
    folder.entries.push({ name, short, isFolder, attributes, cluster, size, slots: places, fault: null, contents });
  }

  /** Returns offsets of `count` adjacent free slots. */
  #placesFor(folder: FatFolder, count: number): number[] {
    for (;;) {
      const all = this.#volume.slotsOf(folder.clusters);
      const end = all.findIndex((offset) => this.#volume.bytes[offset] === 0);
      const isFree = (index: number) =>
        (end >= 0 && index >= end) || this.#volume.bytes[all[index] ?? 0] === unusedSlot;
      let run = 0;
      for (let index = 0; index < all.length; index++) {
        run = isFree(index) ? run + 1 : 0;
        if (run === count) {
          const after = all[index + 1];
          // Slots behind the end may hold anything.
          if (end >= 0 && index >= end && after !== undefined) {
            this.#volume.put(after, new Uint8Array(slotLength));
          }
          return all.slice(index + 1 - count, index + 1);
        }
      }
      const { clusters } = folder;
      if (clusters === null) {
        throw new FileSystemError('full');
      }
      const longer = this.#volume.resizeChain(clusters, clusters.length + 1, null);
      const added = longer.at(-1) ?? 2;
      this.#volume.put(this.#volume.clusterAt(added), new Uint8Array(this.#volume.layout.clusterSize));
      folder.clusters = longer;
    }
  }

  #freeSlots({ slots }: FatEntry): void {
    for (const offset of slots) {
      this.#volume.put(offset, Uint8Array.of(unusedSlot));
    }
  }

  #setPlace({ slots }: FatEntry, { cluster, size }: Pick<FatEntry, 'cluster' | 'size'>): void {
    const at = slots.at(-1) ?? 0;
    const slot = this.#volume.slot(at).slice();
    setCluster(slot, cluster);
    viewOf(slot).setUint32(28, size, true);
    this.#volume.put(at, slot);
  }

  /**
   * Returns what makes the file system read-only: a change could destroy more of it.
   *
   * @param missing Bytes of the volume or its partition that are not there.
   */
  #findDamages(missing: number): FileSystemFinding[] {
    const { layout, bytes } = this.#volume;
    const { crossLinks, damagedFolders, brokenChains } = this.#check;
    const levelling = this.#levelling;
    const hasMoved = levelling !== null && (levelling.dummyAt > 0 || levelling.moveCount > 0);
    const findings: (FileSystemFinding | false)[] = [
      missing > 0 && makeFinding('image-shorter', missing),
      crossLinks > 0 && makeFinding('cross-linked', crossLinks),
      damagedFolders > 0 && makeFinding('folders-damaged', damagedFolders),
      (brokenChains > 0 || !this.#volume.hasSoundTables()) && makeFinding('table-damaged', brokenChains),
      levelling?.state === 'half' && makeFinding('levelling-damaged'),
      levelling?.state === 'lost' && makeFinding('levelling-lost'),
      levelling !== null &&
        levelling.length !== this.image.length &&
        hasMoved &&
        makeFinding('levelling-elsewhere', levelling.length),
      levelling !== null && isUnfinishedSafeWrite(bytes, layout.size) && makeFinding('levelling-unfinished'),
    ];
    return findings.filter((finding) => finding !== false);
  }

  #findUnusual(length: number): FileSystemFinding[] {
    const all = allEntries(this.#root);
    const files = all.filter(({ isFolder, fault }) => !isFolder && fault !== null).length;
    const locked = all.filter(({ attributes }) => (attributes & attribute.readOnly) !== 0).length;
    const hidden = all.filter(({ name }) => !isUsableName(name)).length;
    const own = this.#levelling?.length ?? length;
    const findings: (FileSystemFinding | false)[] = [
      own < length && !this.#isReadOnly && makeFinding('levelling-shorter', own),
      files > 0 && makeFinding('files-damaged', files),
      hidden > 0 && makeFinding('names-unusable', hidden),
      locked > 0 && makeFinding('read-only-files', locked),
    ];
    return findings.filter((finding) => finding !== false);
  }
}

interface FoundVolume {
  readonly levelling: WearLevelling | null;
  readonly layout: FatLayout;
  /** The volume, in its order. */
  readonly bytes: Uint8Array;
}

/**
 * Finds the volume of a partition.
 *
 * @throws FileSystemError with `no-file-system`, or `levelling-lost` for a volume whose sectors have an unknown order.
 */
function findVolume(image: Uint8Array): FoundVolume {
  const known = findWearLevelling(image);
  const plain = readBootSector(image);
  // The library puts a new state behind a volume that begins in the second sector.
  const levelling = known ?? (plain === null ? newLevelling(image.length) : null);
  if (levelling !== null) {
    const bytes = readLevelled(image, levelling);
    const layout = readBootSector(bytes);
    if (layout !== null) {
      return { levelling, layout, bytes };
    }
  }
  if (plain === null) {
    throw new FileSystemError('no-file-system');
  }
  if (known === null && hasLostLevelling(image)) {
    throw new FileSystemError('levelling-lost');
  }
  return { levelling: null, layout: plain, bytes: image };
}
