/**
 * ECDSA on the curve P-256 with SHA-256, as bootloaders check signatures and as the makers of demo firmware sign. Written for a
 * simulation: in no time of the clock that it is given, which Web Crypto cannot promise, and with no care to hide a secret.
 * Sources: FIPS 186-5, section 6.4; SP 800-186, section 3.2.1.3 (the curve); RFC 6979, section 3.2 (the number for each signature).
 */

import { joined } from '../../byte-fields.ts';
import { sha256 } from '../../digests/sha256.ts';

const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const generator: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};
const bits = 256;
const blockSize = 64;

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** X/Z², Y/Z³; Z = 0 is the point at infinity. */
interface Jacobian {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

/** X and Y, 32 bytes each, the highest byte first. */
export type PublicKey = Uint8Array;
/** R and S, 32 bytes each, the highest byte first. */
export type Signature = Uint8Array;

const infinity: Jacobian = { x: 1n, y: 1n, z: 0n };

/** @param secret 1 to the curve's order − 1. */
export function publicKeyOf(secret: bigint): PublicKey {
  const { x, y } = affine(combination(secret, generator, 0n, generator));
  return joined(bytesOf(x), bytesOf(y));
}

/** Whether `signature` is that of `message` under `key`. False for anything that is no signature or no key. */
export function verify(key: PublicKey, message: Uint8Array, signature: Signature): boolean {
  const r = numberOf(signature.subarray(0, 32));
  const s = numberOf(signature.subarray(32));
  const point = { x: numberOf(key.subarray(0, 32)), y: numberOf(key.subarray(32)) };
  if (signature.length !== 64 || key.length !== 64 || r === 0n || s === 0n || r >= n || s >= n || !onCurve(point)) {
    return false;
  }
  const inverse = inverted(s, n);
  const sum = combination((numberOf(sha256(message)) * inverse) % n, generator, (r * inverse) % n, point);
  return sum.z !== 0n && affine(sum).x % n === r;
}

/** The same message and secret give the same signature (RFC 6979). */
export function sign(secret: bigint, message: Uint8Array): Signature {
  const digest = sha256(message);
  const z = numberOf(digest) % n;
  for (const k of candidates(secret, bytesOf(z))) {
    const r = affine(combination(k, generator, 0n, generator)).x % n;
    const s = (inverted(k, n) * (z + r * secret)) % n;
    if (r !== 0n && s !== 0n) {
      return joined(bytesOf(r), bytesOf(s));
    }
  }
  throw new Error('There is always another candidate.');
}

/** RFC 6979, section 3.2, steps b to h. */
function* candidates(secret: bigint, digest: Uint8Array): Generator<bigint> {
  const seed = joined(bytesOf(secret), digest);
  let key: Uint8Array = new Uint8Array(32);
  let value: Uint8Array = new Uint8Array(32).fill(1);
  for (const mark of [0, 1]) {
    key = hmac(key, joined(value, Uint8Array.of(mark), seed));
    value = hmac(key, value);
  }
  for (;;) {
    value = hmac(key, value);
    const candidate = numberOf(value);
    if (candidate > 0n && candidate < n) {
      yield candidate;
    }
    key = hmac(key, joined(value, Uint8Array.of(0)));
    value = hmac(key, value);
  }
}

/** HMAC with SHA-256 (RFC 2104) and a key of 32 bytes. */
function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(blockSize);
  padded.set(key);
  const inner = sha256(
    joined(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** `a` times `one` plus `b` times `other`, bit by bit for both at once. */
function combination(a: bigint, one: Point, b: bigint, other: Point): Jacobian {
  const both = affineSum(one, other);
  let sum = infinity;
  for (let bit = BigInt(bits - 1); bit >= 0n; bit--) {
    sum = doubled(sum);
    const inA = (a >> bit) & 1n;
    const inB = (b >> bit) & 1n;
    const next = inA && inB ? both : inA ? lifted(one) : inB ? lifted(other) : null;
    if (next !== null) {
      sum = added(sum, next);
    }
  }
  return sum;
}

function affineSum(one: Point, other: Point): Jacobian {
  return one.x === other.x && one.y === other.y ? doubled(lifted(one)) : added(lifted(one), lifted(other));
}

function doubled({ x, y, z }: Jacobian): Jacobian {
  if (z === 0n || y === 0n) {
    return infinity;
  }
  const ySquared = (y * y) % p;
  const s = (4n * x * ySquared) % p;
  const zSquared = (z * z) % p;
  // The curve's a is −3.
  const m = (3n * (x - zSquared) * (x + zSquared)) % p;
  const newX = reduced(m * m - 2n * s);
  return { x: newX, y: reduced(m * (s - newX) - 8n * ySquared * ySquared), z: (2n * y * z) % p };
}

function added(one: Jacobian, other: Jacobian): Jacobian {
  if (one.z === 0n || other.z === 0n) {
    return one.z === 0n ? other : one;
  }
  const zz1 = (one.z * one.z) % p;
  const zz2 = (other.z * other.z) % p;
  const u1 = (one.x * zz2) % p;
  const h = reduced(other.x * zz1 - u1);
  const s1 = (one.y * zz2 * other.z) % p;
  const r = reduced(other.y * zz1 * one.z - s1);
  if (h === 0n) {
    return r === 0n ? doubled(one) : infinity;
  }
  const hh = (h * h) % p;
  const hhh = (h * hh) % p;
  const v = (u1 * hh) % p;
  const x = reduced(r * r - hhh - 2n * v);
  return { x, y: reduced(r * (v - x) - s1 * hhh), z: (h * one.z * other.z) % p };
}

function lifted({ x, y }: Point): Jacobian {
  return { x, y, z: 1n };
}

function affine({ x, y, z }: Jacobian): Point {
  const inverse = inverted(z, p);
  const squared = (inverse * inverse) % p;
  return { x: (x * squared) % p, y: (y * squared * inverse) % p };
}

function onCurve({ x, y }: Point): boolean {
  const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
  return x < p && y < p && reduced(y * y - (x * x * x - 3n * x + b)) === 0n;
}

function reduced(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

/** By Fermat: `modulus` is a prime. */
function inverted(value: bigint, modulus: bigint): bigint {
  let result = 1n;
  let power = value % modulus;
  for (let exponent = modulus - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) {
      result = (result * power) % modulus;
    }
    power = (power * power) % modulus;
  }
  return result;
}

function numberOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) {
    value = (value << 8n) | BigInt(byte);
  }
  return value;
}

/** 32 bytes, the highest first. */
function bytesOf(value: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32);
  let rest = value;
  for (let at = 31; at >= 0; at--) {
    bytes[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** A secret that everybody can know: the hash of a sentence. */
export function secretOf(sentence: string): bigint {
  return (numberOf(sha256(new TextEncoder().encode(sentence))) % (n - 1n)) + 1n;
}
