/** Reads a mangled name from left to right, and stores parts for later back references. */
import type { Part } from './nodes.ts';
import { NotUnderstood } from './not-understood.ts';

/** Maximum nesting; compilers write less. */
const DEEPEST = 200;

export class MangledText {
  /** Parts referred to by `S_`, `S0_` … */
  readonly substitutions: Part[] = [];
  /** Arguments referred to by `T_`, `T0_` … */
  templateArguments: Part[] = [];
  readonly #text: string;
  #at: number;
  #depth = 0;

  constructor(mangled: string, at: number) {
    this.#text = mangled;
    this.#at = at;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Unread rest of the name. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Returns a later character without reading it; empty behind the end. */
  look(ahead = 0): string {
    return this.#text[this.#at + ahead] ?? '';
  }

  take(): string {
    return this.#text[this.#at++] ?? '';
  }

  takeIf(expected: string): boolean {
    const isThere = this.#text.startsWith(expected, this.#at);
    if (isThere) {
      this.#at += expected.length;
    }
    return isThere;
  }

  expect(expected: string): void {
    if (!this.takeIf(expected)) {
      this.fail();
    }
  }

  takeText(length: number): string {
    const end = this.#at + length;
    if (length === 0 || end > this.#text.length) {
      this.fail();
    }
    const taken = this.#text.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** Reads decimal digits; returns an empty text if the next character is not a digit. */
  digits(): string {
    let end = this.#at;
    while (/[0-9]/.test(this.#text[end] ?? '')) {
      end++;
    }
    const digits = this.#text.slice(this.#at, end);
    this.#at = end;
    return digits;
  }

  /** Reads a number, with `n` for minus, and returns it with a sign. */
  signedNumber(): string {
    const sign = this.takeIf('n') ? '-' : '';
    const digits = this.digits();
    return digits === '' ? this.fail() : sign + digits;
  }

  /** Reads a sequence number in the given base: `_` is 0, `0_` is 1 and so on. */
  sequenceNumber(base: 10 | 36): number {
    if (this.takeIf('_')) {
      return 0;
    }
    let digits = '';
    while ((base === 36 ? /[0-9A-Z]/ : /[0-9]/).test(this.look())) {
      digits += this.take();
    }
    this.expect('_');
    const number = Number.parseInt(digits, base);
    return Number.isSafeInteger(number) ? number + 1 : this.fail();
  }

  /** Runs `parse` one level deeper. */
  deeper<Result>(parse: () => Result): Result {
    if (++this.#depth > DEEPEST) {
      this.fail();
    }
    const result = parse();
    this.#depth--;
    return result;
  }

  fail(): never {
    throw new NotUnderstood();
  }
}
