/**
 * How long each step may take before the board counts as silent, in milliseconds. The time on the wire comes on top. Flash of the
 * nRF52 (nRF52840 Product Specification 1.7, "NVMC", "Electrical specification"): a page of 4 KiB is erased in up to 85 ms and a
 * word written in up to 41 µs; the nRF52832 needs up to 89.7 ms and 338 µs.
 */
export const deadlines = {
  /** One try of many to get any answer. */
  probe: 150,
  /** A request that only asks. */
  request: 1_000,
  /** Plus the erase of the object's pages (`createLimit`). */
  create: 3_000,
  /** Checks a signature, and may make room. */
  executeInit: 6_000,
  execute: 3_000,
  /** Calculates the hash of the whole image. */
  executeLast: 12_000,
  /** One frame of the legacy bootloader, which is acknowledged when it arrives. */
  frame: 1_000,
  /** The first chunk of MCUboot, at least (`firstChunkLimit`). */
  firstChunk: 30_000,
  chunk: 5_000,
  /** Verifies every slot, signatures included. */
  imageState: 10_000,
} as const;

/** Longest erase of a page of 4 KiB: nRF52832, see above. An external chip needs 2 s for a block of 64 KiB (W25Q32JV data sheet). */
const PAGE = 4_096;
const PAGE_ERASE = 89.7;
const EXTERNAL_PAGE_ERASE = 2_000 / 16;

/** Deadline of creating an object, in milliseconds: its pages are erased first. @param size Bytes of the object. */
export function createLimit(size: number): number {
  return deadlines.create + Math.ceil(size / PAGE) * PAGE_ERASE;
}

/** Deadline of the first chunk of MCUboot, in milliseconds: some builds erase the whole slot for it. @param slot Bytes of the slot. */
export function firstChunkLimit(slot: number): number {
  return Math.max(deadlines.firstChunk, deadlines.chunk + Math.ceil(slot / PAGE) * EXTERNAL_PAGE_ERASE);
}

/** From a request to restart, or from the last image, until a port on the board's own USB must have vanished. */
export const vanishLimit = 5_000;
/** How long a board may take to come back as another port. */
export const returnLimit = 8_000;
/** A bootloader that copies a SoftDevice or itself is silent meanwhile, and gone from USB; nrfutil waits as long. */
export const copyLimit = 30_000;
