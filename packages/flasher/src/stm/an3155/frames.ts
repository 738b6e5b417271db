/**
 * Frames of the UART bootloader (AN3155). Addresses and counts are big endian. Anything longer than a byte ends with
 * the XOR of all its bytes (section 3, "Communication safety").
 */

/** Byte from which the bootloader measures the baud rate (section 1). */
export const syncByte = 0x7f;
/** Answers to every frame (section 3). */
export const ACK = 0x79;
export const NACK = 0x1f;

/** Command codes (section 3, table "USART bootloader commands"). */
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

/** Most bytes of one read or write (sections 3.4 and 3.6). */
export const maximumBlock = 256;
/** Erase code for the whole flash (section 3.8). */
export const extendedEraseAll = 0xffff;

/** Polynomial that all parts support, and initial value of the CRC unit (section 3.13). */
export const crcPolynomial = 0x04c1_1db7;
export const crcStart = 0xffff_ffff;

/** Builds a command with its complement. */
export function commandFrame(command: number): Uint8Array {
  return Uint8Array.of(command, command ^ 0xff);
}

/** Builds an address, a length in words or another 32-bit value, with its checksum. */
export function wordFrame(value: number): Uint8Array {
  const frame = new Uint8Array(5);
  new DataView(frame.buffer).setUint32(0, value);
  return withXor(frame);
}

/**
 * Builds the number of bytes to read minus one, with its complement (section 3.4).
 *
 * @param count 1 to 256.
 */
export function readLengthFrame(count: number): Uint8Array {
  return Uint8Array.of(count - 1, (count - 1) ^ 0xff);
}

/**
 * Builds data to write: the number of bytes minus one, the bytes, the checksum (section 3.6).
 *
 * @param bytes 4 to 256 bytes, a multiple of 4.
 */
export function dataFrame(bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(bytes.length + 2);
  frame[0] = bytes.length - 1;
  frame.set(bytes, 1);
  return withXor(frame);
}

/**
 * Builds the pages of Erase (section 3.7).
 *
 * @param pages 1 to 255 page numbers, each 0 to 255.
 */
export function eraseFrame(pages: readonly number[]): Uint8Array {
  return withXor(Uint8Array.of(pages.length - 1, ...pages, 0));
}

/** Builds the erase of the whole flash by Erase: FF 00 (section 3.7). */
export function eraseAllFrame(): Uint8Array {
  return Uint8Array.of(0xff, 0x00);
}

/**
 * Builds the pages of Extended Erase (section 3.8).
 *
 * @param pages 1 to 511 page numbers, each 0 to 65,535.
 */
export function extendedEraseFrame(pages: readonly number[]): Uint8Array {
  const frame = new Uint8Array(2 * pages.length + 3);
  const view = new DataView(frame.buffer);
  view.setUint16(0, pages.length - 1);
  for (const [index, page] of pages.entries()) {
    view.setUint16(2 + 2 * index, page);
  }
  return withXor(frame);
}

/** Builds an erase code without page numbers, such as `extendedEraseAll` (section 3.8). */
export function specialEraseFrame(code: number): Uint8Array {
  return withXor(Uint8Array.of(code >>> 8, code & 0xff, 0));
}

/** Stores the XOR of the preceding bytes in the last byte. */
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
