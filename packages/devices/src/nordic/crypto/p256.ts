/**
 * ECDSA on the curve P-256 with SHA-256 (FIPS 186-5), as bootloaders check signatures and as the makers of demo firmware sign. The
 * arithmetic is a library's, so that a mistake of the flasher's is not repeated here. It takes no time of the clock that a simulation
 * is given, which Web Crypto cannot promise.
 */
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { joined } from '../../byte-fields.ts';

/** X and Y, 32 bytes each, the highest byte first. */
export type PublicKey = Uint8Array;
/** R and S, 32 bytes each, the highest byte first. */
export type Signature = Uint8Array;

const scalars = p256.Point.Fn;
/** Before the two coordinates of a point that is not compressed (SEC 1, section 2.3.3). */
const uncompressed = Uint8Array.of(4);
/** Signatures with a large S are as good as others here. */
const options = { lowS: false } as const;

/** @param secret 1 to the curve's order − 1. */
export function publicKeyOf(secret: bigint): PublicKey {
  return p256.getPublicKey(scalars.toBytes(secret), false).slice(uncompressed.length);
}

/** Whether `signature` is that of `message` under `key`. False for anything that is no signature or no key. */
export function verify(key: PublicKey, message: Uint8Array, signature: Signature): boolean {
  try {
    return p256.verify(signature, message, joined(uncompressed, key), options);
  } catch {
    // What the library says of a point that is not on the curve, and of a wrong length.
    return false;
  }
}

/** The same message and secret give the same signature (RFC 6979). */
export function sign(secret: bigint, message: Uint8Array): Signature {
  return p256.sign(message, scalars.toBytes(secret), options);
}

/** A secret that everybody can know: the hash of a sentence. */
export function secretOf(sentence: string): bigint {
  const digest = sha256(new TextEncoder().encode(sentence));
  const number = digest.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return (number % (scalars.ORDER - 1n)) + 1n;
}
