/**
 * What goes over the UART to the bootloader (AN3155). Bytes only: no port, no time. Addresses and counts are big endian; whatever
 * is longer than a byte ends with the XOR of all its bytes (section 3, "Communication safety").
 */

/** Section 1: measured for the baud rate. */
export const syncByte = 0x7f;
/** Section 3: the two answers to everything. */
export const ACK = 0x79;
export const NACK = 0x1f;

/** Section 3, table "USART bootloader commands". */
export const commands = {
  get: 0x00,
  getVersion: 0x01,
  getId: 0x02,
  readMemory: 0x11,
  go: 0x21,
  writeMemory: 0x31,
  erase: 0x43,
  extendedErase: 0x44,
  writeProtect: 0x63,
  writeUnprotect: 0x73,
  readoutProtect: 0x82,
  readoutUnprotect: 0x92,
  getChecksum: 0xa1,
} as const;

/** Sections 3.4 and 3.6. */
export const maximumBlock = 256;
/** Section 3.8: everything, bank 1, bank 2. */
export const extendedEraseAll = 0xffff;
export const extendedEraseBank1 = 0xfffe;
export const extendedEraseBank2 = 0xfffd;

/** Section 3.13: the polynomial that all parts have, and what the CRC unit starts with. */
export const crcPolynomial = 0x04c1_1db7;
export const crcStart = 0xffff_ffff;

/** A command and its complement. */
export function commandFrame(command: number): Uint8Array {
  return Uint8Array.of(command, command ^ 0xff);
}

/** An address, a length in words or another 32-bit value, with its checksum. */
export function wordFrame(value: number): Uint8Array {
  const frame = new Uint8Array(5);
  new DataView(frame.buffer).setUint32(0, value);
  return withXor(frame);
}

/** How many bytes to read, 1 to 256: one less, and its complement (section 3.4). */
export function readLengthFrame(count: number): Uint8Array {
  return Uint8Array.of(count - 1, (count - 1) ^ 0xff);
}

/** Data to write, 4 to 256 bytes, a multiple of 4: one less than their number, the bytes, the checksum (section 3.6). */
export function dataFrame(bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(bytes.length + 2);
  frame[0] = bytes.length - 1;
  frame.set(bytes, 1);
  return withXor(frame);
}

/** Pages for Erase, 1 to 255 of 0 to 255 (section 3.7). */
export function eraseFrame(pages: readonly number[]): Uint8Array {
  return withXor(Uint8Array.of(pages.length - 1, ...pages, 0));
}

/** Everything, by Erase: FF 00 (section 3.7). */
export function eraseAllFrame(): Uint8Array {
  return Uint8Array.of(0xff, 0x00);
}

/** Pages for Extended Erase, 1 to 511 of 0 to 65,535 (section 3.8). */
export function extendedEraseFrame(pages: readonly number[]): Uint8Array {
  const frame = new Uint8Array(2 * pages.length + 3);
  const view = new DataView(frame.buffer);
  view.setUint16(0, pages.length - 1);
  for (const [index, page] of pages.entries()) {
    view.setUint16(2 + 2 * index, page);
  }
  return withXor(frame);
}

/** `extendedEraseAll` and its like, without page numbers (section 3.8). */
export function specialEraseFrame(code: number): Uint8Array {
  return withXor(Uint8Array.of(code >>> 8, code & 0xff, 0));
}

/** Puts the XOR of what is before it into the last byte. */
function withXor(frame: Uint8Array): Uint8Array {
  frame[frame.length - 1] = 0;
  frame[frame.length - 1] = xorOf(frame);
  return frame;
}

export function xorOf(bytes: Uint8Array): number {
  let xor = 0;
  for (const byte of bytes) {
    xor ^= byte;
  }
  return xor;
}
