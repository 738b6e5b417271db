/**
 * Finds the readings in the bytes of one line. It runs for every line that arrives while a plot is shown. The result
 * stays in the reader until the next line. `value-reader.ts` reads a value, `series-name.ts` a name.
 */
import { logPrefix } from '../log-prefix.ts';
import { hasControls, stripControls, visibleBytes } from '../visible-bytes.ts';
import { DIGIT, EDGE, kindAt, SEPARATOR, skipBlanks } from './plot-bytes.ts';
import { SeriesName } from './series-name.ts';
import { ValueReader } from './value-reader.ts';

/** Most readings of one line, more than fit a picture. */
const MOST_NUMBERS = 32;

const SPACE = 0x20;
const TAB = 0x09;
const COMMA = 0x2c;
const POINT = 0x2e;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const BAR = 0x7c;

/** Form of the numbers in a line: behind names, in columns, or any of the two. */
export type NumberFormat = 'any' | 'named' | 'columns';

export class NumberLine {
  /** Number of readings; 0 unless at least one of them is a number. */
  count = 0;
  /** Number of readings of a line without any number: each is a gap in its series. 0 for any other line. */
  gapCount = 0;
  /** 1 if a separator follows the last column, else 0. An empty column with the value NaN may follow the separator. */
  trailing = 0;
  /** True: the readings have names. False: they are columns. */
  labelled = false;
  /** True: the line contains only names, values and units. */
  pure = false;
  /** Values of the readings. NaN for a reading without a number, such as `nan` or an empty column. */
  readonly values = new Float64Array(MOST_NUMBERS + 1);
  /** Bytes to which the offsets of names and tag refer: those that were read, or only the visible ones. */
  bytes: Uint8Array = new Uint8Array(0);
  readonly nameStarts = new Int32Array(MOST_NUMBERS);
  readonly nameEnds = new Int32Array(MOST_NUMBERS);
  /** Range of the log line's tag; both 0 without a tag. */
  tagStart = 0;
  tagEnd = 0;
  /** Buffer for the visible bytes of one line. */
  #visible = new Uint8Array(256);
  readonly #value = new ValueReader();
  readonly #name = new SeriesName();

  /** Reads the line in `bytes` from `from` up to `to`, without its ending. */
  read(bytes: Uint8Array, from: number, to: number, format: NumberFormat = 'any'): void {
    if (hasControls(bytes, from, to)) {
      if (this.#visible.length < to - from) {
        this.#visible = new Uint8Array((to - from) * 2);
      }
      const length = stripControls(bytes, from, to, this.#visible);
      const visible = length === -1 ? visibleBytes(bytes.subarray(from, to)) : this.#visible;
      this.#read(visible, 0, length === -1 ? visible.length : length, format);
    } else {
      this.#read(bytes, from, to, format);
    }
  }

  #read(bytes: Uint8Array, from: number, to: number, format: NumberFormat): void {
    this.bytes = bytes;
    const prefix = logPrefix(bytes, from, to);
    const isTagged = prefix !== null && prefix.tagEnd > prefix.tagStart;
    this.tagStart = isTagged ? prefix.tagStart : 0;
    this.tagEnd = isTagged ? prefix.tagEnd : 0;
    const start = prefix?.textStart ?? from;
    this.count = 0;
    this.gapCount = 0;
    this.trailing = 0;
    this.labelled = true;
    const { hasComma, hasName } = marksOf(bytes, start, to);
    this.#value.decimalComma = hasComma && hasDecimalCommas(bytes, start, to);
    if (format !== 'columns' && hasName) {
      this.#readLabelled(bytes, start, to);
    }
    if (this.count + this.gapCount === 0 && format !== 'named') {
      this.labelled = false;
      this.#readColumns(bytes, start, to);
    }
  }

  #readLabelled(bytes: Uint8Array, from: number, to: number): void {
    const name = this.#name;
    const value = this.#value;
    /**
     * End of the last value. `severalWords`: the next name may have several words even without a separator before it.
     */
    let free = from;
    let severalWords = true;
    let found = 0;
    let numbers = 0;
    this.pure = true;
    for (let at = from; at < to && found < MOST_NUMBERS; at++) {
      const byte = bytes[at];
      if (byte !== COLON && byte !== EQUALS) {
        continue;
      }
      const isNamed = name.find(bytes, free, at, severalWords || hasSeparator(bytes, free, at));
      const before: boolean = found === 0 ? name.severalWords : severalWords;
      if (isNamed && this.#readLabelledValue(bytes, at + 1, to, before)) {
        this.nameStarts[found] = name.start;
        this.nameEnds[found] = name.end;
        this.pure &&= areEdges(bytes, free, name.start);
        this.values[found++] = value.value;
        numbers += Number.isNaN(value.value) ? 0 : 1;
        free = value.end;
        severalWords = before;
        at = free - 1;
      } else {
        free = at + 1;
        severalWords = false;
        this.pure = false;
      }
    }
    this.pure &&= areEdges(bytes, free, to);
    this.#settle(found, numbers);
  }

  /** Reads the value behind a `:` or `=`. An empty value before a comma or a semicolon is a gap. */
  #readLabelledValue(bytes: Uint8Array, from: number, to: number, severalWords: boolean): boolean {
    if (this.#value.read(bytes, from, to, severalWords)) {
      return true;
    }
    const at = bytes[from] === SPACE ? from + 1 : from;
    if (at >= to || (bytes[at] !== COMMA && bytes[at] !== SEMICOLON)) {
      return false;
    }
    this.#value.end = at;
    this.#value.value = Number.NaN;
    return true;
  }

  #readColumns(bytes: Uint8Array, from: number, to: number): void {
    let at = skipBlanks(bytes, from, to);
    let column = 0;
    let numbers = 0;
    let trailing = 0;
    while (at < to && column < MOST_NUMBERS) {
      trailing = 0;
      if (kindAt(bytes, at) & SEPARATOR) {
        this.values[column++] = Number.NaN;
        trailing = 1;
        at = skipBlanks(bytes, at + 1, to);
        continue;
      }
      if (!this.#value.read(bytes, at, to, false)) {
        return;
      }
      const { value, end } = this.#value;
      this.values[column++] = value;
      numbers += Number.isNaN(value) ? 0 : 1;
      at = skipBlanks(bytes, end, to);
      if (at < to && kindAt(bytes, at) & SEPARATOR) {
        trailing = 1;
        at = skipBlanks(bytes, at + 1, to);
      }
    }
    this.values[column] = Number.NaN;
    this.trailing = trailing;
    this.pure = true;
    this.#settle(column, numbers);
  }

  #settle(found: number, numbers: number): void {
    this.count = numbers === 0 ? 0 : found;
    this.gapCount = numbers === 0 ? found : 0;
  }
}

/** Looks for a comma, and for a `:` or `=` that may end a name. Most lines of text have neither. */
function marksOf(bytes: Uint8Array, from: number, to: number) {
  let hasComma = false;
  let hasName = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    hasComma ||= byte === COMMA;
    hasName ||= byte === COLON || byte === EQUALS;
  }
  return { hasComma, hasName };
}

/**
 * Returns true if the commas in the line are decimal commas. Each is between two digits, no value has two of them,
 * and no value has a point. Columns need another separator: semicolons or tabs, or blanks if each value has a comma.
 * Named values need no other separator, because a name has only one value; but `1,024` may be thousands.
 */
function hasDecimalCommas(bytes: Uint8Array, from: number, to: number): boolean {
  let commas = 0;
  let strong = false;
  let blank = false;
  let named = false;
  let thousands = false;
  /** True: the current value has a digit. `comma`: it has a comma. */
  let digit = false;
  let comma = false;
  /** True: some value has no comma. */
  let plain = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte === COMMA) {
      if (comma || !isDigit(bytes, at - 1, from, to) || !isDigit(bytes, at + 1, from, to)) {
        return false;
      }
      comma = true;
      commas++;
      thousands ||= digitsFrom(bytes, at + 1, to) === 3;
    } else if (byte === POINT && isDigit(bytes, at + 1, from, to)) {
      return false;
    } else if (byte === SEMICOLON || byte === TAB || byte === SPACE) {
      plain ||= digit && !comma;
      strong ||= byte !== SPACE;
      blank ||= byte === SPACE;
      digit = false;
      comma = false;
    } else {
      digit ||= (kindAt(bytes, at) & DIGIT) !== 0;
      named ||= byte === COLON || byte === EQUALS;
    }
  }
  plain ||= digit && !comma;
  return commas > 0 && (strong || (named ? !thousands : blank && !plain));
}

function digitsFrom(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (isDigit(bytes, at, from, to)) {
    at++;
  }
  return at - from;
}

const isDigit = (bytes: Uint8Array, at: number, from: number, to: number) =>
  at >= from && at < to && (kindAt(bytes, at) & DIGIT) !== 0;

function hasSeparator(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (kindAt(bytes, at) & SEPARATOR || bytes[at] === BAR) {
      return true;
    }
  }
  return false;
}

function areEdges(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (!(kindAt(bytes, at) & EDGE)) {
      return false;
    }
  }
  return true;
}
