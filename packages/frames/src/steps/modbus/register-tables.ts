/**
 * The four tables of a Modbus device and the functions on them (MODBUS Application Protocol Specification V1.1b3, section 6).
 * It needs nothing else, so that readers of values load no lengths and checksums.
 */
import type { RegisterTable } from '@wirebench/contract/decoders';

/** Most registers and bits that one request reads (6.1 to 6.4). */
export const MAX_REGISTERS = 125;
export const MAX_BITS = 2_000;

/** Highest unit that answers (MODBUS over Serial Line V1.02, section 2.2): 248 to 255 are reserved. */
export const MAX_UNIT = 247;

/** Function that reads a table, and most values of one request (6.1 to 6.4). */
export const reads = {
  coil: { code: 1, most: MAX_BITS },
  discrete: { code: 2, most: MAX_BITS },
  holding: { code: 3, most: MAX_REGISTERS },
  input: { code: 4, most: MAX_REGISTERS },
} as const satisfies Record<RegisterTable, { readonly code: number; readonly most: number }>;

/** Table that a function reads or writes. */
export const tables: ReadonlyMap<unknown, RegisterTable> = new Map([
  [1, 'coil'],
  [2, 'discrete'],
  [3, 'holding'],
  [4, 'input'],
  [5, 'coil'],
  [6, 'holding'],
  [15, 'coil'],
  [16, 'holding'],
  [22, 'holding'],
  [23, 'holding'],
]);

/** Reads a register or another number of two bytes, the high byte first (4.2). */
export const word = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
