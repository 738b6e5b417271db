/**
 * Finds which addresses of a table a device has: reads blocks, and halves those that it refuses down to single
 * addresses (exception 2, MODBUS Application Protocol Specification V1.1b3, section 7).
 */
import { MAX_BLOCK, type Range } from './search-plan.ts';

/** Result of reading a block. */
export type BlockAnswer =
  | 'read'
  /** Some address of it is not there, or it is too long. */
  | 'refused'
  /** The device has no such table. */
  | 'no-table'
  /** No answer. */
  | 'silent';

/** Tables of Modbus devices. */
export type RegisterTable = 'holding' | 'input' | 'coil' | 'discrete';

export interface FoundTable {
  readonly table: RegisterTable;
  /** Addresses that were read, in order; neighbours are joined. */
  readonly ranges: readonly Range[];
}

/** Tables with the functions that read them, in the order in which they are looked for. */
export const tableFunctions = [
  ['holding', 3],
  ['input', 4],
  ['coil', 1],
  ['discrete', 2],
] as const satisfies readonly (readonly [RegisterTable, number])[];

/**
 * Returns the ranges that can be read.
 *
 * @param read Reads `count` values from `address` on.
 * @returns null if the device does not answer.
 */
export async function findRanges(
  wanted: Range,
  read: (address: number, count: number) => Promise<BlockAnswer>,
): Promise<readonly Range[] | null> {
  const ranges: { from: number; to: number }[] = [];
  /** Blocks that are still to be read, the next one last. */
  const waiting: Range[] = [];
  for (let from = wanted.from; from <= wanted.to; from += MAX_BLOCK) {
    waiting.unshift({ from, to: Math.min(wanted.to, from + MAX_BLOCK - 1) });
  }
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const { from, to } = block;
    const answer = await read(from, to - from + 1);
    if (answer === 'silent') {
      return null;
    }
    if (answer === 'no-table') {
      break;
    }
    if (answer === 'read') {
      const last = ranges.at(-1);
      if (last !== undefined && last.to + 1 === from) {
        last.to = to;
      } else {
        ranges.push({ from, to });
      }
    } else if (from < to) {
      const half = from + Math.floor((to - from + 1) / 2);
      waiting.push({ from: half, to }, { from, to: half - 1 });
    }
  }
  return ranges;
}
