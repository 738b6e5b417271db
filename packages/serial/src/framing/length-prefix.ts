/** Frames that begin with their length. */
import { defineFraming } from './framing-definition.ts';
import type { Splitter } from './splitter.ts';

/**
 * Longest frame in bytes. A larger length counts as an error: no frame would be recognised until that many bytes have
 * come.
 */
const longestFrame = 1 << 20;

type LengthPrefix = {
  /** Bytes of the length field. */
  readonly width: 1 | 2 | 4;
  readonly order: 'big' | 'little';
  /** True: the length includes its own bytes. */
  readonly countsItself: boolean;
};

class LengthPrefixSplitter implements Splitter {
  readonly gap = null;
  readonly unfinished = 'incomplete';
  readonly decode = null;
  readonly ending = 0;
  readonly decodedLength = 0;
  fault: 'invalid' | null = null;
  readonly #prefix: LengthPrefix;
  /** Bytes of the length that have come, and its value so far. */
  #known = 0;
  #length = 0;
  /** Missing bytes after the length, once the length is known. */
  #left = 0;

  constructor(prefix: LengthPrefix) {
    this.#prefix = prefix;
  }

  next(bytes: Uint8Array, from: number, to: number): number {
    const { width } = this.#prefix;
    let at = from;
    if (this.#known < width) {
      at = this.#takeLength(bytes, from, to);
      if (this.#known < width) {
        return -1;
      }
      const own = this.#prefix.countsItself ? width : 0;
      this.#left = this.#length - own;
      if (this.#left < 0 || this.#left > longestFrame) {
        this.restart();
        this.fault = 'invalid';
        return at;
      }
    }
    const end = at + this.#left;
    if (end > to) {
      this.#left = end - to;
      return -1;
    }
    this.restart();
    this.fault = null;
    return end;
  }

  restart(): void {
    this.#known = 0;
    this.#length = 0;
    this.#left = 0;
  }

  #takeLength(bytes: Uint8Array, from: number, to: number): number {
    const { width, order } = this.#prefix;
    let at = from;
    while (this.#known < width && at < to) {
      const byte = bytes[at++] as number;
      this.#length = order === 'big' ? this.#length * 256 + byte : this.#length + byte * 256 ** this.#known;
      this.#known++;
    }
    return at;
  }
}

export const lengthPrefixFraming = defineFraming<LengthPrefix>({
  title: 'Length prefix',
  use: 'Frames that begin with their length, which is at most 1 MB.',
  defaults: { width: 1, order: 'big', countsItself: false },
  fields: {
    width: {
      kind: 'choice',
      label: 'Bytes',
      name: 'Bytes of the length',
      choices: [
        { value: 1, label: '1' },
        { value: 2, label: '2' },
        { value: 4, label: '4' },
      ],
    },
    order: {
      kind: 'choice',
      label: 'Order',
      name: 'Byte order of the length',
      choices: [
        { value: 'big', label: 'Big' },
        { value: 'little', label: 'Little' },
      ],
    },
    countsItself: { kind: 'switch', label: 'The length counts itself' },
  },
  splitter: (prefix) => new LengthPrefixSplitter(prefix),
});
