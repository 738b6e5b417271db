/**
 * Signature blocks of secure boot 2 (ESP-IDF, "Secure Boot v2", section "Signature Block Format"). The simulated ROM
 * looks only at the first two bytes, and flashers compare the digest of the key. The signature itself is filler,
 * because a demo has no secret key.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { joined, words32 } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import { filler } from '../../filler.ts';

const sectorSize = 0x1000;
/** RSA-3072. */
const keyBits = 3_072n;
const keyBytes = 384;
const exponent = 65_537;

/**
 * Returns the public key as in a signature block: modulus, exponent, R = 2^6144 mod modulus, and −modulus⁻¹ mod 2³².
 * All numbers are little-endian. The modulus has no known factors.
 */
function publicKey(): Uint8Array {
  const bytes = filler(keyBytes, 7);
  bytes[0] = (bytes[0] ?? 0) | 1;
  bytes[keyBytes - 1] = 0xc3;
  const modulus = bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
  const residue = (1n << (keyBits * 2n)) % modulus;
  const residueBytes = Uint8Array.from({ length: keyBytes }, (_, index) =>
    Number((residue >> BigInt(index * 8)) & 0xffn),
  );
  return joined(bytes, words32(exponent), residueBytes, words32(negativeInverse(modulus)));
}

/** Returns −1 / `odd` modulo 2³², by Newton's iteration, which doubles the correct bits each time. */
function negativeInverse(odd: bigint): number {
  let inverse = 1n;
  for (let bits = 1; bits < 32; bits *= 2) {
    inverse = BigInt.asUintN(32, inverse * (2n - odd * inverse));
  }
  return Number(BigInt.asUintN(32, -inverse));
}

/** Returns the SHA-256 of the demo's public key, for a key block of the eFuses. */
export function demoKeyDigest(): Uint8Array {
  return sha256(publicKey());
}

/** Returns `image` filled up to whole sectors, and a signature block in the next sector. */
export function signedImage(image: Uint8Array): Uint8Array<ArrayBuffer> {
  const padding = new Uint8Array((sectorSize - (image.length % sectorSize)) % sectorSize).fill(0xff);
  const whole = joined(image, padding);
  const head = joined(Uint8Array.of(0xe7, 0x02, 0, 0), sha256(whole), publicKey(), filler(keyBytes, 11));
  return joined(whole, head, words32(crc32(head)), new Uint8Array(16));
}
