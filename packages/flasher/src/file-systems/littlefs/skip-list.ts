/**
 * CTZ skip lists: the blocks of a LittleFS file that does not fit into metadata (littlefs DESIGN.md, "CTZ skip-lists").
 * Block n points to the blocks n - 2^x for each x with n divisible by 2^x, and its data follow the pointers.
 */
import { viewOf } from '../../core/bytes.ts';

/** Returns the number of pointers in block `index` of a list. */
function pointerCount(index: number): number {
  // Isolates the lowest set bit: its position is the number of trailing zeros.
  return index === 0 ? 0 : 32 - Math.clz32(index & -index);
}

export function dataPerBlock(index: number, blockSize: number): number {
  return blockSize - 4 * pointerCount(index);
}

/**
 * Returns the number of blocks of a file (littlefs DESIGN.md, "CTZ skip-lists": the formula for index and offset, applied
 * to the last byte).
 *
 * @param size In bytes.
 */
export function blocksFor(size: number, blockSize: number): number {
  if (size === 0) {
    return 0;
  }
  // On average, a block holds two pointers.
  const average = blockSize - 8;
  const last = size - 1;
  const estimate = Math.floor(last / average);
  return estimate === 0 ? 1 : Math.floor((last - 4 * (onesOf(estimate - 1) + 2)) / average) + 1;
}

function onesOf(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) {
    count++;
  }
  return count;
}

/** The blocks of an image by number. */
export interface Blocks {
  readonly size: number;
  /** Number of whole blocks that the image holds. */
  readonly count: number;
  /** @param index Below `count`. */
  get(index: number): Uint8Array;
}

/**
 * Follows the list from its head to its first block.
 *
 * @param head Last block of the file.
 * @param length Size of the file in bytes.
 * @returns Addresses of the blocks in the order of the file; null if the length or an address is impossible. An address may
 *   occur twice in a damaged list.
 */
export function followSkipList(blocks: Blocks, head: number, length: number): number[] | null {
  const count = blocksFor(length, blocks.size);
  if (count > blocks.count) {
    return null;
  }
  const addresses: number[] = new Array(count);
  let address = head;
  for (let index = count - 1; index >= 0; index--) {
    if (address >= blocks.count) {
      return null;
    }
    addresses[index] = address;
    // The first pointer leads to the block in front.
    address = index === 0 ? address : viewOf(blocks.get(address)).getUint32(0, true);
  }
  return addresses;
}

/** Returns the contents of a file whose blocks are known. */
export function readSkipList(blocks: Blocks, addresses: readonly number[], length: number): Uint8Array {
  const content = new Uint8Array(length);
  let at = 0;
  for (const [index, address] of addresses.entries()) {
    const from = 4 * pointerCount(index);
    const taken = Math.min(blocks.size - from, length - at);
    content.set(blocks.get(address).subarray(from, from + taken), at);
    at += taken;
  }
  return content;
}

/**
 * Returns block `index` of a list.
 *
 * @param addresses Blocks of the list up to and without this one.
 * @param data Not longer than `dataPerBlock`.
 */
export function makeListBlock(addresses: readonly number[], data: Uint8Array, blockSize: number): Uint8Array {
  const block = new Uint8Array(blockSize).fill(0xff);
  const index = addresses.length;
  for (let skip = 0; skip < pointerCount(index); skip++) {
    viewOf(block).setUint32(4 * skip, addresses[index - 2 ** skip] ?? 0, true);
  }
  block.set(data, 4 * pointerCount(index));
  return block;
}
