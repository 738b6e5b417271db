/**
 * Consistent Overhead Byte Stuffing (Cheshire and Baker, 1997). A 0 ends each frame and does not occur inside it. A
 * frame is a sequence of blocks. The first byte of a block is its length, this byte included. A block decodes to its
 * other bytes and a 0; the last block and those of 255 have no 0.
 */
import { defineFraming } from './framing-definition.ts';
import type { Splitter } from './splitter.ts';

const DELIMITER = 0;
/** Code of a block that is not followed by a 0. */
const FULL_BLOCK = 0xff;

class CobsSplitter implements Splitter {
  readonly gap = null;
  readonly unfinished = 'incomplete';
  readonly decode = decodeCobs;
  readonly ending = 0;
  fault: 'invalid' | null = null;
  decodedLength = 0;
  /** Code of the current block; 0 before the first one. */
  #code = 0;
  /** Missing bytes of the current block. */
  #left = 0;
  #decoded = 0;

  /** Finds the end of the frame. Delimiters before a frame belong to it: a sender may put one at both ends. */
  next(bytes: Uint8Array, from: number, to: number): number {
    let start = from;
    for (;;) {
      const found = bytes.indexOf(DELIMITER, start);
      const end = found === -1 ? to : Math.min(found, to);
      this.#take(bytes, start, end);
      if (end === to) {
        return -1;
      }
      if (this.#code !== 0) {
        this.fault = this.#left > 0 ? 'invalid' : null;
        this.decodedLength = this.#decoded;
        this.restart();
        return end + 1;
      }
      start = end + 1;
      if (start === to) {
        return -1;
      }
    }
  }

  restart(): void {
    this.#code = 0;
    this.#left = 0;
    this.#decoded = 0;
  }

  /** Jumps from code to code, without reading the bytes in between. */
  #take(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, to - at);
        this.#left -= step;
        at += step;
        continue;
      }
      if (this.#code !== 0 && this.#code !== FULL_BLOCK) {
        this.#decoded++;
      }
      this.#code = bytes[at++] as number;
      this.#left = this.#code - 1;
      this.#decoded += this.#left;
    }
  }
}

/** @param frame A valid frame with its delimiters. */
function decodeCobs(frame: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(frame.length);
  const end = frame.length - 1;
  let length = 0;
  let at = 0;
  while (at < end && frame[at] === DELIMITER) {
    at++;
  }
  while (at < end) {
    const code = frame[at] as number;
    content.set(frame.subarray(at + 1, at + code), length);
    length += code - 1;
    at += code;
    if (code !== FULL_BLOCK && at < end) {
      content[length++] = 0;
    }
  }
  return content.subarray(0, length);
}

export const cobsFraming = defineFraming({
  title: 'COBS frames',
  use: 'Frames with consistent overhead byte stuffing, each ending with a 0.',
  defaults: {},
  fields: {},
  splitter: () => new CobsSplitter(),
});
