/**
 * Time limits of each step in milliseconds, after which the board counts as silent. The time on the wire is added.
 * The nRF52 erases a page of 4 KiB in up to 85 ms and writes a word in up to 41 µs. The nRF52832 needs up to 89.7 ms
 * and 338 µs. Source: nRF52840 Product Specification 1.7, "NVMC", "Electrical specification".
 */
export const deadlines = {
  /** One of many tries to get any answer. */
  probe: 150,
  /** A request that only reads. */
  request: 1_000,
  /** The erase time of the object's pages is added (`createLimit`). */
  create: 3_000,
  /** The board checks a signature, and may erase flash to make room. */
  executeInit: 6_000,
  execute: 3_000,
  /** The board calculates the hash of the whole image. */
  executeLast: 12_000,
  /** One frame of the legacy bootloader, which acknowledges it on arrival. */
  frame: 1_000,
  /** Least limit of MCUboot's first chunk (`firstChunkLimit`). */
  firstChunk: 30_000,
  chunk: 5_000,
  /** The board verifies every slot, including signatures. */
  imageState: 10_000,
} as const;

/**
 * Longest erase of a page of 4 KiB: that of the nRF52832, see above. An external chip needs 2 s for a block of 64 KiB
 * (W25Q32JV data sheet).
 */
const PAGE = 4_096;
const PAGE_ERASE = 89.7;
const EXTERNAL_PAGE_ERASE = 2_000 / 16;

/**
 * Returns the time limit of creating an object in milliseconds, including the erase of its pages.
 *
 * @param size Bytes of the object.
 */
export function createLimit(size: number): number {
  return deadlines.create + Math.ceil(size / PAGE) * PAGE_ERASE;
}

/**
 * Returns the time limit of MCUboot's first chunk in milliseconds. Some builds erase the whole slot for it.
 *
 * @param slot Bytes of the slot.
 */
export function firstChunkLimit(slot: number): number {
  return Math.max(deadlines.firstChunk, deadlines.chunk + Math.ceil(slot / PAGE) * EXTERNAL_PAGE_ERASE);
}

/** Time in which a port on the board's own USB must vanish, counted from a restart request or the last image. */
export const vanishLimit = 5_000;
/** Time in which a board must come back as another port. */
export const returnLimit = 8_000;
/**
 * Time for a bootloader to copy a SoftDevice or itself. It is silent and gone from USB during that time; nrfutil
 * waits as long.
 */
export const copyLimit = 30_000;
