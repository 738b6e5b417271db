/**
 * Signature blocks of secure boot 2 (ESP-IDF, "Secure Boot v2", section "Signature Block Format"). The simulated ROM
 * looks only at the first two bytes, but flashers verify the whole signature. The key belongs to demo boards alone.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { joined, words32 } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import { filler } from '../../filler.ts';

const sectorSize = 0x1000;
/** RSA-3072. */
const keyBits = 3_072n;
const keyBytes = 384;
const exponent = 65_537n;
/** Both primes of the demo's key. It is no secret: it signs nothing but demo firmware. */
const primes = [
  'f7e35d537f05262f30593779029b6e1d67d8ba6bcc8339cc574e38cfc238c2ad66bdc29b4e4f54136f25a9701f55ed1b' +
    'ded6e86039b18b08fff769b6f71c018583552a917388123a17ad8409e2ec6585f8f9ea8e8745c956cbe864ad940d348b' +
    '28c1574abcd46eb7e81dd152f581dcfdebba163cf2cc7511f50a446762a8669384ad28167566a18ce4f7f9bf0fc3407b' +
    'd82b9cbf8f960a67cd27e68322ac25f1162190ca0fec793ae07ab8eec7ecaeccae71ddf1152fa44a7a7f439f616894a9',
  'e5015ec3e02a2e81b7c337d9ba1a778bde080ac28673d032fdf020c07ca9e02104131c1ed596dcfef1c422579afc75e9' +
    'de9611dc8aefbe18c539e035459053c0d47e4482a557558a1039fd6dc8a63be17c0c1e6f01625f2afd255dc2f1a853c2' +
    '907677b1b5c8dcec43664665f3f74b777879aee241a2798d8f76d42bff46d11c27bb83f4080ec4704bb9892f59f4638b' +
    '0eaaeeb91fa4777f164a36a088996fd7a6f1c1e47ce08d0973514f5739c43095e311ebded805cd464fe9a1b424ee6b03',
].map((digits) => BigInt(`0x${digits}`)) as [bigint, bigint];
const modulus = primes[0] * primes[1];

/**
 * Returns the public key as in a signature block: modulus, exponent, R = 2^6144 mod modulus, and −modulus⁻¹ mod 2³².
 * All numbers are little-endian.
 */
function publicKey(): Uint8Array {
  const residue = (1n << (keyBits * 2n)) % modulus;
  return joined(
    littleEndian(modulus),
    words32(Number(exponent)),
    littleEndian(residue),
    words32(negativeInverse(modulus)),
  );
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
  const hash = sha256(whole);
  const head = joined(Uint8Array.of(0xe7, 0x02, 0, 0), hash, publicKey(), littleEndian(signatureOf(hash)));
  return joined(whole, head, words32(crc32(head)), new Uint8Array(16));
}

/** Signs a hash with RSASSA-PSS, with a salt as long as the hash (RFC 8017, section 8.1.1). */
function signatureOf(hash: Uint8Array): bigint {
  const message = encoded(hash, filler(hash.length, 11));
  // Each prime alone takes a quarter of the time; the two results are joined (RFC 8017, section 5.1.2).
  const [first, second] = primes.map((prime) => power(message % prime, privateExponent(prime), prime)) as [
    bigint,
    bigint,
  ];
  const [p, q] = primes;
  const factor = ((first - second) * power(q, p - 2n, p)) % p;
  return second + q * (factor < 0n ? factor + p : factor);
}

/** Encodes a hash for signing (RFC 8017, section 9.1.1, EMSA-PSS). */
function encoded(hash: Uint8Array, salt: Uint8Array): bigint {
  const salted = sha256(joined(new Uint8Array(8), hash, salt));
  const room = keyBytes - salted.length - 1;
  const block = joined(new Uint8Array(room - salt.length - 1), Uint8Array.of(1), salt);
  const masked = block.map((byte, index) => byte ^ (mask(salted, room)[index] ?? 0));
  masked[0] = (masked[0] ?? 0) & 0x7f;
  const whole = joined(masked, salted, Uint8Array.of(0xbc));
  return whole.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/** Returns `length` bytes that depend on `seed` (RFC 8017, section B.2.1, MGF1). */
function mask(seed: Uint8Array, length: number): Uint8Array {
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_, counter) =>
    sha256(joined(seed, Uint8Array.of(0, 0, 0, counter))),
  );
  return joined(...parts).subarray(0, length);
}

/** Returns 1 / `exponent` modulo `prime` − 1. */
function privateExponent(prime: bigint): bigint {
  const order = prime - 1n;
  // 65,537 is prime, so its inverse is (1 + k × order) / 65,537 for the k that makes this whole.
  const rest = order % exponent;
  const k = (exponent - power(rest, exponent - 2n, exponent)) % exponent;
  return (1n + k * order) / exponent;
}

function power(base: bigint, by: bigint, modulo: bigint): bigint {
  let result = 1n;
  let square = base % modulo;
  for (let rest = by; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) {
      result = (result * square) % modulo;
    }
    square = (square * square) % modulo;
  }
  return result;
}

function littleEndian(number: bigint): Uint8Array {
  return Uint8Array.from({ length: keyBytes }, (_, index) => Number((number >> BigInt(index * 8)) & 0xffn));
}
