/** Constants of the DFU class: USB Device Firmware Upgrade 1.1, sections 3 and 6.1, and AN3156. */

/** AN3156, Table 2. */
export const request = {
  detach: 0,
  download: 1,
  upload: 2,
  getStatus: 3,
  clearStatus: 4,
  getState: 5,
  abort: 6,
} as const;

/** DFU 1.1, section 6.1.2, "bState". */
export const state = {
  idle: 2,
  downloadSync: 3,
  downloadBusy: 4,
  downloadIdle: 5,
  manifestSync: 6,
  manifest: 7,
  uploadIdle: 9,
  error: 10,
} as const;
export type DfuState = (typeof state)[keyof typeof state];

/** DFU 1.1, section 6.1.2, "bStatus". */
export const status = {
  ok: 0x00,
  /** The part has no memory at the address. */
  target: 0x01,
  /** Programming failed. */
  program: 0x06,
  /** Refused by read protection. */
  vendor: 0x0b,
  /** Invalid request. */
  stalled: 0x0f,
} as const;
export type DfuStatus = (typeof status)[keyof typeof status];

/** AN3156, Table 4. */
export const command = { get: 0x00, setAddress: 0x21, erase: 0x41, readUnprotect: 0x92 } as const;
