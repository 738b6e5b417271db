/** Frames that all have the same number of bytes. */
import { defineFraming } from './framing-definition.ts';
import type { Splitter } from './splitter.ts';

const longestLength = 65_535;

class FixedLengthSplitter implements Splitter {
  readonly gap = null;
  readonly unfinished = 'incomplete';
  readonly decode = null;
  readonly ending = 0;
  readonly fault = null;
  readonly decodedLength = 0;
  readonly #length: number;
  #left: number;

  constructor(length: number) {
    this.#length = length;
    this.#left = length;
  }

  next(_bytes: Uint8Array, from: number, to: number): number {
    const end = from + this.#left;
    if (end > to) {
      this.#left = end - to;
      return -1;
    }
    this.#left = this.#length;
    return end;
  }

  restart(): void {
    this.#left = this.#length;
  }
}

export const fixedLengthFraming = defineFraming<{ readonly length: number }>({
  title: 'After a fixed length',
  use: 'Records that all have the same size.',
  defaults: { length: 16 },
  fields: {
    length: {
      kind: 'number',
      label: 'Length',
      unit: 'bytes',
      least: 1,
      most: longestLength,
      hint: 'Bytes in each frame.',
    },
  },
  splitter: ({ length }) => new FixedLengthSplitter(length),
});
