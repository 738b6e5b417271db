/** Builds metadata blocks of LittleFS by hand from littlefs SPEC.md, without the code under test. */
import { crc32 } from '../../images/crc32.ts';

/** A tag with its type, id and data. A length other than that of the data can be given, such as 0x3FF to delete. */
export interface LogTag {
  readonly type: number;
  readonly id: number;
  readonly data?: Uint8Array;
  readonly length?: number;
}

/** Returns 32-bit little-endian words as bytes. */
export function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/**
 * Returns a block with these commits.
 *
 * @param padding Bytes behind the CRC of each commit, as for a larger program size.
 */
export function metadataBlock(
  blockSize: number,
  revision: number,
  commits: readonly (readonly LogTag[])[],
  padding = 0,
): Uint8Array {
  const block = new Uint8Array(blockSize).fill(0xff);
  const view = new DataView(block.buffer);
  view.setUint32(0, revision, true);
  let at = 4;
  let start = 0;
  let previous = 0xffffffff;
  const put = ({ type, id, data = new Uint8Array(), length = data.length }: LogTag) => {
    const tag = ((type << 20) | (id << 10) | length) >>> 0;
    view.setUint32(at, (tag ^ previous) >>> 0);
    block.set(data, at + 4);
    previous = tag;
    at += 4 + data.length;
  };
  for (const commit of commits) {
    for (const tag of commit) {
      put(tag);
    }
    const crcAt = at + 4;
    put({ type: 0x500, id: 0x3ff, data: new Uint8Array(4 + padding).fill(0xff) });
    view.setUint32(crcAt, ~crc32(block.subarray(start, crcAt)) >>> 0, true);
    start = at;
  }
  return block;
}

/** The two tags of the superblock entry. */
export function superblockTags(blockSize: number, blockCount: number, version = 0x20001): LogTag[] {
  return [
    { type: 0x0ff, id: 0, data: text('littlefs') },
    { type: 0x201, id: 0, data: words(version, blockSize, blockCount, 255, 0x7fffffff, 1022) },
  ];
}

/** Returns an erased image with these blocks. */
export function imageOf(
  blockSize: number,
  blockCount: number,
  blocks: Readonly<Record<number, Uint8Array>>,
): Uint8Array {
  const image = new Uint8Array(blockSize * blockCount).fill(0xff);
  for (const [index, block] of Object.entries(blocks)) {
    image.set(block, Number(index) * blockSize);
  }
  return image;
}
