/**
 * How long each step may take before the board counts as silent, in milliseconds. The time on the wire comes on top. The
 * long ones follow what NOR chips may need at worst (Winbond W25Q32JV data sheet, section "AC Electrical Characteristics":
 * sector erase 400 ms, 64 KB block erase 2 s, page program 3 ms, chip erase 50 s) and what esptool allows.
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
  /** Plus `eraseByte` for the ROM, which erases before it answers. */
  flashBegin: 3_000,
  /** Plus `eraseByte` for what one block becomes: the stub answers when the block before is in flash. */
  flashData: 3_000,
  /** Plus `hashByte`, and `eraseByte` for what is still on its way into flash. */
  hash: 3_000,
  read: 3_000,
  /** Plus `eraseByte`. */
  eraseRegion: 3_000,
  eraseAll: 120_000,
} as const;

/** 40 s for a megabyte: erasing and writing. */
export const eraseByte = 0.04;
/** 8 s for a megabyte. */
export const hashByte = 0.008;
