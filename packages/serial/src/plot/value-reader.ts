/**
 * Reads the value of one reading in the bytes of a line, without creating a string. A value is a decimal number, or a
 * word that a device prints if it has no number. Such a word has the value NaN, so that the following values stay in
 * their series. The unit behind a value is read as well.
 */
import { DIGIT, endsAt, kindAt, LETTER, UNIT } from './plot-bytes.ts';

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;
const EQUALS = 0x3d;
const QUESTION_MARK = 0x3f;
const LETTER_E = 0x65;
const LETTER_X = 0x78;
/** Exponents of a unit: square and cube. */
const TWO = 0x32;
const THREE = 0x33;
/** Longest unit in bytes: `rpm`, `m/s²`, `°C`. */
const LONGEST_UNIT = 6;
/** Digits that a double always holds. `powers`: the powers of ten that it holds exactly. */
const SAFE_DIGITS = 15;
const powers = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const decoder = new TextDecoder();

const encoder = new TextEncoder();
const none: readonly Uint8Array[] = [];

/** A few words that are recognised in bytes, without a string being made of them. */
export class ByteWords {
  /** Words by their length and first byte. */
  readonly #words: (readonly Uint8Array[] | undefined)[] = [];
  readonly #fold = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  /** By the first byte of a word, in both cases if these count as one. */
  readonly #first: Uint8Array;
  readonly #longest: number;

  /**
   * @param words Not empty; in lower case if `ignoreCase`.
   * @param ignoreCase True: ignore the case of the 26 ASCII letters.
   */
  constructor(words: readonly string[], ignoreCase = false) {
    for (let letter = 0x41; ignoreCase && letter <= 0x5a; letter++) {
      this.#fold[letter] = letter + 0x20;
    }
    const all = words.map((word) => encoder.encode(word));
    for (const word of all) {
      const key = keyOf(word.length, word[0] as number);
      this.#words[key] = [...(this.#words[key] ?? []), word];
    }
    const initials = new Set(all.map(([first]) => first));
    this.#first = this.#fold.map((folded) => (initials.has(folded) ? 1 : 0));
    this.#longest = Math.max(...all.map(({ length }) => length));
  }

  /** False if no word has this first byte. */
  mayBegin(byte: number): boolean {
    return this.#first[byte] === 1;
  }

  /** Returns true if the bytes from `from` up to `to` are one of the words. */
  has(bytes: Uint8Array, from: number, to: number): boolean {
    const length = to - from;
    if (length <= 0 || length > this.#longest) {
      return false;
    }
    for (const word of this.#words[keyOf(length, this.#fold[bytes[from] as number] as number)] ?? none) {
      if (this.#isWord(word, bytes, from)) {
        return true;
      }
    }
    return false;
  }

  #isWord(word: Uint8Array, bytes: Uint8Array, from: number): boolean {
    for (let index = 1; index < word.length; index++) {
      if (this.#fold[bytes[from + index] as number] !== word[index]) {
        return false;
      }
    }
    return true;
  }
}

const keyOf = (length: number, first: number) => (length << 8) | first;

/**
 * Words in place of a number, in lower case: from C's printf (`nan`, `inf`), Arduino's Print (`ovf`), JSON, Python
 * and JavaScript, and from displays.
 */
const absentWords = new ByteWords(
  ['nan', 'inf', 'infinity', 'ovf', 'null', 'none', 'undefined', 'na', 'n/a', 'err', 'error'],
  true,
);
const LONGEST_ABSENT = 9;
/** Words of a state, which has no place on an axis of numbers. */
const stateWords = new ByteWords(['true', 'false'], true);
/** Most characters in a mark such as `-`, `--`, `---` and `?`. A longer row of them underlines a heading. */
const MAX_MARKS = 3;

/**
 * Units that may follow a blank where a name of several words is also possible. Any other word there is the first
 * word of that name.
 */
const usualUnits = new ByteWords(
  (
    '% %RH C °C F °F K V mV kV uV µV A mA uA µA W mW kW Wh J Hz kHz MHz GHz s ms us µs ns min h m mm cm km um µm g mg kg N Nm Pa hPa ' +
    'kPa mbar bar psi rpm deg ° rad dB dBm lx lux ppm ppb l ml B kB KB MB KiB MiB bit bits Ohm Ω kΩ T mT uT µT G m/s km/h m/s2 rad/s dps'
  ).split(' '),
);

export class ValueReader {
  /** Offset after the last read value or unit. */
  end = 0;
  /** The last read value; NaN for a word in place of a number. */
  value = 0;
  /** True: the last read value is `true` or `false`. */
  isState = false;
  /** True: a comma between two digits is a decimal comma. */
  decimalComma = false;
  /** True: a minus may have blanks behind it, as in `- 5`. */
  blankSign = false;

  /** Reads a value without its unit. Returns false if there is no value. */
  begin(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    while (at < to && (bytes[at] === SPACE || bytes[at] === QUOTE || bytes[at] === TAB)) {
      at++;
    }
    return this.#readNumber(bytes, at, to) || this.#readAbsent(bytes, at, to);
  }

  /**
   * Reads the unit after the value that was begun. Returns false if value or unit is incomplete.
   *
   * @param severalWords True: the name behind the value may have several words.
   */
  finish(bytes: Uint8Array, to: number, severalWords: boolean): boolean {
    this.#skipUnit(bytes, to, severalWords);
    return endsAt(bytes, this.end, to);
  }

  /** Returns the unit behind the value that ends at `from`; empty without one. */
  unitAt(bytes: Uint8Array, from: number, to: number): string {
    this.end = from;
    this.#skipUnit(bytes, to, true);
    return this.end > from ? decoder.decode(bytes.subarray(from, this.end)).trim() : '';
  }

  /**
   * Reads a decimal number such as `-12`, `.5` or `6.02e23`. Hexadecimal numbers are addresses and flags, not values.
   */
  #readNumber(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    const sign = bytes[at];
    if (sign === MINUS || sign === PLUS) {
      at++;
      const digits = this.blankSign && sign === MINUS ? afterBlanks(bytes, at, to) : at;
      at = isDigit(bytes, digits, to) ? digits : at;
    }
    if (bytes[at] === ZERO && ((bytes[at + 1] ?? 0) | SPACE) === LETTER_X) {
      return false;
    }
    let digits = 0;
    let fraction = 0;
    let mantissa = 0;
    let point = -1;
    for (; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte >= ZERO && byte < COLON) {
        mantissa = mantissa * 10 + (byte - ZERO);
        digits++;
        fraction += point === -1 ? 0 : 1;
      } else if (
        point === -1 &&
        (byte === POINT || (byte === COMMA && this.decimalComma && isDigit(bytes, at + 1, to)))
      ) {
        point = at;
      } else {
        break;
      }
    }
    if (digits === 0) {
      return false;
    }
    const exponent = exponentEnd(bytes, at, to);
    this.end = exponent;
    this.isState = false;
    this.value =
      exponent === at && digits <= SAFE_DIGITS
        ? ((sign === MINUS ? -1 : 1) * mantissa) / (powers[fraction] as number)
        : Number(decoder.decode(bytes.subarray(from, exponent)).replace(',', '.').replaceAll(' ', ''));
    return true;
  }

  /** Reads `nan`, `-inf`, `--` or `?` as NaN. */
  #readAbsent(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    while (at < to && (bytes[at] === MINUS || bytes[at] === PLUS || bytes[at] === QUESTION_MARK)) {
      at++;
    }
    const marks = at - from;
    const start = at;
    // The first letter excludes most words of a line.
    const first = bytes[at] ?? 0;
    if (marks === 0 && !absentWords.mayBegin(first) && !stateWords.mayBegin(first)) {
      return false;
    }
    while (at < to && at - start <= LONGEST_ABSENT && (kindAt(bytes, at) & LETTER || bytes[at] === SLASH)) {
      at++;
    }
    const isMarks = at === start && marks > 0 && marks <= MAX_MARKS;
    const isState = marks === 0 && stateWords.has(bytes, start, at);
    if (!isMarks && !isState && (marks > 1 || !absentWords.has(bytes, start, at))) {
      return false;
    }
    this.isState = isState;
    this.end = at;
    this.value = Number.NaN;
    return true;
  }

  /** Skips the unit behind a value: `C`, ` °C`, ` m/s2`. A word that turns out to be a name is not a unit. */
  #skipUnit(bytes: Uint8Array, to: number, severalWords: boolean): void {
    const hasBlank = bytes[this.end] === SPACE;
    const start = hasBlank ? this.end + 1 : this.end;
    let at = start;
    while (at < to && at - start < LONGEST_UNIT && kindAt(bytes, at) & UNIT) {
      at++;
    }
    if (at > start && at < to && (bytes[at] === TWO || bytes[at] === THREE)) {
      at++;
    }
    if (at === start || !endsAt(bytes, at, to)) {
      return;
    }
    const after = at < to && bytes[at] === SPACE ? bytes[at + 1] : bytes[at];
    const isName =
      (at < to && (after === COLON || after === EQUALS)) || (hasBlank && absentWords.has(bytes, start, at));
    const mayBeName = severalWords && hasBlank && bytes[at] === SPACE;
    if (!isName && (!mayBeName || usualUnits.has(bytes, start, at))) {
      this.end = at;
    }
  }
}

const isDigit = (bytes: Uint8Array, at: number, to: number) => at < to && (kindAt(bytes, at) & DIGIT) !== 0;

function afterBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] === SPACE) {
    at++;
  }
  return at;
}

/** Returns the end of an exponent at `at`; `at` without one. */
function exponentEnd(bytes: Uint8Array, from: number, to: number): number {
  if (((bytes[from] ?? 0) | SPACE) !== LETTER_E) {
    return from;
  }
  let at = from + 1;
  if (bytes[at] === MINUS || bytes[at] === PLUS) {
    at++;
  }
  const digits = at;
  while (isDigit(bytes, at, to)) {
    at++;
  }
  return at > digits ? at : from;
}
