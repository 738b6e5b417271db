/** Frames that all end with the same bytes. */
import { defineFraming } from './framing-definition.ts';
import type { Splitter } from './splitter.ts';
import { type TypedBytes, typedBytes } from './typed-bytes.ts';

class DelimiterSplitter implements Splitter {
  readonly gap = null;
  readonly unfinished = 'incomplete';
  readonly decode = null;
  readonly fault = null;
  readonly decodedLength = 0;
  ending = 0;
  readonly #delimiter: Uint8Array;
  /** The frame's last bytes before the current chunk: as many as a delimiter may have begun with. */
  readonly #before: Uint8Array;
  #beforeLength = 0;

  constructor(delimiter: Uint8Array) {
    this.#delimiter = delimiter;
    this.#before = new Uint8Array(delimiter.length - 1);
  }

  next(bytes: Uint8Array, from: number, to: number): number {
    const { length } = this.#delimiter;
    const last = this.#delimiter[length - 1] as number;
    for (let at = bytes.indexOf(last, from); at !== -1 && at < to; at = bytes.indexOf(last, at + 1)) {
      if (this.#endsAt(bytes, from, at)) {
        this.#beforeLength = 0;
        this.ending = length;
        return at + 1;
      }
    }
    this.#remember(bytes, from, to);
    this.ending = 0;
    return -1;
  }

  restart(): void {
    this.#beforeLength = 0;
  }

  /** Returns true if the bytes before the one at `at` complete the delimiter. */
  #endsAt(bytes: Uint8Array, from: number, at: number): boolean {
    const last = this.#delimiter.length - 1;
    for (let back = 1; back <= last; back++) {
      const place = at - back;
      const byte = place >= from ? bytes[place] : this.#before[this.#beforeLength - (from - place)];
      if (byte !== this.#delimiter[last - back]) {
        return false;
      }
    }
    return true;
  }

  #remember(bytes: Uint8Array, from: number, to: number): void {
    const before = this.#before;
    const fresh = Math.min(to - from, before.length);
    const kept = Math.min(this.#beforeLength, before.length - fresh);
    before.copyWithin(0, this.#beforeLength - kept, this.#beforeLength);
    before.set(bytes.subarray(to - fresh, to), kept);
    this.#beforeLength = kept + fresh;
  }
}

export const delimiterFraming = defineFraming<{ readonly delimiter: TypedBytes }>({
  title: 'At a delimiter',
  use: 'Frames that end with the same bytes, such as a semicolon or a carriage return.',
  defaults: { delimiter: { as: 'text', typed: ';' } },
  fields: {
    delimiter: { kind: 'bytes', label: 'Delimiter' },
  },
  splitter: ({ delimiter }) => new DelimiterSplitter(typedBytes(delimiter)),
});
