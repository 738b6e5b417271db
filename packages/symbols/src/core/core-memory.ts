/** The memory in a core dump, by address. */
export interface MemorySegment {
  readonly address: number;
  readonly bytes: Uint8Array;
}

/** Memory in segments, which may touch and overlap. The first segment with an address wins. */
export class CoreMemory {
  readonly #segments: readonly MemorySegment[];

  constructor(segments: readonly MemorySegment[]) {
    this.#segments = segments.filter(({ bytes }) => bytes.length > 0);
  }

  get segments(): readonly MemorySegment[] {
    return this.#segments;
  }

  /** Returns exactly `length` bytes; undefined unless one segment holds them all. */
  read(address: number, length: number): Uint8Array | undefined {
    const segment = this.#segments.find(
      (one) => address >= one.address && address + length <= one.address + one.bytes.length,
    );
    return segment?.bytes.subarray(address - segment.address, address - segment.address + length);
  }

  /** Reads a little-endian word; undefined if the dump does not hold it. */
  word(address: number): number | undefined {
    const bytes = this.read(address, 4);
    return bytes && new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  /** Returns this memory extended by the segments of `others`. */
  with(others: readonly MemorySegment[]): CoreMemory {
    return new CoreMemory([...this.#segments, ...others]);
  }
}
