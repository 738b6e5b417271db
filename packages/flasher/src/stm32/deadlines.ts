/**
 * How long each step may take before the board counts as silent, in milliseconds. The time on the wire comes on top. The long
 * ones are what data sheets allow: STM32F405 table "Flash memory programming" (sector of 128 KB 4 s, all of 1 MB 32 s),
 * STM32F746 (sector of 256 KB 8 s with slow supplies, 2 s at 3.3 V), STM32F103 (page 40 ms).
 */
export const deadlines = {
  /** One try of many: a bootloader that has measured the rate answers within the byte. */
  sync: 120,
  /** To a command, an address or a length. */
  acknowledge: 1_000,
  /** From the last acknowledgement to the first byte. */
  read: 1_000,
  write: 1_000,
  /** The first page or sector of a command. */
  erase: 5_000,
  /** Each further one. Sectors of more than 8 KiB are erased one a command. */
  eraseMore: 100,
  eraseAll: 35_000,
  /** Removing read protection erases everything first. */
  unprotect: 35_000,
  checksum: 5_000,
  /** One control transfer on USB. */
  transfer: 2_000,
} as const;
