/** Reads a mangled name from left to right, and keeps what later parts of it refer back to. */
import type { Part } from './nodes.ts';
import { NotUnderstood } from './not-understood.ts';

/** Nested deeper than any compiler writes. */
const DEEPEST = 200;

export class MangledText {
  /** Parts that `S_`, `S0_` … refer to. */
  readonly substitutions: Part[] = [];
  /** Arguments that `T_`, `T0_` … refer to. */
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

  /** What was not read yet. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Empty behind the end. */
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

  /** Decimal digits; empty when there are none. */
  digits(): string {
    let end = this.#at;
    while (/[0-9]/.test(this.#text[end] ?? '')) {
      end++;
    }
    const digits = this.#text.slice(this.#at, end);
    this.#at = end;
    return digits;
  }

  /** A number with `n` for minus, written with a sign. */
  signedNumber(): string {
    const sign = this.takeIf('n') ? '-' : '';
    const digits = this.digits();
    return digits === '' ? this.fail() : sign + digits;
  }

  /** `_` is 0, `0_` is 1 and so on, in the given base. */
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
