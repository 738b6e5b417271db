/**
 * Packets with a gap between them. What counts is when a read arrived: a USB bridge hands on what it has once in 1 to 16 ms,
 * so that a shorter gap on the wire is not seen, and a busy system can make one.
 */
import { defineFraming, type NumberField } from './framing-definition.ts';
import { endsWithReturn, lineEndingLength } from './newline.ts';
import type { Splitter } from './splitter.ts';

export const shortestGap = 1;
export const longestGap = 60_000;
/** Long enough that a USB bridge, which hands on what it has every 16 ms at worst, does not cut a packet in two. */
export const usualGap = 20;

export const gapField: NumberField = {
  kind: 'number',
  label: 'Gap',
  unit: 'milliseconds',
  least: shortestGap,
  most: longestGap,
  hint: 'Milliseconds. USB bridges buffer for up to 16.',
};

class GapSplitter implements Splitter {
  readonly gap: number;
  readonly unfinished = null;
  readonly decode = null;
  readonly fault = null;
  readonly decodedLength = 0;
  ending = 0;
  #afterReturn = false;

  constructor(gap: number) {
    this.gap = gap;
  }

  next(bytes: Uint8Array, from: number, to: number): number {
    const piece = bytes.subarray(from, to);
    this.ending = lineEndingLength(piece, this.#afterReturn);
    this.#afterReturn = endsWithReturn(piece);
    return -1;
  }

  restart(): void {
    this.#afterReturn = false;
  }
}

export const gapFraming = defineFraming<{ readonly gap: number }>({
  title: 'After a gap',
  use: 'Packets with a gap between them, such as Modbus RTU.',
  defaults: { gap: usualGap },
  fields: { gap: gapField },
  splitter: ({ gap }) => new GapSplitter(gap),
});
