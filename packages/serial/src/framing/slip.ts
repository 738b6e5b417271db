/** SLIP (RFC 1055): C0 ends a frame; C0 and DB inside it are sent as DB DC and DB DD. */
import { defineFraming } from './framing-definition.ts';
import type { Splitter } from './splitter.ts';

const END = 0xc0;
const ESC = 0xdb;
const ESC_END = 0xdc;
const ESC_ESC = 0xdd;

class SlipSplitter implements Splitter {
  readonly gap = null;
  readonly unfinished = 'incomplete';
  readonly decode = decodeSlip;
  readonly ending = 0;
  fault: 'invalid' | null = null;
  decodedLength = 0;
  #decoded = 0;
  #escaped = false;
  #valid = true;

  /** Finds the end of the frame. A C0 before a frame belongs to it: many senders put one at both ends. */
  next(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (byte === END) {
        if (this.#decoded > 0 || this.#escaped) {
          this.fault = this.#valid && !this.#escaped ? null : 'invalid';
          this.decodedLength = this.#decoded;
          this.restart();
          return at + 1;
        }
      } else if (this.#escaped) {
        this.#escaped = false;
        this.#valid &&= byte === ESC_END || byte === ESC_ESC;
        this.#decoded++;
      } else if (byte === ESC) {
        this.#escaped = true;
      } else {
        this.#decoded++;
      }
    }
    return -1;
  }

  restart(): void {
    this.#decoded = 0;
    this.#escaped = false;
    this.#valid = true;
  }
}

/** @param frame A valid frame with its delimiters. */
function decodeSlip(frame: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(frame.length);
  let length = 0;
  for (let at = 0; at < frame.length; at++) {
    const byte = frame[at] as number;
    if (byte === ESC) {
      content[length++] = frame[++at] === ESC_END ? END : ESC;
    } else if (byte !== END) {
      content[length++] = byte;
    }
  }
  return content.subarray(0, length);
}

export const slipFraming = defineFraming({
  title: 'SLIP frames',
  use: 'Frames as in RFC 1055, each ending with C0.',
  defaults: {},
  fields: {},
  splitter: () => new SlipSplitter(),
});
