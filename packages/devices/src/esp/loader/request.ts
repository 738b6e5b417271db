/**
 * The form of requests and answers. Source: Espressif, "Serial Protocol", sections "Command Packet", "Response
 * Packet", "Commands" and "Checksum". All numbers are little-endian.
 */
import { viewOf } from '../../byte-fields.ts';

export const op = {
  flashBegin: 0x02,
  flashData: 0x03,
  flashEnd: 0x04,
  memBegin: 0x05,
  memEnd: 0x06,
  memData: 0x07,
  sync: 0x08,
  writeReg: 0x09,
  readReg: 0x0a,
  spiSetParams: 0x0b,
  spiAttach: 0x0d,
  readFlashSlow: 0x0e,
  changeBaud: 0x0f,
  deflateBegin: 0x10,
  deflateData: 0x11,
  deflateEnd: 0x12,
  md5: 0x13,
  securityInfo: 0x14,
  eraseFlash: 0xd0,
  eraseRegion: 0xd1,
  readFlash: 0xd2,
  runUserCode: 0xd3,
  encryptedData: 0xd4,
} as const;

/** Bytes before the data of a request or an answer. */
const headerSize = 8;
/** Bytes of length, sequence number and zeros before the data of a data request. */
export const dataHeaderSize = 16;

export interface Request {
  readonly direction: number;
  readonly op: number;
  /** Value of the size field. The frame's real size may differ. */
  readonly size: number;
  readonly checksum: number;
  readonly data: Uint8Array;
}

/** Parses a frame. Returns null if it is too short for a request. */
export function parseRequest(frame: Uint8Array): Request | null {
  if (frame.length < headerSize) {
    return null;
  }
  const view = viewOf(frame);
  return {
    direction: view.getUint8(0),
    op: view.getUint8(1),
    size: view.getUint16(2, true),
    checksum: view.getUint32(4, true),
    data: frame.subarray(headerSize),
  };
}

/** Returns the 32-bit word number `index` of `data`; 0 beyond its end. */
export function wordAt(data: Uint8Array, index: number): number {
  const at = index * 4;
  return at + 4 <= data.length ? viewOf(data).getUint32(at, true) : 0;
}

/** Returns an answer without framing: a header with `value`, then `body`, which ends with the status. */
export function answer(opcode: number, value: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headerSize + body.length);
  const view = viewOf(bytes);
  view.setUint8(0, 1);
  view.setUint8(1, opcode);
  view.setUint16(2, body.length, true);
  view.setUint32(4, value >>> 0, true);
  bytes.set(body, headerSize);
  return bytes;
}

/** Returns the XOR of all bytes with 0xEF. */
export function checksumOf(bytes: Uint8Array): number {
  let sum = 0xef;
  for (const byte of bytes) {
    sum ^= byte;
  }
  return sum;
}
