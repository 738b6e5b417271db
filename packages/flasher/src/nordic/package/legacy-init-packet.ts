/**
 * The init packet of the legacy bootloader, little endian: device type, revision, version, SoftDevices, and a CRC-16
 * of the image. The extended form has the image's length, hash and signature instead (nRF51 SDK 7.1, "Init packet";
 * Adafruit_nRF52_Bootloader, `dfu_init.c`).
 */
import { hexOf, viewOf } from '../../core/bytes.ts';

const FIXED_SIZE = 10;
/** Values that match anything in fields of two and four bytes (adafruit-nrfutil, `Package`). */
const ANY_SHORT = 0xffff;
const ANY_LONG = 0xffff_ffff;
/** `DFU_SOFTDEVICE_ANY`. */
const ANY_SOFTDEVICE = 0xfffe;

/** Kinds of the extended part (`DFU_INIT_PACKET_USES_…`), and the lengths of its fields in bytes. */
const extended = { crc16: 0, hash: 1, signature: 2 } as const;
const HASH_LENGTH = 32;
const SIGNATURE_LENGTH = 64;

export interface LegacyInitPacket {
  /** Null: any. */
  readonly deviceType: number | null;
  readonly deviceRevision: number | null;
  /** Null if not stated. */
  readonly applicationVersion: number | null;
  /** Firmware IDs of compatible SoftDevices; empty for any. */
  readonly softdevices: readonly number[];
  /** CRC-16 of the image. Packets with a length and SHA-256 have null here. */
  readonly crc16: number | null;
  readonly length: number | null;
  /** SHA-256 of the image as lower-case hexadecimal. */
  readonly hash: string | null;
  readonly signed: boolean;
}

/** Returns null if the bytes are not such a packet. */
export function readLegacyInitPacket(bytes: Uint8Array): LegacyInitPacket | null {
  if (bytes.length < FIXED_SIZE) {
    return null;
  }
  const view = viewOf(bytes);
  const count = view.getUint16(8, true);
  const end = FIXED_SIZE + 2 * count;
  const proof = end > bytes.length ? null : readProof(bytes.subarray(end));
  if (proof === null) {
    return null;
  }
  const softdevices = Array.from({ length: count }, (_, index) => view.getUint16(FIXED_SIZE + 2 * index, true));
  return {
    deviceType: unlessAny(view.getUint16(0, true), ANY_SHORT),
    deviceRevision: unlessAny(view.getUint16(2, true), ANY_SHORT),
    applicationVersion: unlessAny(view.getUint32(4, true), ANY_LONG),
    softdevices: softdevices.includes(ANY_SOFTDEVICE) ? [] : softdevices,
    ...proof,
  };
}

type Proof = Pick<LegacyInitPacket, 'crc16' | 'length' | 'hash' | 'signed'>;

/** Reads the part after the SoftDevices: two bytes of CRC, or the extended part. */
function readProof(bytes: Uint8Array): Proof | null {
  const view = viewOf(bytes);
  const none: Proof = { crc16: null, length: null, hash: null, signed: false };
  if (bytes.length === 2) {
    return { ...none, crc16: view.getUint16(0, true) };
  }
  const kind = bytes.length < 6 ? null : view.getUint32(0, true);
  if (kind === extended.crc16) {
    return { ...none, crc16: view.getUint16(4, true) };
  }
  const size = 8 + HASH_LENGTH + (kind === extended.signature ? SIGNATURE_LENGTH : 0);
  if ((kind === extended.hash || kind === extended.signature) && bytes.length >= size) {
    const hash = hexOf(bytes.subarray(8, 8 + HASH_LENGTH));
    return { crc16: null, length: view.getUint32(4, true), hash, signed: kind === extended.signature };
  }
  return null;
}

function unlessAny(value: number, any: number): number | null {
  return value === any ? null : value;
}
