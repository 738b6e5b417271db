/**
 * MCUboot's images: a header, the program, and TLVs with its hash and signature. Read as the bootloader does, and
 * written as `imgtool` does. Source: MCUboot, "Bootloader design" (sections "Image format" and "TLV"), `image.h`;
 * imgtool's documentation.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { joined, sameBytes, viewOf, words16, words32 } from '../../byte-fields.ts';
import { type PublicKey, type Signature, verify } from '../crypto/p256.ts';
import type { SigningKey } from '../crypto/signing-key.ts';

const magic = 0x96f3b83d;
const headerSize = 32;
const tlvMagic = 0x6907;
const tlvProtectedMagic = 0x6908;
const tlv = { keyHash: 0x01, sha256: 0x10, ecdsa: 0x22 } as const;
const nonBootable = 0x10;
/**
 * Bytes that Zephyr reserves for the header, so that the vector table behind it is aligned
 * (`CONFIG_ROM_START_OFFSET`).
 */
const usualHeader = 0x200;

export interface ImageVersion {
  readonly major: number;
  readonly minor: number;
  readonly revision: number;
  readonly build: number;
}

export interface McubootImage {
  readonly version: ImageVersion;
  readonly bootable: boolean;
  /** SHA-256 of header, program and protected TLVs, from the image's TLV. */
  readonly hash: Uint8Array;
  readonly program: Uint8Array;
}

/**
 * Returns the image at the start of `slot`; null unless its hash and, with a key, its signature are valid.
 * @param slot Content of the slot.
 * @param key Null: the bootloader was built without a key.
 */
export function validImage(slot: Uint8Array, key: PublicKey | null): McubootImage | null {
  if (slot.length < headerSize || viewOf(slot).getUint32(0, true) !== magic) {
    return null;
  }
  const view = viewOf(slot);
  const headSize = view.getUint16(8, true);
  const protectedSize = view.getUint16(10, true);
  const end = headSize + view.getUint32(12, true);
  const tlvs = readTlvs(slot, end, protectedSize);
  const hash = tlvs?.get(tlv.sha256);
  if (hash === undefined || !sameBytes(hash, sha256(slot.subarray(0, end + protectedSize)))) {
    return null;
  }
  const signed = slot.subarray(0, end + protectedSize);
  if (key !== null && !isSigned(signed, tlvs?.get(tlv.keyHash), tlvs?.get(tlv.ecdsa), key)) {
    return null;
  }
  return {
    version: {
      major: view.getUint8(20),
      minor: view.getUint8(21),
      revision: view.getUint16(22, true),
      build: view.getUint32(24, true),
    },
    bootable: (view.getUint32(16, true) & nonBootable) === 0,
    hash: hash.slice(),
    program: slot.subarray(headSize, end),
  };
}

/** Formats as `1.2.3`, or `1.2.3.4` with a build number. */
export function versionText({ major, minor, revision, build }: ImageVersion): string {
  return [major, minor, revision, ...(build === 0 ? [] : [build])].join('.');
}

export interface McubootImageOptions {
  /** `1.2.3` or `1.2.3+4`, each part a whole number. Default `1.0.0`. */
  readonly version?: string;
  /** Null: unsigned. */
  readonly key: SigningKey | null;
}

/**
 * Returns an image with header, program and TLVs.
 * @throws Error for an invalid version.
 */
export function mcubootImage(
  program: Uint8Array,
  { version = '1.0.0', key }: McubootImageOptions,
): Uint8Array<ArrayBuffer> {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:\+(\d+))?$/.exec(version);
  if (match === null) {
    throw new Error(`${version} is not an image version.`);
  }
  const [major = 0, minor = 0, revision = 0, build = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const header = joined(
    words32(magic, 0),
    words16(usualHeader, 0),
    words32(program.length, 0),
    Uint8Array.of(major, minor),
    words16(revision),
    words32(build, 0),
    new Uint8Array(usualHeader - headerSize),
  );
  const body = joined(header, program);
  const tlvs = [tlvOf(tlv.sha256, sha256(body))];
  if (key !== null) {
    tlvs.push(tlvOf(tlv.keyHash, keyHash(key.publicKey)), tlvOf(tlv.ecdsa, derOf(key.sign(body))));
  }
  const size = tlvs.reduce((total, { length }) => total + length, 4);
  return joined(body, words16(tlvMagic, size), ...tlvs);
}

function tlvOf(type: number, value: Uint8Array): Uint8Array {
  return joined(words16(type, value.length), value);
}

/** Returns the TLVs by type, including protected ones; null if they are missing or malformed. */
function readTlvs(slot: Uint8Array, start: number, protectedSize: number): Map<number, Uint8Array> | null {
  const found = new Map<number, Uint8Array>();
  const areas =
    protectedSize === 0
      ? [{ at: start, expected: tlvMagic }]
      : [
          { at: start, expected: tlvProtectedMagic },
          { at: start + protectedSize, expected: tlvMagic },
        ];
  for (const { at, expected } of areas) {
    if (at + 4 > slot.length) {
      return null;
    }
    const view = viewOf(slot);
    const end = at + view.getUint16(at + 2, true);
    if (view.getUint16(at, true) !== expected || end > slot.length) {
      return null;
    }
    for (let next = at + 4; next + 4 <= end; ) {
      const length = view.getUint16(next + 2, true);
      found.set(view.getUint16(next, true), slot.subarray(next + 4, next + 4 + length));
      next += 4 + length;
    }
  }
  return found;
}

function isSigned(
  message: Uint8Array,
  named: Uint8Array | undefined,
  signature: Uint8Array | undefined,
  key: PublicKey,
): boolean {
  const plain = signature && readDer(signature);
  return named !== undefined && plain != null && sameBytes(named, keyHash(key)) && verify(key, message, plain);
}

/** SubjectPublicKeyInfo of a key on P-256, up to its coordinates (RFC 5480). */
const publicKeyInfo = [
  0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
  0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
];

function keyHash(key: PublicKey): Uint8Array {
  return sha256(joined(Uint8Array.from(publicKeyInfo), key));
}

/** Encodes ECDSA-Sig-Value (RFC 3279, section 2.2.3): a sequence of two integers. */
function derOf(signature: Signature): Uint8Array {
  const parts = [signature.subarray(0, 32), signature.subarray(32)].map((number) => {
    const first = Math.max(
      0,
      number.findIndex((byte) => byte !== 0),
    );
    const digits = number.subarray(first);
    const positive = (digits[0] ?? 0) & 0x80 ? joined(Uint8Array.of(0), digits) : digits;
    return joined(Uint8Array.of(0x02, positive.length), positive);
  });
  const content = joined(...parts);
  return joined(Uint8Array.of(0x30, content.length), content);
}

/**
 * Decodes R and S, 32 bytes each; null for malformed input. Trailing zeros are accepted, because old versions of
 * imgtool added them.
 */
function readDer(der: Uint8Array): Signature | null {
  const result = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    const digits = number.subarray(Math.max(0, number.length - 32));
    if (der[0] !== 0x30 || der[at] !== 0x02 || number.length !== length || length === 0 || length > 33) {
      return null;
    }
    result.set(digits, end - digits.length);
    at += 2 + length;
  }
  return result;
}
