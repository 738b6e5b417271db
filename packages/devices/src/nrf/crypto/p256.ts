/**
 * ECDSA on the curve P-256 with SHA-256 (FIPS 186-5), for the bootloaders' signature checks and for signing demo
 * firmware. A library does the arithmetic, so that errors of the flasher are not repeated here. Unlike Web Crypto it
 * is synchronous, so it takes no time of the simulation's clock.
 */
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { joined } from '../../byte-fields.ts';

/** X and Y, 32 bytes each, big-endian. */
export type PublicKey = Uint8Array;
/** R and S, 32 bytes each, big-endian. */
export type Signature = Uint8Array;

const scalars = p256.Point.Fn;
/** Prefix of the two coordinates of an uncompressed point (SEC 1, section 2.3.3). */
const uncompressed = Uint8Array.of(4);
/** Signatures with a large S are accepted. */
const options = { lowS: false } as const;

/** @param secret 1 to the curve's order − 1. */
export function publicKeyOf(secret: bigint): PublicKey {
  return p256.getPublicKey(scalars.toBytes(secret), false).slice(uncompressed.length);
}

/** True if `signature` is valid for `message` and `key`. False also for malformed signatures and keys. */
export function verify(key: PublicKey, message: Uint8Array, signature: Signature): boolean {
  try {
    return p256.verify(signature, message, joined(uncompressed, key), options);
  } catch {
    // The library throws for a point that is not on the curve, and for a wrong length.
    return false;
  }
}

/** Signs `message`. The signature is deterministic (RFC 6979). */
export function sign(secret: bigint, message: Uint8Array): Signature {
  return p256.sign(message, scalars.toBytes(secret), options);
}

/** Derives a public "secret" from a sentence by hashing. */
export function secretOf(sentence: string): bigint {
  const digest = sha256(new TextEncoder().encode(sentence));
  const number = digest.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return (number % (scalars.ORDER - 1n)) + 1n;
}
