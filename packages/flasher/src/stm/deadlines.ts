/**
 * Time limits of each step in milliseconds, after which the board counts as silent. The time on the wire is added.
 * The long ones are the maxima of data sheets, section "Flash memory characteristics", scaled by the bytes that a
 * step erases or programs:
 *
 * - DS8626 (STM32F405): sector of 128 KB 4 s, all of 1 MB 32 s.
 * - DS10916 (STM32F746): sector of 256 KB 8 s.
 * - DS12110 (STM32H743): sector of 128 KB 4 s, bank of 1 MB 26 s.
 * - DS5319 (STM32F103): page 40 ms.
 * - DS10152 (STM32L053): word 3.94 ms.
 */
export const deadlines = {
  /** One of many tries. A bootloader that has measured the rate answers within the time of a byte. */
  sync: 120,
  /** Acknowledgement of a command, an address or a length. */
  acknowledge: 1_000,
  /** From the last acknowledgement to the first byte. */
  read: 1_000,
  /** The time for the bytes is added (`writeLimit`). */
  write: 1_000,
  /** Least limit for one sector (`eraseLimit`). */
  erase: 5_000,
  /** For each further sector of a command. Sectors above 8 KiB get their own command. */
  eraseMore: 100,
  /** Least limit for the whole flash (`eraseAllLimit`). */
  eraseAll: 35_000,
  /** Removing write protection, which writes option bytes. */
  unprotect: 35_000,
  checksum: 5_000,
  /** One control transfer on USB. */
  transfer: 2_000,
} as const;

/** Time of a bootloader besides its flash, in milliseconds. */
const MARGIN = 1_000;
/** Milliseconds per byte of an erase. Sectors of 128 and 256 KB have the same rate: 4 s and 8 s. */
const ERASE_BYTE = 4_000 / (128 * 1_024);
/** Milliseconds per byte of a write. A word of 4 bytes takes up to 3.94 ms. */
const WRITE_BYTE = 1;
/** Bytes of flash of a typical large part, and of the largest one, which is assumed if the size is unknown. */
const USUAL_FLASH = 1_024 * 1_024;
const LARGEST_FLASH = 2 * USUAL_FLASH;

/**
 * Returns the time limit of one erase command in milliseconds.
 *
 * @param lengths Bytes of each sector; at least one.
 */
export function eraseLimit(lengths: readonly number[]): number {
  const longest = Math.max(...lengths);
  return Math.max(deadlines.erase, MARGIN + longest * ERASE_BYTE) + deadlines.eraseMore * (lengths.length - 1);
}

/**
 * Returns the time limit of erasing the whole flash, in milliseconds.
 *
 * @param size Bytes of flash; 0 if unknown.
 */
export function eraseAllLimit(size: number = USUAL_FLASH): number {
  return Math.max(deadlines.eraseAll, 3 * MARGIN + (size === 0 ? LARGEST_FLASH : size) * ERASE_BYTE);
}

/**
 * Returns the time limit of one write command in milliseconds.
 *
 * @param length Bytes of the block.
 */
export function writeLimit(length: number): number {
  return deadlines.write + length * WRITE_BYTE;
}
