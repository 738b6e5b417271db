/**
 * How a ROM writes compressed data, as genuine ROM code of an ESP32 (ECO3) was seen to do it: it inflates into one piece of RAM of
 * 32 KiB that it never clears, and programs all of that piece, also when the data ends before it does. What was in RAM behind the
 * data goes over the flash behind the data. Nothing is programmed of a piece that would pass the end of flash, and no answer says so.
 *
 * The ROM of the ESP32-C3 programs what it was sent and nothing else.
 */

import { createRandom } from '../../random.ts';
import { Inflater } from '../inflater.ts';

/** Bytes, counted from the offset of the begin command. */
export const romWindowSize = 32_768;

/** What is to be programmed. */
export interface Programming {
  readonly offset: number;
  readonly data: Uint8Array;
}

/** One stream after its begin command. */
export class RomInflation {
  readonly #inflater = new Inflater();
  readonly #window: Uint8Array | null;
  readonly #flashEnd: number;
  #blocks: number;
  #offset: number;
  #filled = 0;

  /**
   * @param window the RAM in which a ROM that programs whole windows inflates; null: this one does not
   * @param stream where it begins, how many blocks were announced, and the end of flash as the ROM knows it
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

  /** What the next block lets the ROM program, in order; null when it is no zlib stream. */
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

  /** All of the window, whatever of it belongs to this stream. */
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

/** What is in a ROM's window before anything was inflated: whatever ran before has left something there. */
export function leftoverWindow(): Uint8Array {
  const random = createRandom(0, 'left in RAM');
  const bytes = new Uint8Array(romWindowSize);
  for (let index = 0; index < romWindowSize; index++) {
    bytes[index] = random.below(256);
  }
  return bytes;
}
