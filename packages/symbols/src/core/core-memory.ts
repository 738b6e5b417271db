/** The memory that a core dump holds, by address. Knows no tasks. */
export interface MemorySegment {
  readonly address: number;
  readonly bytes: Uint8Array;
}

/** Segments may touch and overlap; the first that has an address answers for it. */
export class CoreMemory {
  readonly #segments: readonly MemorySegment[];

  constructor(segments: readonly MemorySegment[]) {
    this.#segments = segments.filter(({ bytes }) => bytes.length > 0);
  }

  get segments(): readonly MemorySegment[] {
    return this.#segments;
  }

  /** Exactly `length` bytes; undefined when not all of them are known. */
  read(address: number, length: number): Uint8Array | undefined {
    const segment = this.#segments.find(
      (one) => address >= one.address && address + length <= one.address + one.bytes.length,
    );
    return segment?.bytes.subarray(address - segment.address, address - segment.address + length);
  }

  /** Little-endian; undefined when it is not known. */
  word(address: number): number | undefined {
    const bytes = this.read(address, 4);
    return bytes && new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  /** The same memory with what `others` know beside it. */
  with(others: readonly MemorySegment[]): CoreMemory {
    return new CoreMemory([...this.#segments, ...others]);
  }
}
