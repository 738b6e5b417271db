/** Memory as a file fills it: bytes at addresses. No read leaves the file, whatever addresses the file states. */
import { viewOf } from '../../core/bytes.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';

/** Largest read, in bytes. All structures that are looked for are smaller. */
const MAX_READ = 0x40_0000;

export interface ReadableMemory {
  /** Returns null if a byte is not in the file. */
  read(address: number, size: number): Uint8Array | null;
  /** Returns zeros for bytes that are not in the file. */
  readFilled(address: number, size: number): Uint8Array;
}

export class ProgramMemory implements ReadableMemory {
  readonly segments: readonly MemorySegment[];

  /** @param segments In the order of addresses, without overlaps. */
  constructor(segments: readonly MemorySegment[]) {
    this.segments = segments;
  }

  /** Bytes that the file has in all. */
  get size(): number {
    return this.segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  read(address: number, size: number): Uint8Array | null {
    return this.#copy(address, size, true);
  }

  readFilled(address: number, size: number): Uint8Array {
    return this.#copy(address, size, false) ?? new Uint8Array(Math.min(size, MAX_READ));
  }

  #copy(address: number, size: number, mustBeWhole: boolean): Uint8Array | null {
    if (!(size >= 0 && size <= MAX_READ)) {
      return null;
    }
    const end = address + size;
    const bytes = new Uint8Array(size);
    let found = 0;
    for (let index = this.#firstEndingAfter(address); index < this.segments.length; index++) {
      const segment = this.segments[index];
      if (segment === undefined || segment.address >= end) {
        break;
      }
      const from = Math.max(address, segment.address);
      const to = Math.min(end, segment.address + segment.bytes.length);
      bytes.set(segment.bytes.subarray(from - segment.address, to - segment.address), from - address);
      found += to - from;
    }
    return mustBeWhole && found < size ? null : bytes;
  }

  /** Finds a segment by bisection, because a UF2 file may have thousands. */
  #firstEndingAfter(address: number): number {
    let [low, high] = [0, this.segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const segment = this.segments[middle];
      if (segment !== undefined && segment.address + segment.bytes.length <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** A range of run-time addresses, and the address at which the file stores it. */
export interface Mapping {
  readonly start: number;
  readonly end: number;
  readonly stored: number;
}

/** Memory at run-time addresses: what a loader or the start-up code copies is read where it is stored. */
export class MappedMemory implements ReadableMemory {
  readonly #memory: ReadableMemory;
  readonly #mappings: readonly Mapping[];

  /** @param mappings Of overlapping ones, the last counts. */
  constructor(memory: ReadableMemory, mappings: readonly Mapping[]) {
    this.#memory = memory;
    this.#mappings = mappings;
  }

  read(address: number, size: number): Uint8Array | null {
    const bytes = new Uint8Array(Math.min(size, MAX_READ));
    for (const piece of this.#pieces(address, size)) {
      const found = this.#memory.read(piece.stored, piece.size);
      if (found === null) {
        return null;
      }
      bytes.set(found, piece.at);
    }
    return bytes;
  }

  readFilled(address: number, size: number): Uint8Array {
    const bytes = new Uint8Array(Math.min(size, MAX_READ));
    for (const piece of this.#pieces(address, size)) {
      bytes.set(this.#memory.readFilled(piece.stored, piece.size), piece.at);
    }
    return bytes;
  }

  *#pieces(address: number, size: number): Generator<{ at: number; stored: number; size: number }> {
    const wanted = Math.min(size, MAX_READ);
    for (let at = 0; at < wanted; ) {
      const place = address + at;
      const mapping = this.#mappings.findLast(({ start, end }) => place >= start && place < end);
      const edges = this.#mappings.flatMap(({ start, end }) => [start, end]).filter((edge) => edge > place);
      const length = Math.min(wanted - at, ...edges.map((edge) => edge - place));
      yield { at, stored: mapping === undefined ? place : mapping.stored + (place - mapping.start), size: length };
      at += length;
    }
  }
}

/** Reads a little-endian word; null if it is not in the file. */
export function wordAt(memory: ReadableMemory, address: number): number | null {
  const bytes = memory.read(address, 4);
  return bytes === null ? null : viewOf(bytes).getUint32(0, true);
}
