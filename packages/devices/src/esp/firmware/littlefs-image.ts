/**
 * Builds a littlefs image (littlefs, "SPEC.md", on-disk version 2.1) in the state after one write: every directory
 * is one metadata pair with one commit, and no block has been moved.
 */
import { joined, words32 } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';

/** A file, or a directory with its entries by name. */
export type LittlefsEntry = Uint8Array | { readonly [name: string]: LittlefsEntry };
type Directory = Exclude<LittlefsEntry, Uint8Array>;

export interface LittlefsOptions {
  /** Size of the image in bytes, a multiple of the block size. */
  readonly size: number;
  /** Bytes. Default 4096, a sector of flash. */
  readonly blockSize?: number;
  /** Commits end at multiples of this number of bytes. Default 128, that of ESP-IDF's component. */
  readonly programSize?: number;
}

/** Tag types (SPEC.md, "Metadata types"). */
const types = {
  file: 0x001,
  directory: 0x002,
  superblock: 0x0ff,
  directoryStruct: 0x200,
  inlineStruct: 0x201,
  ctzStruct: 0x202,
  create: 0x401,
  crc: 0x500,
  softTail: 0x600,
} as const;
const diskVersion = 0x00020001;
const nameMax = 255;
const fileMax = 0x7fffffff;
const attributeMax = 1_022;
/** Id of a tag that belongs to no file. */
const noFile = 0x3ff;
/** Largest file in a metadata block, in bytes. The library's default is an eighth of a block, at most its cache. */
const inlineMax = 512;

interface Tag {
  readonly type: number;
  readonly id: number;
  readonly data: Uint8Array;
}

/** A directory with the pair of blocks that holds it. */
interface Placed {
  readonly pair: readonly [number, number];
  readonly tags: Tag[];
}

/**
 * @param root Entries of the root directory.
 * @throws RangeError if the files do not fit.
 */
export function littlefsImage(root: Directory, options: LittlefsOptions): Uint8Array<ArrayBuffer> {
  return new Builder(options).build(root);
}

class Builder {
  readonly #blockSize: number;
  readonly #programSize: number;
  readonly #image: Uint8Array<ArrayBuffer>;
  readonly #directories: Placed[] = [];
  #nextBlock = 0;

  constructor({ size, blockSize = 4_096, programSize = 128 }: LittlefsOptions) {
    this.#blockSize = blockSize;
    this.#programSize = programSize;
    this.#image = new Uint8Array(size).fill(0xff);
  }

  build(root: Directory): Uint8Array<ArrayBuffer> {
    const blockCount = this.#image.length / this.#blockSize;
    const superblock = words32(diskVersion, this.#blockSize, blockCount, nameMax, fileMax, attributeMax);
    this.#placeDirectory(root, [
      { type: types.create, id: 0, data: new Uint8Array() },
      { type: types.superblock, id: 0, data: new TextEncoder().encode('littlefs') },
      { type: types.inlineStruct, id: 0, data: superblock },
    ]);
    // A list through all directories, which the library walks to find the used blocks.
    for (const [index, { pair, tags }] of this.#directories.entries()) {
      const next = this.#directories[index + 1];
      const tail = next === undefined ? [] : [{ type: types.softTail, id: noFile, data: words32(...next.pair) }];
      this.#write(pair[0], this.#commit([...tags, ...tail]));
    }
    return this.#image;
  }

  /** Reserves the directory's pair and writes its files. `first`: the tags before those of its entries. */
  #placeDirectory(entries: Directory, first: readonly Tag[] = []): readonly [number, number] {
    const pair = [this.#allocate(), this.#allocate()] as const;
    const tags = [...first];
    this.#directories.push({ pair, tags });
    const start = first.length === 0 ? 0 : 1;
    for (const [index, name] of Object.keys(entries).sort(byBytes).entries()) {
      const entry = entries[name] ?? new Uint8Array();
      const id = start + index;
      const type = entry instanceof Uint8Array ? types.file : types.directory;
      tags.push({ type: types.create, id, data: new Uint8Array() });
      tags.push({ type, id, data: new TextEncoder().encode(name) });
      tags.push(this.#structOf(entry, id));
    }
    return pair;
  }

  #structOf(entry: LittlefsEntry, id: number): Tag {
    if (!(entry instanceof Uint8Array)) {
      return { type: types.directoryStruct, id, data: words32(...this.#placeDirectory(entry)) };
    }
    if (entry.length <= Math.min(inlineMax, this.#blockSize / 8)) {
      return { type: types.inlineStruct, id, data: entry };
    }
    return { type: types.ctzStruct, id, data: words32(this.#placeFile(entry), entry.length) };
  }

  /**
   * Writes a file as a list of blocks in reverse (DESIGN.md, "CTZ skip-lists"). Block n begins with pointers to the
   * blocks n − 1, n − 2, n − 4 … as far as the power of two divides n. Returns the last block.
   */
  #placeFile(data: Uint8Array): number {
    const blocks: number[] = [];
    for (let at = 0; at < data.length; ) {
      const index = blocks.length;
      const pointers: number[] = [];
      for (let step = 1; index > 0 && index % step === 0 && step <= index; step *= 2) {
        pointers.push(blocks[index - step] ?? 0);
      }
      const part = data.subarray(at, at + this.#blockSize - pointers.length * 4);
      const block = this.#allocate();
      this.#write(block, joined(words32(...pointers), part));
      blocks.push(block);
      at += part.length;
    }
    return blocks.at(-1) ?? 0;
  }

  /**
   * Returns a metadata block: revision, tags in big-endian order, each combined with the one before, and a CRC whose
   * tag covers the rest of the last programmed unit.
   */
  #commit(tags: readonly Tag[]): Uint8Array {
    const parts: Uint8Array[] = [words32(1)];
    let before = 0xffffffff;
    const add = (type: number, id: number, length: number) => {
      const tag = ((type << 20) | (id << 10) | length) >>> 0;
      parts.push(words32(tag ^ before).reverse());
      before = tag;
    };
    for (const { type, id, data } of tags) {
      add(type, id, data.length);
      parts.push(data);
    }
    const used = parts.reduce((total, part) => total + part.length, 0);
    const end = Math.ceil((used + 8) / this.#programSize) * this.#programSize;
    if (end > this.#blockSize) {
      throw new RangeError('A directory does not fit into a block.');
    }
    add(types.crc, noFile, end - used - 4);
    // littlefs leaves out the final inversion of this CRC.
    parts.push(words32(~crc32(joined(...parts))));
    return joined(...parts);
  }

  #allocate(): number {
    const block = this.#nextBlock;
    this.#nextBlock += 1;
    if (this.#nextBlock * this.#blockSize > this.#image.length) {
      throw new RangeError('The files do not fit into the image.');
    }
    return block;
  }

  #write(block: number, data: Uint8Array): void {
    this.#image.set(data, block * this.#blockSize);
  }
}

/** Orders names by their bytes, as littlefs does. Names are ASCII. */
function byBytes(one: string, other: string): number {
  return one < other ? -1 : 1;
}
