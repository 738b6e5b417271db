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
  /** Erases the pages of an object before it answers. */
  create: 3_000,
  /** Checks a signature, and may make room. */
  executeInit: 6_000,
  execute: 3_000,
  /** Calculates the hash of the whole image. */
  executeLast: 12_000,
  /** One frame of the legacy bootloader, which is acknowledged when it arrives. */
  frame: 1_000,
  /** The first chunk of MCUboot: some builds erase the whole slot for it, a megabyte at 85 ms a page. */
  firstChunk: 30_000,
  chunk: 5_000,
  /** Verifies every slot, signatures included. */
  imageState: 10_000,
} as const;

/** From a request to restart, or from the last image, until a port on the board's own USB must have vanished. */
export const vanishLimit = 5_000;
/** How long a board may take to come back as another port. */
export const returnLimit = 8_000;
/** A bootloader that copies a SoftDevice or itself is silent meanwhile, and gone from USB; nrfutil waits as long. */
export const copyLimit = 30_000;
