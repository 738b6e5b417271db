/**
 * UF2 with gaps, as `esptool merge-bin --format uf2` writes it: blocks of 512 bytes with up to 452 bytes of data and
 * their MD5. Blocks are numbered for each part by itself (UF2 specification, "MD5 checksum").
 */
import { viewOf } from '../../core/bytes.ts';
import { md5Bytes } from '../../core/md5.ts';
import { type MergePart, sortedParts } from './merge-raw.ts';

const BLOCK = 512;
const HEADER = 32;
/** Room for data in front of its MD5. */
const CHUNK = 452;
const FIRST_MAGIC = 0x0a32_4655;
const SECOND_MAGIC = 0x9e5d_5157;
const LAST_MAGIC = 0x0ab1_6f30;
/** Family id present, and MD5 present. */
const FLAGS = 0x2000 | 0x4000;

/** @param family Family id of the chip. */
export function mergeUf2(parts: readonly MergePart[], family: number): Uint8Array {
  const sorted = sortedParts(parts);
  const count = ({ bytes }: MergePart) => Math.ceil(bytes.length / CHUNK);
  const file = new Uint8Array(sorted.reduce((sum, part) => sum + count(part), 0) * BLOCK);
  let at = 0;
  for (const part of sorted) {
    const blocks = count(part);
    for (let index = 0; index < blocks; index++) {
      const data = part.bytes.subarray(index * CHUNK, (index + 1) * CHUNK);
      writeBlock(file.subarray(at, at + BLOCK), part.offset + index * CHUNK, data, [index, blocks, family]);
      at += BLOCK;
    }
  }
  return file;
}

function writeBlock(
  block: Uint8Array,
  address: number,
  data: Uint8Array,
  [index, blocks, family]: readonly [number, number, number],
): void {
  const view = viewOf(block);
  const words = [FIRST_MAGIC, SECOND_MAGIC, FLAGS, address, data.length, index, blocks, family];
  words.forEach((word, position) => {
    view.setUint32(position * 4, word, true);
  });
  block.set(data, HEADER);
  const end = HEADER + data.length;
  view.setUint32(end, address, true);
  view.setUint32(end + 4, data.length, true);
  block.set(md5Bytes(data), end + 8);
  view.setUint32(BLOCK - 4, LAST_MAGIC, true);
}
