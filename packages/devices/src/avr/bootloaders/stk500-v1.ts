/** Codes of STK500 version 1 that the bootloaders know (Atmel AVR061, section 4). */

export const command = {
  getSync: 0x30,
  getSignOn: 0x31,
  setParameter: 0x40,
  getParameter: 0x41,
  setDevice: 0x42,
  setDeviceExt: 0x45,
  enterProgMode: 0x50,
  leaveProgMode: 0x51,
  chipErase: 0x52,
  loadAddress: 0x55,
  universal: 0x56,
  progPage: 0x64,
  readPage: 0x74,
  readSignature: 0x75,
  readOscillator: 0x76,
} as const;

/** End of every command. */
export const crcEop = 0x20;
export const inSync = 0x14;
export const ok = 0x10;
export const failed = 0x11;
