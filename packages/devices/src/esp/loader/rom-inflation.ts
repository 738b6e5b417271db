/**
 * Compressed writes of a ROM, as observed with genuine ROM code of an ESP32 (ECO3). It inflates into a window of 32
 * KiB in RAM that it never clears, and programs the whole window, also when the data ends earlier. Old content of the
 * window then overwrites the flash behind the data. A window that would pass the end of flash is not programmed at
 * all, and the answers do not report it.
 *
 * The ROM of the ESP32-C3 programs exactly the data that it was sent.
 */

import { createRandom } from '../../random.ts';
import { Inflater } from '../inflater.ts';

/** Size of the window in bytes. Windows are counted from the offset of the begin command. */
export const romWindowSize = 32_768;

/** Data to program, at an offset in flash. */
export interface Programming {
  readonly offset: number;
  readonly data: Uint8Array;
}

/** One compressed stream after its begin command. */
export class RomInflation {
  readonly #inflater = new Inflater();
  readonly #window: Uint8Array | null;
  readonly #flashEnd: number;
  #blocks: number;
  #offset: number;
  #filled = 0;

  /**
   * @param window RAM in which a ROM inflates that programs whole windows. Null for other ROMs.
   * @param stream Start of the data, number of announced blocks, and the end of flash as the ROM knows it.
   */
  constructor(
    window: Uint8Array | null,
    stream: { readonly offset: number; readonly blocks: number; readonly flashEnd: number },
  ) {
    this.#window = window;
    this.#offset = stream.offset;
    this.#blocks = stream.blocks;
    this.#flashEnd = stream.flashEnd;
  }

  /** Inflates the next block. Returns the data to program, in order; null for an invalid stream. */
  push(block: Uint8Array): readonly Programming[] | null {
    const pieces = this.#inflater.push(block);
    this.#blocks--;
    if (pieces === null) {
      return null;
    }
    if (this.#window === null) {
      return pieces.map((data) => ({ offset: this.#advance(data.length), data }));
    }
    const programmings = pieces.flatMap((piece) => this.#fill(piece));
    return this.#blocks === 0 && this.#filled > 0 ? [...programmings, ...this.#takeWindow()] : programmings;
  }

  #fill(piece: Uint8Array): Programming[] {
    const programmings: Programming[] = [];
    for (let taken = 0; taken < piece.length; ) {
      const part = piece.subarray(taken, taken + romWindowSize - this.#filled);
      this.#window?.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled === romWindowSize) {
        programmings.push(...this.#takeWindow());
      }
    }
    return programmings;
  }

  /** Returns the whole window, including bytes that do not belong to this stream. */
  #takeWindow(): Programming[] {
    const data = this.#window?.slice() ?? new Uint8Array();
    this.#filled = 0;
    const offset = this.#advance(data.length);
    return offset + data.length > this.#flashEnd ? [] : [{ offset, data }];
  }

  #advance(length: number): number {
    const offset = this.#offset;
    this.#offset += length;
    return offset;
  }
}

/** Returns the content of a ROM's window before the first inflation: leftovers of earlier code. */
export function leftoverWindow(): Uint8Array {
  const random = createRandom(0, 'left in RAM');
  const bytes = new Uint8Array(romWindowSize);
  for (let index = 0; index < romWindowSize; index++) {
    bytes[index] = random.below(256);
  }
  return bytes;
}
