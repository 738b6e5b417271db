/**
 * Compares files that were dropped together for the same data at the same place. Only then may one of them be left
 * out.
 */
import { isErased, isFilledWith } from '../../core/bytes.ts';
import { ImageError } from '../../images/image-error.ts';
import { espImageMagic, readEspImage } from '../images/esp-image.ts';
import type { PlacedFile } from './placement.ts';

const HASH_SIZE = 32;

/** Returns true if `other` contains all of `file` at the place where `file` goes. */
export function isPartOf(file: PlacedFile, other: PlacedFile): boolean {
  const start = startIn(file, other);
  const end = start + file.bytes.length;
  return start >= 0 && end <= other.bytes.length && isSameData(file.bytes, other.bytes.subarray(start, end));
}

/** Returns true if `file` consists of `others`, each at its place, and padding between them. */
export function isMadeOf(file: PlacedFile, others: readonly PlacedFile[]): boolean {
  const inside = others
    .map((other) => ({ bytes: other.bytes, start: startIn(other, file) }))
    .filter(({ start, bytes }) => start < file.bytes.length && start + bytes.length > 0)
    .toSorted((one, other) => one.start - other.start);
  let at = 0;
  for (const { bytes, start } of inside) {
    const [from, to] = [Math.max(0, start), Math.min(file.bytes.length, start + bytes.length)];
    const isSame = isSameData(bytes.subarray(from - start, to - start), file.bytes.subarray(from, to));
    if (!isSame || !isPadding(file.bytes.subarray(at, Math.max(at, from)))) {
      return false;
    }
    at = Math.max(at, to);
  }
  return inside.length > 0 && isPadding(file.bytes.subarray(at));
}

/** Returns the position of `file` in `other`; NaN if one of them has no offset. */
function startIn(file: PlacedFile, other: PlacedFile): number {
  return file.offset === null || other.offset === null ? Number.NaN : file.offset - other.offset;
}

const isPadding = (bytes: Uint8Array) => isErased(bytes) || isFilledWith(bytes, 0);

/**
 * Compares two images apart from flash settings and hash, because merging tools change the bootloader's header
 * (esptool, `merge-bin`).
 */
function isSameData(one: Uint8Array, other: Uint8Array): boolean {
  const free = one[0] === espImageMagic ? settingsAndHash(one) : [];
  return one.every((byte, at) => byte === other[at] || free.some(([start, end]) => at >= start && at < end));
}

function settingsAndHash(bytes: Uint8Array): (readonly [start: number, end: number])[] {
  try {
    const { size, hasHash } = readEspImage(bytes);
    return [[2, 4], ...(hasHash ? [[size - HASH_SIZE, size] as const] : [])];
  } catch (error) {
    if (error instanceof ImageError) {
      return [];
    }
    throw error;
  }
}
