/**
 * Hash and signature of a block (RP2350 datasheet 5.9.3.2 to 5.9.3.4). Hashed are the stretches of the load map, then
 * words of the block from its start marker on. The flag "try before you buy" counts as not set.
 */
import { isSame } from '../../core/bytes.ts';
import { sha256 } from '../../images/sha256.ts';
import { itemType, type PicobinBlock } from './picobin-block.ts';
import { type BlockContents, bytesOf, type Signature } from './picobin-contents.ts';
import type { ProgramMemory } from './program-memory.ts';
import type { Candidate, Found } from './rom-scan.ts';
import { bootableFlash, flashStart, ramEnd } from './rp-firmware.ts';

/** `none`: the block states none. */
export type Proof = 'right' | 'wrong' | 'none';

export interface BlockProof {
  readonly hash: Proof;
  readonly signature: Proof;
}

/** Bytes that a load map may hash beside those of the file: padding that the file leaves out. */
const MAX_PADDING = 0x10_0000;
/** Largest stretch that is read at once, in bytes. */
const MAX_STRETCH = 0x10_0000;

const TBYB = 0x8000_0000;

/** Checks hash and signature. */
export async function proveBlock(
  block: PicobinBlock,
  contents: BlockContents,
  memory: ProgramMemory,
): Promise<BlockProof> {
  const { hash, signature } = contents;
  if (contents.hashedWords === null || (hash === null && signature === null)) {
    return { hash: 'none', signature: 'none' };
  }
  const hashed = hashedBytes(block, contents, memory);
  const digest = hashed === null ? null : await sha256(hashed);
  return {
    // A shorter hash is compared as far as it goes.
    hash: hash === null ? 'none' : digest !== null && isStartOf(hash, digest) ? 'right' : 'wrong',
    signature:
      signature === null ? 'none' : digest !== null && (await isSignedBy(signature, digest)) ? 'right' : 'wrong',
  };
}

const isStartOf = (hash: Uint8Array, digest: Uint8Array) =>
  hash.length <= digest.length && isSame(hash, digest.subarray(0, hash.length));

/** Collects what is hashed; null if that is more than the file has. */
function hashedBytes(
  { words, items }: PicobinBlock,
  { loadMap, hashedWords }: BlockContents,
  memory: ProgramMemory,
): Uint8Array | null {
  const entries = loadMap ?? [];
  if (entries.reduce((sum, { size }) => sum + size, 0) > memory.size + MAX_PADDING) {
    return null;
  }
  const parts: Uint8Array[] = [];
  for (const { stored, size } of entries) {
    if (stored === 0) {
      parts.push(bytesOf(Uint32Array.of(size)));
    } else {
      for (let at = 0; at < size; at += MAX_STRETCH) {
        parts.push(memory.readFilled(stored + at, Math.min(MAX_STRETCH, size - at)));
      }
    }
  }
  const own = new Uint32Array(hashedWords ?? 0);
  own.set(words.subarray(0, own.length));
  if (items[0]?.type === itemType.imageType && own.length > 1) {
    own[1] = (own[1] ?? 0) & ~TBYB;
  }
  parts.push(bytesOf(own));
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The curve is not among those of Web Crypto. Its code is loaded when a file is signed. */
async function isSignedBy({ publicKey, bytes }: Signature, digest: Uint8Array): Promise<boolean> {
  const { secp256k1 } = await import('@noble/curves/secp256k1.js');
  try {
    const key = Uint8Array.of(UNCOMPRESSED, ...publicKey);
    return secp256k1.verify(bytes, digest, key, { prehash: false, lowS: false });
  } catch {
    // A key that is not on the curve, or numbers out of range.
    return false;
  }
}

/** First byte of a public key with both coordinates (SEC 1, 2.3.3). */
const UNCOMPRESSED = 4;

/** A program or a table that the boot ROM has found, with the place where it lies. */
export interface Picked {
  readonly candidate: Candidate;
  readonly found: Found;
}

/** Type of a hash in its item. */
const SHA256 = 1;

const isFlash = (address: number) => address < flashStart + bootableFlash;

/** Memory that the boot ROM loads to or hashes: flash, RAM, the memory of the cache. */
function isLoadable(address: number): boolean {
  const isXip = address >= flashStart && address < 0x1200_0000;
  return isXip || (address >= 0x13ff_c000 && address < 0x1400_0000) || (address >= 0x2000_0000 && address < ramEnd);
}

/** Checks load map and hash as the boot ROM does before it uses a block. Returns the first fault; null without one. */
export async function romProofFault(
  { candidate, found }: Picked,
  memory: ProgramMemory,
): Promise<'load-map' | 'hash' | null> {
  const { block, contents } = candidate;
  // A program that lies elsewhere is mapped to the start of flash. Its addresses move with it.
  const shift = found.window.base + found.offset - flashStart + (contents.windowDelta ?? 0);
  const entries = (contents.loadMap ?? []).map((entry) => ({
    ...entry,
    stored: entry.stored !== 0 && contents.isMapAbsolute && isFlash(entry.stored) ? entry.stored + shift : entry.stored,
    target: isFlash(entry.runtime) ? entry.runtime + shift : entry.runtime,
  }));
  const end = found.window.base + found.window.size;
  const isBad = entries.some(
    ({ stored, target, size }) =>
      target % 4 !== 0 ||
      !isLoadable(target) ||
      (size > 0 && !isLoadable(target + size - 1)) ||
      (stored !== 0 && (stored % 4 !== 0 || stored < found.window.base || stored + size >= end)),
  );
  if (isBad) {
    return 'load-map';
  }
  if (contents.hash === null) {
    return null;
  }
  const isHashed = block.items.some(
    ({ type, words }) => (type & 0x7f) === (itemType.hashDef & 0x7f) && (words[0] ?? 0) >>> 24 === SHA256,
  );
  const { hash } = await proveBlock(block, { ...contents, loadMap: entries, signature: null }, memory);
  return isHashed && hash === 'right' ? null : 'hash';
}
