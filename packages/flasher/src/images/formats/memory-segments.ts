/** Merges pieces of data at addresses into segments, for formats that carry addresses. */
import { addressText } from '../../core/bytes.ts';
import { ImageError } from '../image-error.ts';

const ADDRESS_SPACE = 2 ** 32;

export interface MemorySegment {
  readonly address: number;
  /** Not empty. */
  readonly bytes: Uint8Array;
}

/**
 * Sorts pieces by address and joins those that touch. A piece may repeat bytes of another if they are identical.
 *
 * @throws ImageError `address-twice`, `address-range`, `nothing-to-load`.
 */
export function mergeSegments(pieces: readonly MemorySegment[]): MemorySegment[] {
  const sorted = pieces.filter(({ bytes }) => bytes.length > 0).sort((one, other) => one.address - other.address);
  if (sorted.length === 0) {
    throw new ImageError('nothing-to-load');
  }
  const groups: { start: number; end: number; pieces: MemorySegment[] }[] = [];
  for (const piece of sorted) {
    const end = piece.address + piece.bytes.length;
    if (end > ADDRESS_SPACE) {
      throw new ImageError('address-range', { where: addressText(piece.address) });
    }
    const group = groups.at(-1);
    if (group !== undefined && piece.address <= group.end) {
      group.pieces.push(piece);
      group.end = Math.max(group.end, end);
    } else {
      groups.push({ start: piece.address, end, pieces: [piece] });
    }
  }
  return groups.map(({ start, end, pieces: parts }) => ({ address: start, bytes: joined(start, end, parts) }));
}

/** Joins `pieces`, which are in the order of addresses and without gaps. */
function joined(start: number, end: number, pieces: readonly MemorySegment[]): Uint8Array {
  const bytes = new Uint8Array(end - start);
  let filled = start;
  for (const { address, bytes: piece } of pieces) {
    const known = Math.min(Math.max(filled - address, 0), piece.length);
    for (let index = 0; index < known; index++) {
      if (bytes[address - start + index] !== piece[index]) {
        throw new ImageError('address-twice', { where: addressText(address + index) });
      }
    }
    bytes.set(piece.subarray(known), address - start + known);
    filled = Math.max(filled, address + piece.length);
  }
  return bytes;
}

/** Collects many small pieces. Adjacent ones are appended without creating an object for each. */
export class PieceCollector {
  readonly #done: MemorySegment[] = [];
  #run = new Uint8Array(1_024);
  #address = 0;
  #length = 0;

  add(address: number, bytes: Uint8Array): void {
    if (address !== this.#address + this.#length) {
      this.#finishRun();
      this.#address = address;
    }
    const end = this.#length + bytes.length;
    if (end > this.#run.length) {
      const longer = new Uint8Array(Math.max(end, 2 * this.#run.length));
      longer.set(this.#run);
      this.#run = longer;
    }
    this.#run.set(bytes, this.#length);
    this.#length = end;
  }

  pieces(): readonly MemorySegment[] {
    this.#finishRun();
    return this.#done;
  }

  #finishRun(): void {
    if (this.#length > 0) {
      this.#done.push({ address: this.#address, bytes: this.#run.slice(0, this.#length) });
    }
    this.#length = 0;
  }
}
