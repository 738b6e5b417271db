/**
 * Reads the exception index of ARM programs (`.ARM.exidx`, with `.ARM.extab`), which holds instructions to undo each
 * function's prologue. They are valid at the calls of a function, not inside its prologue and epilogue. Source:
 * Exception Handling ABI for the Arm Architecture (IHI 0038), sections 6 and 9.3.
 */
import { ByteCursor } from '../byte-cursor.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { lastAtMost } from '../lookup/search.ts';

/** `EXIDX_CANTUNWIND`. */
const CANNOT_UNWIND = 1;
/** Bit 31 marks the compact model; bits 24 to 27 hold its number. */
const COMPACT = 0x8000_0000;

export interface IndexEntry {
  /** First address of the function. */
  readonly start: number;
  /** Null if the table marks the function as impossible to unwind. */
  readonly instructions: Uint8Array | null;
}

export class ExceptionIndex {
  readonly #starts: Float64Array;
  /** Second words of the entries. */
  readonly #contents: Uint32Array;
  readonly #address: number;
  readonly #memory: CoreMemory;

  /**
   * @param bytes content of `.ARM.exidx`, which is sorted by address
   * @param address load address of `.ARM.exidx`
   * @param memory contains `.ARM.extab`
   */
  constructor(bytes: Uint8Array, address: number, memory: CoreMemory) {
    const count = bytes.length >>> 3;
    const cursor = new ByteCursor(bytes, true);
    this.#starts = new Float64Array(count);
    this.#contents = new Uint32Array(count);
    this.#address = address;
    this.#memory = memory;
    for (let index = 0; index < count; index++) {
      this.#starts[index] = relative(address + 8 * index, cursor.u32());
      this.#contents[index] = cursor.u32();
    }
  }

  get length(): number {
    return this.#starts.length;
  }

  /**
   * Returns the entry of the function that contains `address`.
   * @throws RangeError if the entry is damaged.
   */
  find(address: number): IndexEntry | undefined {
    const index = lastAtMost(this.#starts, address, 0, this.#starts.length);
    const start = this.#starts[index];
    const content = this.#contents[index];
    if (start === undefined || content === undefined) {
      return undefined;
    }
    if (content === CANNOT_UNWIND) {
      return { start, instructions: null };
    }
    const isInline = content >= COMPACT;
    const at = isInline ? null : relative(this.#address + 8 * index + 4, content);
    return { start, instructions: at === null ? inWord(content, 3) : this.#fromTable(at) };
  }

  #fromTable(address: number): Uint8Array {
    const first = this.#word(address);
    if (first < COMPACT) {
      // Generic model: a routine for C++ or another language follows, and then data. The data of GCC's and Arm's
      // routines begins in the same format.
      const second = this.#word(address + 4);
      return this.#instructions(second, 3, address + 8, second >>> 24);
    }
    return (first >>> 24) % 16 === 0
      ? inWord(first, 3)
      : this.#instructions(first, 2, address + 4, (first >>> 16) & 0xff);
  }

  /** Returns the lowest `count` bytes of `word`, then `more` words. */
  #instructions(word: number, count: number, address: number, more: number): Uint8Array {
    const all = new Uint8Array(count + 4 * more);
    all.set(inWord(word, count));
    for (let index = 0; index < more; index++) {
      all.set(inWord(this.#word(address + 4 * index), 4), count + 4 * index);
    }
    return all;
  }

  #word(address: number): number {
    const word = this.#memory.word(address);
    if (word === undefined) {
      throw new RangeError('An entry outside of the table');
    }
    return word;
  }
}

/**
 * Returns the lowest `count` bytes of a word, the highest first: instructions are stored from the highest byte down.
 */
function inWord(word: number, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => word >>> (8 * (count - 1 - index)));
}

/** Resolves a 31-bit offset (`R_ARM_PREL31`) relative to its own address. */
function relative(at: number, word: number): number {
  return (at + ((word << 1) >> 1)) >>> 0;
}
