/**
 * Packets with a gap between them. A gap is the time between the arrivals of two reads. A USB bridge forwards its
 * bytes every 1 to 16 ms, so a shorter gap on the wire is not seen. A busy system can also add one.
 */
import { joined } from '@wirebench/port/bytes';
import type { NumberField } from '@wirebench/port/option-fields';
import { defineFraming } from './framing-definition.ts';
import { LONGEST_ENDING, lineEndingLength } from './newline.ts';
import type { Splitter } from './splitter.ts';

/** Longest time that a USB bridge holds received bytes back, in milliseconds. */
const bridgeDelay = 16;
export const shortestGap = 1;
export const longestGap = 60_000;
/** Default gap in milliseconds. Longer than the delay of a bridge, so that it does not cut a packet in two. */
export const usualGap = 20;

export const gapField: NumberField = {
  kind: 'number',
  label: 'Gap',
  unit: 'milliseconds',
  least: shortestGap,
  most: longestGap,
  hint: `Milliseconds. USB bridges buffer for up to ${bridgeDelay}.`,
};

class GapSplitter implements Splitter {
  readonly gap: number;
  readonly unfinished = null;
  readonly decode = null;
  readonly fault = null;
  readonly decodedLength = 0;
  ending = 0;
  /** The last bytes of the packet so far, as many as a line ending can have. */
  #tail = new Uint8Array(0);

  constructor(gap: number) {
    this.gap = gap;
  }

  next(bytes: Uint8Array, from: number, to: number): number {
    const piece = bytes.subarray(Math.max(from, to - LONGEST_ENDING), to);
    const kept = this.#tail.subarray(Math.max(0, this.#tail.length + piece.length - LONGEST_ENDING));
    this.#tail = joined(kept, piece);
    this.ending = lineEndingLength(this.#tail);
    return -1;
  }

  restart(): void {
    this.#tail = new Uint8Array(0);
  }
}

export const gapFraming = defineFraming<{ readonly gap: number }>({
  title: 'After a gap',
  use: 'Packets with a gap between them.',
  defaults: { gap: usualGap },
  fields: { gap: gapField },
  splitter: ({ gap }) => new GapSplitter(gap),
});
