/**
 * The numbers in one line, found in its bytes without a string being made of them: this runs over every line that comes while
 * a plot is shown. What is found stays in the reader until the next line. Knows no series and no time.
 */
import { afterControls as afterSequences } from '../control-sequences.ts';
import { logPrefix } from '../log-prefix.ts';

/** Numbers of one line that are looked at; more than fit a picture. */
const MOST_NUMBERS = 32;
const LONGEST_NAME = 32;
/** Bytes of a unit: `rpm`, `m/s²`, `°C`. */
const LONGEST_UNIT = 6;
/** Digits that a number of type double holds for certain, and powers of ten that it holds exactly. */
const SAFE_DIGITS = 15;
const powers = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const LETTER_E = 0x65;
const LETTER_X = 0x78;
/** The square and the cube of a unit. */
const TWO = 0x32;
const THREE = 0x33;
const TAB = 0x09;
const ESCAPE = 0x1b;
const LETTER_M = 0x6d;

/** What a byte can be, as bits. */
const LETTER = 1;
const DIGIT = 2;
/** Goes on a name: letters and digits do so, too. */
const NAME = 4;
/** Stands before a name or behind a value. */
const EDGE = 8;
/** Stands in a unit: letters do so, too. */
const UNIT = 16;
/** Separates columns, any number of them counting as one. */
const BLANK = 32;

const kinds = new Uint8Array(256);
const mark = (characters: string, kind: number) => {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    kinds[code] = (kinds[code] ?? 0) | kind;
  }
};
mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', LETTER | NAME | UNIT);
mark('0123456789', DIGIT | NAME);
mark('.-/#', NAME);
mark('%/', UNIT);
mark(' \t,;|"(){}[]<>\x1b\r', EDGE);
mark(' ()[]{}|\r', BLANK);
// What is beyond ASCII is part of names and units: `Größe`, `°C`, `µs`, `Ω`.
kinds.fill(LETTER | NAME | UNIT, 128);

const decoder = new TextDecoder();

/** How the numbers of a line stand in it: behind their names, in columns, or whichever of these it is. */
export type NumberFormat = 'any' | 'named' | 'columns';

export class NumberLine {
  /** How many numbers there are. */
  count = 0;
  /** Whether they have names, or are columns. */
  labelled = false;
  /** Of a column that is empty: NaN. */
  readonly values = new Float64Array(MOST_NUMBERS);
  /** Where the names stand. */
  readonly nameStarts = new Int32Array(MOST_NUMBERS);
  readonly nameEnds = new Int32Array(MOST_NUMBERS);
  /** Where the tag of a log line stands; both 0 when there is none. */
  tagStart = 0;
  tagEnd = 0;
  /** Of the number or unit that was read last. */
  #end = 0;
  #value = 0;

  /** Reads the line in `bytes` from `from` up to `to`, without its ending. */
  read(bytes: Uint8Array, from: number, to: number, format: NumberFormat = 'any'): void {
    const prefix = logPrefix(bytes, from, to);
    this.tagStart = prefix?.tagStart ?? 0;
    this.tagEnd = prefix?.tagEnd ?? 0;
    const start = prefix?.textStart ?? afterSequences(bytes, from, to);
    const end = withoutColour(bytes, start, to);
    if (hasEscape(bytes, start, end)) {
      const text = withoutSequences(bytes, start, end);
      this.#readText(text, 0, text.length, format);
      for (let index = 0; this.labelled && index < this.count; index++) {
        this.nameStarts[index] = (this.nameStarts[index] ?? 0) + start;
        this.nameEnds[index] = (this.nameEnds[index] ?? 0) + start;
      }
    } else {
      this.#readText(bytes, start, end, format);
    }
  }

  #readText(bytes: Uint8Array, from: number, to: number, format: NumberFormat): void {
    this.count = 0;
    this.labelled = true;
    if (format !== 'columns') {
      this.#readLabelled(bytes, from, to);
    }
    if (this.count === 0 && format !== 'named') {
      this.labelled = false;
      this.#readColumns(bytes, from, to);
    }
  }

  #readLabelled(bytes: Uint8Array, from: number, to: number): void {
    let free = from;
    for (let at = from; at < to && this.count < MOST_NUMBERS; at++) {
      const byte = bytes[at];
      if (
        (byte === COLON || byte === EQUALS) &&
        this.#findName(bytes, free, at) &&
        this.#readValue(bytes, at + 1, to)
      ) {
        this.values[this.count++] = this.#value;
        at = this.#end - 1;
        free = this.#end;
      }
    }
  }

  /** Looks for a name that ends before `to` and begins at `from` or later. */
  #findName(bytes: Uint8Array, from: number, to: number): boolean {
    let end = to;
    while (end > from && (bytes[end - 1] === SPACE || bytes[end - 1] === QUOTE)) {
      end--;
    }
    let start = end;
    while (start > from && end - start <= LONGEST_NAME && kindAt(bytes, start - 1) & NAME) {
      start--;
    }
    if (start === end || end - start > LONGEST_NAME || !(kindAt(bytes, start) & LETTER)) {
      return false;
    }
    this.nameStarts[this.count] = start;
    this.nameEnds[this.count] = end;
    return start === from || (kindAt(bytes, start - 1) & EDGE) !== 0;
  }

  /** Reads a number with its unit, which must be followed by an edge. */
  #readValue(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    while (at < to && (bytes[at] === SPACE || bytes[at] === QUOTE)) {
      at++;
    }
    if (!this.#readNumber(bytes, at, to)) {
      return false;
    }
    this.#skipUnit(bytes, to);
    return this.#end === to || (kindAt(bytes, this.#end) & EDGE) !== 0;
  }

  #readColumns(bytes: Uint8Array, from: number, to: number): void {
    let at = skipBlanks(bytes, from, to);
    if (at === to || kindAt(bytes, at) & LETTER) {
      return;
    }
    let column = 0;
    let numbers = 0;
    while (at < to && column < MOST_NUMBERS) {
      if (isSeparator(bytes[at])) {
        this.values[column++] = Number.NaN;
        at = skipBlanks(bytes, at + 1, to);
        continue;
      }
      if (!this.#readValue(bytes, at, to)) {
        return;
      }
      this.values[column++] = this.#value;
      numbers++;
      at = skipBlanks(bytes, this.#end, to);
      if (isSeparator(bytes[at]) && at < to) {
        at = skipBlanks(bytes, at + 1, to);
      }
    }
    this.count = numbers === 0 ? 0 : column;
  }

  /** A decimal number at `at`, such as `-12`, `.5` or `6.02e23`; hexadecimal ones are addresses and flags, no values. */
  #readNumber(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    const sign = bytes[at];
    if (sign === MINUS || sign === PLUS) {
      at++;
    }
    if (bytes[at] === ZERO && ((bytes[at + 1] ?? 0) | SPACE) === LETTER_X) {
      return false;
    }
    let digits = 0;
    let fraction = 0;
    let mantissa = 0;
    let point = false;
    for (; at < to; at++) {
      const byte = bytes[at] as number;
      if (kinds[byte] === (DIGIT | NAME)) {
        mantissa = mantissa * 10 + (byte - ZERO);
        digits++;
        fraction += point ? 1 : 0;
      } else if (byte === POINT && !point) {
        point = true;
      } else {
        break;
      }
    }
    if (digits === 0) {
      return false;
    }
    const exponent = this.#exponentEnd(bytes, at, to);
    this.#end = exponent;
    this.#value =
      exponent === at && digits <= SAFE_DIGITS
        ? ((sign === MINUS ? -1 : 1) * mantissa) / (powers[fraction] as number)
        : Number(decoder.decode(bytes.subarray(from, exponent)));
    return true;
  }

  /** Where an exponent at `at` ends; `at` when there is none. */
  #exponentEnd(bytes: Uint8Array, from: number, to: number): number {
    if (((bytes[from] ?? 0) | SPACE) !== LETTER_E) {
      return from;
    }
    let at = from + 1;
    if (bytes[at] === MINUS || bytes[at] === PLUS) {
      at++;
    }
    const digits = at;
    while (at < to && kindAt(bytes, at) & DIGIT) {
      at++;
    }
    return at > digits ? at : from;
  }

  /** Behind a number: `C`, ` °C`, ` m/s2`; a word that turns out to be a name is none. */
  #skipUnit(bytes: Uint8Array, to: number): void {
    const number = this.#end;
    let at = number;
    if (bytes[at] === SPACE) {
      at++;
    }
    const start = at;
    while (at < to && at - start < LONGEST_UNIT && kindAt(bytes, at) & UNIT) {
      at++;
    }
    if (at > start && at < to && (bytes[at] === TWO || bytes[at] === THREE)) {
      at++;
    }
    const after = at < to && bytes[at] === SPACE ? bytes[at + 1] : bytes[at];
    const isName = at < to && (after === COLON || after === EQUALS);
    const isWhole = at === to || (kindAt(bytes, at) & EDGE) !== 0;
    if (at > start && isWhole && !isName) {
      this.#end = at;
    }
  }
}

function kindAt(bytes: Uint8Array, at: number): number {
  return kinds[bytes[at] ?? 0] as number;
}

function isSeparator(byte: number | undefined): boolean {
  return byte === COMMA || byte === SEMICOLON || byte === TAB;
}

function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && kindAt(bytes, at) & BLANK) {
    at++;
  }
  return at;
}

function hasEscape(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (bytes[at] === ESCAPE) {
      return true;
    }
  }
  return false;
}

/** A copy with blanks in the place of control sequences: all else stays where it was. */
function withoutSequences(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const text = bytes.slice(from, to);
  for (let at = text.indexOf(ESCAPE); at !== -1; at = text.indexOf(ESCAPE, at + 1)) {
    text.fill(SPACE, at, afterSequences(text, at, text.length));
  }
  return text;
}

/** Where the text ends that a colour at the end of the line follows. */
function withoutColour(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[to - 1] !== LETTER_M) {
    return to;
  }
  const colour = from + bytes.subarray(from, to).lastIndexOf(ESCAPE);
  return colour >= from && afterSequences(bytes, colour, to) === to ? colour : to;
}
