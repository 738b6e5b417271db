/** Blocks of Zephyr's core dumps (`include/zephyr/debug/coredump.h`), and the text of its logging backend. */
import { joined, words } from './dump-files.ts';

/**
 * Makes a header.
 *
 * @param target `enum coredump_tgt_code`: 3 for Cortex-M, 4 for RISC-V.
 */
export const zephyrHeader = (target: number, reason: number, flags = 0): Uint8Array =>
  joined(Uint8Array.of(0x5a, 0x45, 2, 0, target, 0, 5, flags), words(reason));

/** Makes a block with an ARM processor's registers. */
export const armBlock = (version: number, registers: readonly number[]): Uint8Array =>
  joined(Uint8Array.of(0x41, version, 0, 4 * registers.length, 0), words(...registers));

export const memoryBlock = (address: number, bytes: Uint8Array): Uint8Array =>
  joined(Uint8Array.of(0x4d, 1, 0), words(address, address + bytes.length), bytes);

/**
 * Prints a dump with 32 bytes a line.
 *
 * @param prefix Prefix of the log for each line.
 */
export function printedZephyr(bytes: Uint8Array, prefix = '[00:00:00.010,000] <err> coredump: '): string {
  const digits = Buffer.from(bytes).toString('hex');
  const lines = digits.match(/.{1,64}/g) ?? [];
  return ['BEGIN#', ...lines, 'END#'].map((line) => `${prefix}#CD:${line}\n`).join('');
}
