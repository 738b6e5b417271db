/**
 * A mounted FAT16 volume with a partition table in front, as an operating system sees the drive: it keeps the tables in
 * memory, so that its view of the drive stays when the drive forgets everything that is written.
 */
import { type DriveBlocks, sectorBytes } from './drive-blocks.ts';

export interface VolumeFile {
  /** Name and extension, in upper case. */
  readonly name: string;
  readonly size: number;
  readonly cluster: number;
  readonly modified: Date;
}

interface Layout {
  /** First sector of each part. */
  readonly fat: number;
  readonly root: number;
  readonly data: number;
  readonly sectorsPerFat: number;
  readonly sectorsPerCluster: number;
  readonly rootEntries: number;
  readonly clusters: number;
}

const entrySize = 32;
const attribute = { volume: 0x08, directory: 0x10 } as const;
const lastCluster = 0xffff;

export class FatVolume {
  readonly label: string;
  readonly #blocks: DriveBlocks;
  readonly #layout: Layout;
  readonly #fat: Uint16Array;
  readonly #root: Uint8Array<ArrayBuffer>;

  private constructor(blocks: DriveBlocks, layout: Layout, fat: Uint16Array, root: Uint8Array<ArrayBuffer>) {
    this.#blocks = blocks;
    this.#layout = layout;
    this.#fat = fat;
    this.#root = root;
    const label = this.#entries().find((entry) => ((entry[11] ?? 0) & attribute.volume) !== 0);
    this.label = label === undefined ? '' : text(label.subarray(0, 11)).trim();
  }

  /** Mounts the first partition. @throws DriveFailure if the drive leaves. @throws RangeError without FAT16. */
  static async mount(blocks: DriveBlocks): Promise<FatVolume> {
    const table = new DataView((await blocks.read(0, 1)).buffer);
    const start = table.getUint32(0x1c6, true);
    const boot = new DataView((await blocks.read(start, 1)).buffer);
    if (boot.getUint16(11, true) !== sectorBytes) {
      throw new RangeError('The drive has no FAT file system.');
    }
    const sectorsPerCluster = boot.getUint8(13);
    const fat = start + boot.getUint16(14, true);
    const sectorsPerFat = boot.getUint16(22, true);
    const rootEntries = boot.getUint16(17, true);
    const root = fat + boot.getUint8(16) * sectorsPerFat;
    const data = root + (rootEntries * entrySize) / sectorBytes;
    const clusters = Math.floor((start + boot.getUint32(32, true) - data) / sectorsPerCluster);
    const layout = { fat, root, data, sectorsPerFat, sectorsPerCluster, rootEntries, clusters };
    const table16 = await blocks.read(fat, sectorsPerFat);
    return new FatVolume(blocks, layout, new Uint16Array(table16.buffer), await blocks.read(root, data - root));
  }

  get clusterBytes(): number {
    return this.#layout.sectorsPerCluster * sectorBytes;
  }

  files(): VolumeFile[] {
    return this.#entries().flatMap((entry) => {
      const view = new DataView(entry.buffer, entry.byteOffset, entrySize);
      const kind = view.getUint8(11) & (attribute.volume | attribute.directory);
      const isFile = entry[0] !== 0 && entry[0] !== 0xe5 && kind === 0;
      return isFile
        ? {
            name: nameIn(entry),
            size: view.getUint32(28, true),
            cluster: view.getUint16(26, true),
            modified: dateOf(view.getUint16(24, true), view.getUint16(22, true)),
          }
        : [];
    });
  }

  /** @throws DriveFailure */
  async read({ cluster, size }: VolumeFile): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(Math.ceil(size / this.clusterBytes) * this.clusterBytes);
    let at = cluster;
    for (let done = 0; done < size; done += this.clusterBytes) {
      bytes.set(await this.#blocks.read(this.#sectorOf(at), this.#layout.sectorsPerCluster), done);
      at = this.#fat[at] ?? lastCluster;
    }
    return bytes.slice(0, size);
  }

  /** Bytes that fit beside what is there. */
  get free(): number {
    const used = this.#fat
      .subarray(2, this.#layout.clusters + 2)
      .reduce((sum, entry) => sum + (entry === 0 ? 0 : 1), 0);
    return (this.#layout.clusters - used) * this.clusterBytes;
  }

  /** Returns the first cluster of the first run that is free for a file of `size` bytes; null without one. */
  findRun(size: number): number | null {
    const wanted = Math.max(1, Math.ceil(size / this.clusterBytes));
    let run = 0;
    for (let cluster = 2; cluster < this.#layout.clusters + 2; cluster++) {
      run = this.#fat[cluster] === 0 ? run + 1 : 0;
      if (run === wanted) {
        return cluster - wanted + 1;
      }
    }
    return null;
  }

  /** Writes a cluster. A shorter one is filled with zeros. @throws DriveFailure */
  async writeCluster(cluster: number, data: Uint8Array): Promise<void> {
    const padded = new Uint8Array(Math.ceil(data.length / sectorBytes) * sectorBytes);
    padded.set(data);
    await this.#blocks.write(this.#sectorOf(cluster), padded);
  }

  /**
   * Enters a file of contiguous clusters into the tables, and writes them.
   * @throws DriveFailure
   */
  async enter(name: string, cluster: number, size: number): Promise<void> {
    const count = Math.max(1, Math.ceil(size / this.clusterBytes));
    for (let index = 0; index < count; index++) {
      this.#fat[cluster + index] = index === count - 1 ? lastCluster : cluster + index + 1;
    }
    const short = shortName(name);
    const entries = this.#entries();
    const place =
      entries.find((entry) => text(entry.subarray(0, 11)) === short) ??
      entries.find((entry) => entry[0] === 0 || entry[0] === 0xe5);
    if (place === undefined) {
      throw new RangeError('The directory is full.');
    }
    place.fill(0);
    place.set(new TextEncoder().encode(short));
    place[11] = 0x20;
    const view = new DataView(place.buffer, place.byteOffset, entrySize);
    view.setUint16(26, cluster, true);
    view.setUint32(28, size, true);
    await this.#blocks.write(this.#layout.root, this.#root.subarray(0, sectorBytes));
    const first = Math.floor((cluster * 2) / sectorBytes);
    const last = Math.floor(((cluster + count - 1) * 2) / sectorBytes);
    const table = new Uint8Array(this.#fat.buffer, first * sectorBytes, (last - first + 1) * sectorBytes);
    await this.#blocks.write(this.#layout.fat + first, table);
    await this.#blocks.write(this.#layout.fat + this.#layout.sectorsPerFat + first, table);
  }

  #sectorOf(cluster: number): number {
    return this.#layout.data + (cluster - 2) * this.#layout.sectorsPerCluster;
  }

  #entries(): Uint8Array<ArrayBuffer>[] {
    return Array.from({ length: this.#layout.rootEntries }, (_, index) =>
      this.#root.subarray(index * entrySize, (index + 1) * entrySize),
    );
  }
}

function text(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function nameIn(entry: Uint8Array): string {
  const name = text(entry.subarray(0, 8)).trimEnd();
  const extension = text(entry.subarray(8, 11)).trimEnd();
  return extension === '' ? name : `${name}.${extension}`;
}

/** Returns the 11 letters of a name: the first 8, and the first 3 behind the last dot. */
function shortName(name: string): string {
  const clean = name.toUpperCase().replace(/[^A-Z0-9_.-]/g, '_');
  const dot = clean.lastIndexOf('.');
  const [stem, extension] = dot < 0 ? [clean, ''] : [clean.slice(0, dot), clean.slice(dot + 1)];
  return stem.replaceAll('.', '_').slice(0, 8).padEnd(8) + extension.slice(0, 3).padEnd(3);
}

function dateOf(date: number, time: number): Date {
  return new Date(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}
