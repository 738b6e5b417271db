/**
 * How long each step may take before the board counts as silent, in milliseconds. The time on the wire comes on top. The long
 * ones are the maxima of data sheets, section "Flash memory characteristics", by how much a step erases or programs: DS8626 (STM32F405:
 * sector of 128 KB 4 s, all of 1 MB 32 s), DS10916 (STM32F746: sector of 256 KB 8 s), DS12110 (STM32H743: sector of 128 KB 4 s, bank of 1 MB
 * 26 s), DS5319 (STM32F103: page 40 ms), DS10152 (STM32L053: word 3.94 ms).
 */
export const deadlines = {
  /** One try of many: a bootloader that has measured the rate answers within the byte. */
  sync: 120,
  /** To a command, an address or a length. */
  acknowledge: 1_000,
  /** From the last acknowledgement to the first byte. */
  read: 1_000,
  /** Plus the time for the bytes (`writeLimit`). */
  write: 1_000,
  /** One sector, at least (`eraseLimit`). */
  erase: 5_000,
  /** Each further one of a command. Sectors of more than 8 KiB are erased one a command. */
  eraseMore: 100,
  /** Everything, at least (`eraseAllLimit`). */
  eraseAll: 35_000,
  /** Removing write protection, which writes option bytes. */
  unprotect: 35_000,
  checksum: 5_000,
  /** One control transfer on USB. */
  transfer: 2_000,
} as const;

/** What a bootloader needs besides its flash, in milliseconds. */
const MARGIN = 1_000;
/** Sectors of 128 and 256 KB need as long a byte: 4 s and 8 s. */
const ERASE_BYTE = 4_000 / (128 * 1_024);
/** A word of 4 bytes takes up to 3.94 ms. */
const WRITE_BYTE = 1;
/** Bytes of flash of the usual large part, and of the largest one, which counts for a part that does not tell. */
const USUAL_FLASH = 1_024 * 1_024;
const LARGEST_FLASH = 2 * USUAL_FLASH;

/** Deadline of one erase command, in milliseconds. @param lengths Bytes of each sector; at least one. */
export function eraseLimit(lengths: readonly number[]): number {
  const longest = Math.max(...lengths);
  return Math.max(deadlines.erase, MARGIN + longest * ERASE_BYTE) + deadlines.eraseMore * (lengths.length - 1);
}

/** Deadline of an erase of everything, in milliseconds. @param size Bytes of flash; 0 when the part does not tell. */
export function eraseAllLimit(size: number = USUAL_FLASH): number {
  return Math.max(deadlines.eraseAll, 3 * MARGIN + (size === 0 ? LARGEST_FLASH : size) * ERASE_BYTE);
}

/** Deadline of one write command, in milliseconds. @param length Bytes of the block. */
export function writeLimit(length: number): number {
  return deadlines.write + length * WRITE_BYTE;
}
