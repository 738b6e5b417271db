/**
 * How long each step may take before the board counts as silent, in milliseconds. The time on the wire comes on top, and so does
 * what the flash chip needs at worst (`flash-times.ts`) where a step erases, programs or waits for it.
 */

export const deadlines = {
  /** One try of many. */
  sync: 100,
  register: 1_000,
  securityInfo: 1_000,
  loadMemory: 2_000,
  /** From the last byte of the stub to its greeting. */
  stubStart: 1_000,
  changeBaudRate: 1_000,
  spi: 3_000,
  /** Plus the erase for the ROM, which erases before it answers. */
  flashBegin: 3_000,
  /** Plus the flash time of the block for the ROM, and of the block before it for the stub, which answers first. */
  flashData: 3_000,
  /** Plus `hashByte`. */
  hash: 3_000,
  read: 3_000,
  /** Plus the erase. */
  eraseRegion: 3_000,
  /** Plus the erase. */
  eraseAll: 3_000,
} as const;

/** Longest time to hash a byte of flash, in milliseconds: 8 s for a megabyte (esptool, `MD5_TIMEOUT_PER_MB`). */
export const hashByte = 0.008;
