/** Bytes of a FAT volume: its table of clusters and the slots of its folders. Changes can be taken back as a whole. */
import { isSame, viewOf } from '../../core/bytes.ts';
import { sectorSize } from '../../core/region.ts';
import { FileSystemError } from '../file-system-error.ts';
import { type FatLayout, slotLength } from './boot-sector.ts';

/** Highest four bits of an entry of FAT32 are reserved. */
const mask32 = 0x0fff_ffff;

export class FatVolume {
  readonly layout: FatLayout;
  readonly bytes: Uint8Array;
  /** 4 KiB pages as they were before the running change. */
  readonly #before = new Map<number, Uint8Array>();

  /** @param bytes Changed in place. */
  constructor(bytes: Uint8Array, layout: FatLayout) {
    this.bytes = bytes;
    this.layout = layout;
  }

  /** Writes bytes, and keeps the old ones until `settle`. */
  put(offset: number, bytes: Uint8Array): void {
    for (let page = Math.floor(offset / sectorSize); page * sectorSize < offset + bytes.length; page++) {
      if (!this.#before.has(page)) {
        this.#before.set(page, this.bytes.slice(page * sectorSize, (page + 1) * sectorSize));
      }
    }
    this.bytes.set(bytes, offset);
  }

  /**
   * Ends a change.
   *
   * @param isKept False: puts the old bytes back.
   * @returns Offsets of the pages that were written.
   */
  settle(isKept: boolean): number[] {
    const pages = [...this.#before];
    this.#before.clear();
    if (!isKept) {
      for (const [page, bytes] of pages) {
        this.bytes.set(bytes, page * sectorSize);
      }
    }
    return pages.map(([page]) => page * sectorSize);
  }

  clusterAt(cluster: number): number {
    return this.layout.dataAt + (cluster - 2) * this.layout.clusterSize;
  }

  isCluster(cluster: number): boolean {
    return cluster >= 2 && cluster < this.layout.clusterCount + 2;
  }

  /** Returns the table's entry of a cluster: 0 for a free one, the next cluster, or a mark for the last one of a chain. */
  next(cluster: number): number {
    const { bits, tableAt, tableSize, activeTable } = this.layout;
    const at = tableAt + (activeTable ?? 0) * tableSize;
    const view = viewOf(this.bytes);
    if (bits === 12) {
      const pair = view.getUint16(at + cluster + (cluster >> 1), true);
      return (cluster & 1) === 0 ? pair & 0xfff : pair >> 4;
    }
    return bits === 16 ? view.getUint16(at + cluster * 2, true) : view.getUint32(at + cluster * 4, true) & mask32;
  }

  /** @param next 0 frees the cluster; null ends a chain with it. */
  setNext(cluster: number, next: number | null): void {
    const { bits, tableAt, tableSize, tableCount, activeTable } = this.layout;
    const value = next ?? (bits === 12 ? 0xfff : bits === 16 ? 0xffff : mask32);
    for (let copy = 0; copy < tableCount; copy++) {
      if (activeTable !== null && copy !== activeTable) {
        continue;
      }
      const at = tableAt + copy * tableSize;
      const entry = new Uint8Array(bits === 32 ? 4 : 2);
      const view = viewOf(entry);
      if (bits === 12) {
        const offset = at + cluster + (cluster >> 1);
        const pair = viewOf(this.bytes).getUint16(offset, true);
        view.setUint16(0, (cluster & 1) === 0 ? (pair & 0xf000) | value : (pair & 0xf) | (value << 4), true);
        this.put(offset, entry);
      } else if (bits === 16) {
        view.setUint16(0, value, true);
        this.put(at + cluster * 2, entry);
      } else {
        const reserved = viewOf(this.bytes).getUint32(at + cluster * 4, true) & ~mask32;
        view.setUint32(0, (reserved | value) >>> 0, true);
        this.put(at + cluster * 4, entry);
      }
    }
  }

  /** Returns the clusters of a chain; null if it leads out of the volume, into a free cluster or into a circle. */
  chain(first: number): number[] | null {
    const clusters: number[] = [];
    const end = this.layout.bits === 12 ? 0xff8 : this.layout.bits === 16 ? 0xfff8 : 0x0fff_fff8;
    let cluster = first;
    while (cluster < end) {
      if (!this.isCluster(cluster) || clusters.length > this.layout.clusterCount) {
        return null;
      }
      clusters.push(cluster);
      cluster = this.next(cluster);
    }
    return clusters;
  }

  /**
   * Returns a chain of `count` clusters, which keeps the first ones of `old`.
   *
   * @throws FileSystemError with `full`.
   */
  resizeChain(old: readonly number[], count: number, path: string | null): number[] {
    const kept = old.slice(0, count);
    const added: number[] = [];
    for (let cluster = 2; added.length < count - kept.length; cluster++) {
      if (!this.isCluster(cluster)) {
        throw new FileSystemError('full', path);
      }
      if (this.next(cluster) === 0) {
        added.push(cluster);
      }
    }
    for (const cluster of old.slice(count)) {
      this.setNext(cluster, 0);
    }
    const clusters = [...kept, ...added];
    const from = added.length > 0 || kept.length < old.length ? Math.max(0, kept.length - 1) : clusters.length;
    for (let index = from; index < clusters.length; index++) {
      this.setNext(clusters[index] ?? 0, clusters[index + 1] ?? null);
    }
    return clusters;
  }

  /** Returns true if the copies of the table are equal, and begin with the kind of medium of the first sector. */
  hasSoundTables(): boolean {
    const { bits, clusterCount, tableAt, tableSize, tableCount, activeTable, mediaType } = this.layout;
    const first = tableAt + (activeTable ?? 0) * tableSize;
    const length = Math.ceil(((clusterCount + 2) * bits) / 8);
    const table = this.bytes.subarray(first, first + length);
    const others = activeTable === null ? tableCount : 1;
    const isSameIn = (copy: number) => {
      const at = tableAt + copy * tableSize;
      return isSame(table, this.bytes.subarray(at, at + length));
    };
    return table[0] === mediaType && Array.from({ length: others - 1 }, (_, copy) => copy + 1).every(isSameIn);
  }

  freeCount(): number {
    let free = 0;
    for (let cluster = 2; this.isCluster(cluster); cluster++) {
      free += this.next(cluster) === 0 ? 1 : 0;
    }
    return free;
  }

  /** Returns the offsets of all slots of a folder. @param clusters Null for the root folder of FAT12 and FAT16. */
  slotsOf(clusters: readonly number[] | null): number[] {
    const { root, clusterSize } = this.layout;
    const areas =
      clusters === null
        ? root === null
          ? []
          : [root]
        : clusters.map((cluster) => ({ at: this.clusterAt(cluster), size: clusterSize }));
    return areas.flatMap(({ at, size }) =>
      Array.from({ length: size / slotLength }, (_, index) => at + index * slotLength),
    );
  }

  slot(offset: number): Uint8Array {
    return this.bytes.subarray(offset, offset + slotLength);
  }

  /** Updates the count of free clusters of FAT32 where it is kept (signatures at 0, 484 and 508). */
  countFree(): void {
    const at = this.layout.infoAt;
    if (at === null || viewOf(this.bytes).getUint32(at, true) !== 0x4161_5252) {
      return;
    }
    const counts = new Uint8Array(8);
    viewOf(counts).setUint32(0, this.freeCount(), true);
    viewOf(counts).setUint32(4, 0xffff_ffff, true);
    this.put(at + 488, counts);
  }
}
