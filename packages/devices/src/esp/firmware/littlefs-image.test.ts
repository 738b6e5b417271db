/** littlefs images, read by hand as SPEC.md describes them. The genuine library has mounted the same images. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { demoFiles } from './demo-content.ts';
import { type LittlefsEntry, littlefsImage } from './littlefs-image.ts';

interface Tag {
  readonly type: number;
  readonly id: number;
  readonly data: Uint8Array;
}

const words = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / 4 }, (_, index) =>
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(index * 4, true),
  );

/** Returns the tags of a metadata block up to its CRC, which it checks. */
function tagsOf(block: Uint8Array): Tag[] {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const tags: Tag[] = [];
  let before = 0xffffffff;
  for (let at = 4; ; ) {
    const tag = (view.getUint32(at) ^ before) >>> 0;
    expect(tag >>> 31).toBe(0);
    const [type, id, length] = [tag >>> 20, (tag >>> 10) & 0x3ff, tag & 0x3ff];
    if (type >> 1 === 0x500 >> 1) {
      expect(view.getUint32(at + 4, true)).toBe(~crc32(block.subarray(0, at + 4)) >>> 0);
      expect((at + 4 + length) % 16).toBe(0);
      // The next tag is invalid, because its place is erased.
      expect(((view.getUint32(at + 4 + length) ^ tag) >>> 31) ^ (type & 1)).toBe(1);
      return tags;
    }
    tags.push({ type, id, data: block.slice(at + 4, at + 4 + length) });
    before = tag;
    at += 4 + length;
  }
}

class Reader {
  readonly image: Uint8Array;
  readonly size: number;
  /** First blocks of all pairs, in the order of reading. */
  readonly pairs: number[] = [];

  constructor(image: Uint8Array, size: number) {
    this.image = image;
    this.size = size;
  }

  block(index: number): Uint8Array {
    return this.image.subarray(index * this.size, (index + 1) * this.size);
  }

  directory(pair: number): Record<string, LittlefsEntry> {
    this.pairs.push(pair);
    const tags = tagsOf(this.block(pair));
    const entries: Record<string, LittlefsEntry> = {};
    for (const { type, id, data } of tags) {
      if (type === 1 || type === 2) {
        const struct = tags.find((tag) => tag.id === id && tag.type >> 8 === 2);
        entries[new TextDecoder().decode(data)] = this.content(struct ?? { type: 0, id, data });
      }
    }
    return entries;
  }

  content({ type, data }: Tag): LittlefsEntry {
    if (type === 0x201) {
      return data;
    }
    const [first = 0, second = 0] = words(data);
    return type === 0x200 ? this.directory(first) : this.file(first, second);
  }

  /** Follows the list from its head to the first block; checks every pointer of every block. */
  file(head: number, size: number): Uint8Array {
    const starts: number[] = [];
    for (let at = 0; at < size; ) {
      starts.push(at);
      const index = starts.length - 1;
      at += this.size - (index === 0 ? 0 : (Math.log2(index & -index) + 1) * 4);
    }
    const blocks: number[] = [];
    for (let index = starts.length - 1, block = head; index >= 0; index--) {
      blocks[index] = block;
      block = words(this.block(block).subarray(0, 4))[0] ?? 0;
    }
    const bytes = new Uint8Array(size);
    for (const [index, start] of starts.entries()) {
      const pointers = index === 0 ? 0 : Math.log2(index & -index) + 1;
      const block = this.block(blocks[index] ?? 0);
      expect(words(block.subarray(0, pointers * 4))).toEqual(
        Array.from({ length: pointers }, (_, power) => blocks[index - 2 ** power]),
      );
      bytes.set(block.subarray(pointers * 4).subarray(0, size - start), start);
    }
    return bytes;
  }
}

const pattern = (length: number, factor: number) => Uint8Array.from({ length }, (_, index) => (index * factor) & 0xff);

describe('a littlefs image', () => {
  it.each([
    [4_096, 128],
    [512, 16],
  ])('holds all files in blocks of %i bytes', (blockSize, programSize) => {
    const root = {
      empty: new Uint8Array(),
      small: pattern(60, 3),
      large: pattern(100_000, 13),
      exact: pattern(blockSize, 5),
      inner: { deep: { leaf: pattern(600, 7) }, other: {} },
      Upper: pattern(5, 1),
    };
    const image = littlefsImage(root, { size: 0x40000, blockSize, programSize });
    expect(new Reader(image, blockSize).directory(0)).toEqual(root);
  });

  it('begins with the superblock and orders names by their bytes', () => {
    const image = littlefsImage({ b: pattern(1, 1), a: pattern(1, 1), B: pattern(1, 1) }, { size: 0x10000 });
    const tags = tagsOf(image.subarray(0, 4_096));
    expect(tags.slice(0, 3).map(({ type, id }) => [type, id])).toEqual([
      [0x401, 0],
      [0x0ff, 0],
      [0x201, 0],
    ]);
    expect(new TextDecoder().decode(image.subarray(12, 20))).toBe('littlefs');
    expect(words(tags[2]?.data ?? new Uint8Array())).toEqual([0x00020001, 4_096, 16, 255, 0x7fffffff, 1_022]);
    const names = tags.flatMap(({ type, data }) => (type === 1 ? [new TextDecoder().decode(data)] : []));
    expect(names).toEqual(['B', 'a', 'b']);
  });

  it('links every directory into one list', () => {
    const image = littlefsImage({ a: { b: {} }, c: {} }, { size: 0x10000 });
    const reader = new Reader(image, 4_096);
    reader.directory(0);
    const linked: number[] = [];
    for (let block: number | undefined = 0; block !== undefined; ) {
      linked.push(block);
      const tail: Tag | undefined = tagsOf(reader.block(block)).find(({ type }) => type === 0x600);
      block = tail === undefined ? undefined : words(tail.data)[0];
    }
    expect(linked).toEqual(reader.pairs);
  });

  it('refuses files beyond its size and a directory beyond its block', () => {
    expect(() => littlefsImage({ a: new Uint8Array(20_000) }, { size: 0x4000 })).toThrow(RangeError);
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`file-${index}`, pattern(200, 1)]));
    expect(() => littlefsImage(many, { size: 0x10000 })).toThrow(RangeError);
  });

  it('equals the image that littlefs 2 has mounted and written to, for the demo files', () => {
    const image = littlefsImage(demoFiles(), { size: 0x20000 });
    expect(new Reader(image, 4_096).directory(0)).toEqual(demoFiles());
    expect(createHash('sha256').update(image).digest('hex')).toBe(mountedImage);
  });
});

/** SHA-256 of the image that the genuine library mounted, listed, read and wrote a file to. */
const mountedImage = '76b2294b98a98dec5d8078a01943667b6c72b5709e73a311632f7860f7dbd8d8';
