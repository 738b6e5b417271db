/** Frames of MAVLink 1 and 2 (mavlink.io, "Packet Serialization"): header, checksum, signature. */
import { sha256 } from '@noble/hashes/sha2.js';
import { checksumOf } from './crc.ts';
import type { MavlinkDefinitions } from './definitions.ts';

/** First byte of a frame. */
export const MAVLINK_1 = 0xfe;
export const MAVLINK_2 = 0xfd;

/** Bytes before the payload. */
const HEADER_1 = 6;
const HEADER_2 = 10;
const CHECKSUM = 2;
export const SIGNATURE = 13;

/** Bit of the incompatibility flags: 13 bytes of signature are behind the checksum. */
const SIGNED = 0x01;

export interface MavlinkHeader {
  readonly version: 1 | 2;
  /** Bytes of payload that were sent. */
  readonly payloadLength: number;
  /** First byte of the payload in the frame. */
  readonly payloadFrom: number;
  /** Bytes of the frame. */
  readonly length: number;
  readonly isSigned: boolean;
  /** Bits that a receiver must know to read the frame, besides the signature. 0: none. */
  readonly unknownFlags: number;
  readonly sequence: number;
  readonly system: number;
  readonly component: number;
  readonly message: number;
}

/**
 * Reads the header of a frame that begins at `from`.
 *
 * @returns null: no frame begins here. `more`: the header ends behind `to`.
 */
export function readHeader(bytes: Uint8Array, from: number, to: number): MavlinkHeader | 'more' | null {
  const start = bytes[from];
  const at = (offset: number) => bytes[from + offset] ?? 0;
  if (start === MAVLINK_1) {
    return to - from < HEADER_1
      ? 'more'
      : {
          version: 1,
          payloadLength: at(1),
          payloadFrom: HEADER_1,
          length: HEADER_1 + at(1) + CHECKSUM,
          isSigned: false,
          unknownFlags: 0,
          sequence: at(2),
          system: at(3),
          component: at(4),
          message: at(5),
        };
  }
  if (start !== MAVLINK_2) {
    return null;
  }
  if (to - from < HEADER_2) {
    return 'more';
  }
  const isSigned = (at(2) & SIGNED) !== 0;
  return {
    version: 2,
    payloadLength: at(1),
    payloadFrom: HEADER_2,
    length: HEADER_2 + at(1) + CHECKSUM + (isSigned ? SIGNATURE : 0),
    isSigned,
    unknownFlags: at(2) & ~SIGNED,
    sequence: at(4),
    system: at(5),
    component: at(6),
    message: at(7) | (at(8) << 8) | (at(9) << 16),
  };
}

/** `unknown`: no definition of the message, so its CRC_EXTRA is not known. */
export type ChecksumState = 'right' | 'wrong' | 'unknown';

/** @param from First byte of a frame that is there to its end. */
export function checkFrame(
  bytes: Uint8Array,
  from: number,
  header: MavlinkHeader,
  definitions: MavlinkDefinitions,
): ChecksumState {
  const message = definitions.messages.get(header.message);
  if (message === undefined) {
    return 'unknown';
  }
  const end = from + header.payloadFrom + header.payloadLength;
  const crc = checksumOf(bytes, from + 1, end, message.crcExtra);
  return bytes[end] === (crc & 0xff) && bytes[end + 1] === crc >> 8 ? 'right' : 'wrong';
}

/**
 * True: 13 bytes of signature are behind the frame, although its flag says that there are none. Programs that sign
 * bytes which they made before (node-mavlink: `serialize`, then `sign`) send this. The standard has no such frames.
 */
export function hasUnannouncedSignature(frame: Uint8Array, header: MavlinkHeader): boolean {
  return header.version === 2 && !header.isSigned && frame.length === header.length + SIGNATURE;
}

/** @returns true for 13 bytes that may be a signature: no text, and no frame begins. */
export function isSignatureLike(bytes: Uint8Array, from: number): boolean {
  const signature = bytes.subarray(from, from + SIGNATURE);
  const isText = signature.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a);
  return signature.length === SIGNATURE && !isText && signature[0] !== MAVLINK_1 && signature[0] !== MAVLINK_2;
}

export interface MavlinkSignature {
  readonly link: number;
  /** Time in units of 10 µs since 2015-01-01 00:00 UTC. */
  readonly time: bigint;
  /** First byte of the signature in the frame. */
  readonly from: number;
  readonly state: 'right' | 'wrong' | 'not checked';
}

/**
 * Checks the signature: the first 48 bits of SHA-256 over the key and the frame up to the time stamp
 * (mavlink.io, "Message Signing").
 *
 * @param frame A whole frame.
 * @param key 32 bytes; null: not known.
 */
export function checkSignature(
  frame: Uint8Array,
  header: MavlinkHeader,
  key: Uint8Array | null,
): MavlinkSignature | null {
  if (!header.isSigned && !hasUnannouncedSignature(frame, header)) {
    return null;
  }
  const from = header.payloadFrom + header.payloadLength + CHECKSUM;
  const end = from + 7;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const time = (BigInt(view.getUint16(from + 5, true)) << 32n) | BigInt(view.getUint32(from + 1, true));
  const signature = { link: frame[from] ?? 0, time, from };
  if (key === null) {
    return { ...signature, state: 'not checked' };
  }
  const hash = sha256.create().update(key).update(frame.subarray(0, end)).digest();
  const isRight = frame.subarray(end, end + 6).every((byte, index) => byte === hash[index]);
  return { ...signature, state: isRight ? 'right' : 'wrong' };
}
