/**
 * Time limits of each step in milliseconds, after which the board counts as silent. The time on the wire is added. If
 * a step erases, programs or waits for the flash chip, so is the longest flash time (`flash-times.ts`).
 */

export const deadlines = {
  /** One of many tries. */
  sync: 100,
  register: 1_000,
  securityInfo: 1_000,
  loadMemory: 2_000,
  /** From the last byte of the stub to its greeting. */
  stubStart: 1_000,
  changeBaudRate: 1_000,
  spi: 3_000,
  /** For the ROM the erase time is added, because it erases before it answers. */
  flashBegin: 3_000,
  /**
   * Flash time is added: for the ROM that of this block, for the stub that of the previous block, because it answers
   * first.
   */
  flashData: 3_000,
  /** `hashByte` is added for each byte. */
  hash: 3_000,
  read: 3_000,
  /** The erase time is added. */
  eraseRegion: 3_000,
  /** The erase time is added. */
  eraseAll: 3_000,
} as const;

/** Longest time to hash a byte of flash, in milliseconds: 8 s for a megabyte (esptool, `MD5_TIMEOUT_PER_MB`). */
export const hashByte = 0.008;
