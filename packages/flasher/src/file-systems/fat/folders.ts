/** Folders of FAT as they are read: entries with their slots, and the slots of new entries. */
import { viewOf } from '../../core/bytes.ts';
import type { EntryFault } from '../file-system.ts';
import { slotLength } from './boot-sector.ts';
import { decodeShort, foldCase, isShortName, LongName, longNameAttributes, shortLength } from './names.ts';
import type { FatVolume } from './volume.ts';

export const attribute = { readOnly: 0x01, label: 0x08, folder: 0x10, archive: 0x20, unused: 0xc0 } as const;
export const unusedSlot = 0xe5;
/** 1 January 1980, as ESP-IDF's image generator writes it: an image depends on its files only. */
const firstDate = 0x21;

export interface FatEntry {
  readonly name: string;
  readonly short: Uint8Array;
  readonly isFolder: boolean;
  readonly attributes: number;
  /** First cluster; 0 for an empty file. */
  readonly cluster: number;
  readonly size: number;
  /** Offsets of its slots; the last one is that of the short name. */
  readonly slots: readonly number[];
  readonly fault: EntryFault | null;
  /** Null for files. */
  readonly contents: FatFolder | null;
}

export interface FatFolder {
  /** Null: the fixed root folder of FAT12 and FAT16. */
  clusters: number[] | null;
  entries: FatEntry[];
}

/** Returns a copy of the slot of a root folder that holds the volume's label; null without one. Long names have other attributes beside it. */
export function labelIn(root: Uint8Array): Uint8Array | null {
  for (let at = 0; at + slotLength <= root.length && root[at] !== 0; at += slotLength) {
    if (root[at] !== unusedSlot && ((root[at + 11] ?? 0) & 0x3f) === attribute.label) {
      return root.slice(at, at + slotLength);
    }
  }
  return null;
}

/** Reads all folders of a volume once, and counts what is damaged. */
export class FolderReader {
  readonly #volume: FatVolume;
  /** By cluster: 1 if a file or folder uses it. */
  readonly #owners: Int32Array;
  /** Entries with a cluster that another entry uses as well. */
  crossLinks = 0;
  damagedFolders = 0;
  /** Files whose chain of clusters leads out of the volume, into a free cluster or into a circle. */
  brokenChains = 0;

  constructor(volume: FatVolume) {
    this.#volume = volume;
    this.#owners = new Int32Array(volume.layout.clusterCount + 2);
  }

  /** Returns the root folder. */
  read(): FatFolder {
    const { layout } = this.#volume;
    const clusters = layout.root === null ? this.#volume.chain(layout.rootCluster) : null;
    if (layout.root === null && (clusters === null || !this.#own(clusters))) {
      this.damagedFolders++;
      return { clusters: [], entries: [] };
    }
    return this.#readFolder(clusters);
  }

  /** Marks the clusters as used. Returns false if one of them is used already. */
  #own(clusters: readonly number[]): boolean {
    const isFree = clusters.every((cluster) => this.#owners[cluster] === 0);
    for (const cluster of clusters) {
      this.#owners[cluster] = 1;
    }
    return isFree;
  }

  #readFolder(clusters: number[] | null): FatFolder {
    const entries: FatEntry[] = [];
    const long = new LongName();
    let slots: number[] = [];
    let isNamed = true;
    for (const offset of this.#volume.slotsOf(clusters)) {
      const slot = this.#volume.slot(offset);
      const [first = 0] = slot;
      const attributes = slot[11] ?? 0;
      if (first === 0) {
        break;
      }
      if (first === unusedSlot) {
        long.clear();
        slots = [];
      } else if ((attributes & 0x3f) === longNameAttributes) {
        if ((first & 0x40) !== 0) {
          slots = [];
        }
        slots.push(offset);
        long.add(slot);
      } else {
        const short = slot.slice(0, shortLength);
        const name = long.take(short);
        if (first !== 0x2e && (attributes & attribute.label) === 0) {
          isNamed &&= isShortName(short) && (attributes & attribute.unused) === 0;
          // Long slots that do not belong to this entry stay as they are.
          const own = name === null ? [offset] : [...slots, offset];
          entries.push(this.#readEntry(slot, name ?? decodeShort(short, slot[12] ?? 0), short, own));
        }
        slots = [];
      }
    }
    // Other bytes than those of a folder: what is in it cannot be trusted.
    this.damagedFolders += isNamed ? 0 : 1;
    return { clusters, entries };
  }

  #readEntry(slot: Uint8Array, name: string, short: Uint8Array, slots: readonly number[]): FatEntry {
    const view = viewOf(slot);
    const attributes = slot[11] ?? 0;
    const isFolder = (attributes & attribute.folder) !== 0;
    const high = this.#volume.layout.bits === 32 ? view.getUint16(20, true) : 0;
    const cluster = high * 0x1_0000 + view.getUint16(26, true);
    const size = view.getUint32(28, true);
    const clusters = cluster === 0 && !isFolder ? [] : this.#volume.chain(cluster);
    const isOwn = clusters !== null && this.#own(clusters);
    if (clusters !== null && !isOwn) {
      this.crossLinks++;
    }
    if (clusters === null && !isFolder) {
      this.brokenChains++;
    }
    const isLongEnough = isFolder || (clusters?.length ?? 0) * this.#volume.layout.clusterSize >= size;
    const isSound = isOwn && isLongEnough;
    if (isFolder && !isSound) {
      this.damagedFolders++;
    }
    const contents = isFolder ? (isSound ? this.#readFolder(clusters) : { clusters: [], entries: [] }) : null;
    return { name, short, isFolder, attributes, cluster, size, slots, fault: isSound ? null : 'damaged', contents };
  }
}

export function allEntries({ entries }: FatFolder): FatEntry[] {
  return entries.flatMap((entry) => [entry, ...(entry.contents === null ? [] : allEntries(entry.contents))]);
}

/** A file is also found by its short name. */
export function findEntry({ entries }: FatFolder, name: string): FatEntry | null {
  const wanted = foldCase(name);
  return (
    entries.find((entry) => foldCase(entry.name) === wanted) ??
    entries.find(({ short }) => foldCase(decodeShort(short, 0)) === wanted) ??
    null
  );
}

export function newSlot(attributes: number): Uint8Array {
  const slot = new Uint8Array(slotLength);
  const view = viewOf(slot);
  slot[11] = attributes;
  for (const at of [16, 18, 24]) {
    view.setUint16(at, firstDate, true);
  }
  return slot;
}

export function dotSlot(name: '.' | '..', cluster: number): Uint8Array {
  const slot = newSlot(attribute.folder);
  slot.fill(0x20, 0, shortLength);
  slot.fill(0x2e, 0, name.length);
  setCluster(slot, cluster);
  return slot;
}

export function setCluster(slot: Uint8Array, cluster: number): void {
  viewOf(slot).setUint16(20, cluster >>> 16, true);
  viewOf(slot).setUint16(26, cluster & 0xffff, true);
}
