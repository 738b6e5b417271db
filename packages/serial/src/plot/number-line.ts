/**
 * Finds the readings in the bytes of one line. It runs for every line that arrives while a plot is shown. The result
 * stays in the reader until the next line. `value-reader.ts` reads a value, `series-name.ts` a name.
 */
import { obeyedBytes } from '../control-finder.ts';
import { afterColours, ESCAPE } from '../control-sequences.ts';
import { logPrefix } from '../log-prefix.ts';
import { colourStart, stripControls, visibleBytes } from '../visible-bytes.ts';
import { KnownLead } from './known-lead.ts';
import { DIGIT, EDGE, isEqual, kindAt, LETTER, NAME, SEPARATOR, skipBlanks } from './plot-bytes.ts';
import { MAX_WORDS, SeriesName, wordStart } from './series-name.ts';
import { TeleplotLine } from './teleplot-line.ts';
import { ValueReader } from './value-reader.ts';

/**
 * Drawn bytes of the longest line that is read for numbers: as many as a row of the log shows. Longer lines would hold up all others. The
 * plot says that there are some.
 */
export const LONGEST_LINE = 4_096;
/** Most readings of one line: as many as a plot has curves. The plot says that a line has more. */
export const MAX_NUMBERS = 256;

const SPACE = 0x20;
const DOLLAR = 0x24;
const STAR = 0x2a;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const CLOSE_BRACE = 0x7d;
const TAB = 0x09;
const COMMA = 0x2c;
const POINT = 0x2e;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const BAR = 0x7c;

/** Kinds of bytes that the first pass over a line looks for. */
const [NOTHING, NAME_END, A_COMMA, A_CONTROL] = [0, 1, 2, 3];
const looked = new Uint8Array(256);
looked[COLON] = looked[EQUALS] = NAME_END;
looked[COMMA] = A_COMMA;
for (const byte of obeyedBytes) {
  looked[byte] = A_CONTROL;
}

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
  /** True: the line may also be a header. */
  mayBeHeader = false;
  /** True: the line contains only names, values and units. */
  pure = false;
  /** True: the line has more readings than are read. */
  isCut = false;
  /** Values of the readings. NaN for a reading without a number, such as `nan` or an empty column. */
  readonly values = new Float64Array(MAX_NUMBERS + 1);
  /** Times of the readings by the board's own clock, in milliseconds. NaN for a reading without one. */
  readonly times = new Float64Array(MAX_NUMBERS + 1);
  /** True: some reading has a time of the board. */
  hasTimes = false;
  /** Bytes to which the offsets of names and tag refer: those that were read, or only the visible ones. The line begins at `start`. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  readonly nameStarts = new Int32Array(MAX_NUMBERS);
  readonly nameEnds = new Int32Array(MAX_NUMBERS);
  /** Places of the readings among those of one name, from 1, as in `acc: 1, 2, 3`; 0 for the only one of its name. */
  readonly parts = new Int32Array(MAX_NUMBERS);
  /** Range of a value that no reading has: a state, or digits that may be thousands. Both 0 without one. */
  leftOutStart = 0;
  leftOutEnd = 0;
  /** Texts of the readings, if the line has texts in place of values. Otherwise empty. */
  texts: readonly string[] = [];
  /** Range of the log line's tag; both 0 without a tag. */
  tagStart = 0;
  tagEnd = 0;
  /** Ends of the values of readings, in front of their units. */
  readonly #valueEnds = new Int32Array(MAX_NUMBERS + 1);
  /** End of the value that `#readFurther` has read last. */
  #furtherEnd = 0;
  /** Buffer for the visible bytes of one line. */
  #visible = new Uint8Array(256);
  /** Position of the last comma of the line, and of the last `:` or `=`; -1 without one. */
  #lastComma = -1;
  #lastName = -1;
  #frameStart = 0;
  #frameEnd = 0;
  /** Text in front of each reading of the previous line. */
  readonly #leads: KnownLead[] = [];
  readonly #value = new ValueReader();
  readonly #name = new SeriesName();
  readonly #teleplot = new TeleplotLine();
  #isTeleplot = false;

  /** Reads the line in `bytes` from `from` up to `to`, without its ending. */
  read(bytes: Uint8Array, from: number, to: number, format: NumberFormat = 'any'): void {
    // Most colours are around a line.
    const start = bytes[from] === ESCAPE ? afterColours(bytes, from, to) : from;
    const end = colourStart(bytes, start, to);
    if (this.#look(bytes, start, end)) {
      if (this.#visible.length < to - from) {
        this.#visible = new Uint8Array((to - from) * 2);
      }
      const length = stripControls(bytes, from, to, this.#visible);
      const visible = length === -1 ? visibleBytes(bytes.subarray(from, to)) : this.#visible;
      const visibleEnd = length === -1 ? visible.length : length;
      this.#look(visible, 0, visibleEnd);
      this.#read(visible, 0, visibleEnd, format);
    } else {
      this.#read(bytes, start, end, format);
    }
  }

  /** Returns the unit of a reading as it stands in the line; empty without one. Valid until the next line. */
  unitOf(reading: number): string {
    return this.#isTeleplot
      ? this.#teleplot.unit
      : this.#value.unitAt(this.bytes, this.#valueEnds[reading] as number, this.end);
  }

  /** Finds commas and ends of names, which most lines of text lack. Returns true if some bytes may be invisible. */
  #look(bytes: Uint8Array, from: number, to: number): boolean {
    let isControlled = false;
    this.#lastComma = -1;
    this.#lastName = -1;
    for (let at = from; at < to; at++) {
      const found = looked[bytes[at] as number] as number;
      if (found === NOTHING) {
        continue;
      }
      if (found === NAME_END) {
        this.#lastName = at;
      } else if (found === A_COMMA) {
        this.#lastComma = at;
      } else {
        isControlled = true;
      }
    }
    return isControlled;
  }

  #read(bytes: Uint8Array, from: number, to: number, format: NumberFormat): void {
    this.bytes = bytes;
    this.start = from;
    this.end = to;
    const prefix = logPrefix(bytes, from, to);
    const isTagged = prefix !== null && prefix.tagEnd > prefix.tagStart;
    this.tagStart = isTagged ? prefix.tagStart : 0;
    this.tagEnd = isTagged ? prefix.tagEnd : 0;
    const first = prefix?.textStart ?? from;
    this.count = 0;
    this.gapCount = 0;
    this.trailing = 0;
    this.isCut = false;
    this.labelled = true;
    this.mayBeHeader = false;
    this.hasTimes = false;
    this.leftOutStart = 0;
    this.leftOutEnd = 0;
    if (this.texts.length > 0) {
      this.texts = [];
    }
    const comma = this.#lastComma;
    const text = afterTime(bytes, first, to);
    this.#isTeleplot = format !== 'columns' && bytes[text] === GREATER && this.#readTeleplot(bytes, text, to);
    if (this.#isTeleplot) {
      return;
    }
    const isFramed = this.#unframe(bytes, text, to);
    const start = isFramed ? this.#frameStart : text;
    const end = isFramed ? this.#frameEnd : to;
    this.#value.decimalComma =
      comma >= start && isBetweenDigits(bytes, comma, start, end) && hasDecimalCommas(bytes, start, end);
    if (format !== 'columns' && this.#lastName >= start) {
      this.#value.blankSign = true;
      this.#readLabelled(bytes, start, end);
    }
    if (this.count + this.gapCount === 0 && format !== 'named') {
      this.labelled = false;
      this.#value.blankSign = comma >= start;
      // A time in a column of its own is a column without a number, so that a header names the others.
      const isColumn = text > first && (kindAt(bytes, text - 1) & SEPARATOR) !== 0;
      this.#readColumns(bytes, start, end, isColumn ? 1 : 0);
    }
    if (this.count + this.gapCount === 0 && format !== 'columns') {
      this.#readSpaced(bytes, start, end);
    }
  }

  /** Reads a line of Teleplot. Returns false for any other. */
  #readTeleplot(bytes: Uint8Array, from: number, to: number): boolean {
    const line = this.#teleplot;
    this.#value.decimalComma = false;
    this.#value.blankSign = false;
    if (!line.read(bytes, from, to, this.#value, this, MAX_NUMBERS)) {
      return false;
    }
    const { count, nameStart, nameEnd } = line;
    this.isCut = line.isCut;
    this.pure = true;
    this.texts = line.texts;
    let numbers = 0;
    for (let index = 0; index < count; index++) {
      this.nameStarts[index] = nameStart;
      this.nameEnds[index] = nameEnd;
      this.hasTimes ||= !Number.isNaN(this.times[index]);
      numbers += Number.isNaN(this.values[index]) ? 0 : 1;
    }
    this.#settle(count, numbers);
    return true;
  }

  /**
   * Finds the frame around the readings of a line: `$…;` and the marks of a C comment (both of Serial Studio), `<…>`, and `$…*7A` with a checksum.
   * Returns false without one.
   */
  #unframe(bytes: Uint8Array, from: number, to: number): boolean {
    let end = to;
    while (end > from && bytes[end - 1] === SPACE) {
      end--;
    }
    const first = bytes[from];
    const last = bytes[end - 1];
    if (first === SLASH && bytes[from + 1] === STAR && last === SLASH && bytes[end - 2] === STAR && end - from > 4) {
      this.#frameStart = from + 2;
      this.#frameEnd = end - 2;
      return true;
    }
    this.#frameStart = from + 1;
    if (first === DOLLAR) {
      this.#frameEnd = last === SEMICOLON ? end - 1 : bytes[end - 3] === STAR ? end - 3 : end;
      return true;
    }
    this.#frameEnd = end - 1;
    return first === LESS && last === GREATER && end - from > 2;
  }

  #readLabelled(bytes: Uint8Array, from: number, to: number): void {
    const name = this.#name;
    const value = this.#value;
    const last = this.#lastName;
    /**
     * End of the last value's number or word, end of its unit, and whether the next name may have several words
     * without a separator.
     */
    let begin = from;
    let free = from;
    let severalWords = true;
    /** True: a unit may be between `begin` and `free`. */
    let isBehindValue = false;
    let found = 0;
    let numbers = 0;
    let pure = true;
    let known = this.#knownLead(bytes, begin, 0, stateOf(severalWords, isBehindValue));
    while (found < MAX_NUMBERS) {
      const at: number = known === null ? nameEndFrom(bytes, free, last) : begin + known.length - 1;
      if (at === -1) {
        break;
      }
      const isValue = value.begin(bytes, at + 1, to);
      const isReading =
        (isValue || this.#isGap(bytes, at + 1, to)) &&
        (known !== null || name.find(bytes, free, at, severalWords || isSeparated(bytes, free, at)));
      const before: boolean = found > 0 ? severalWords : known === null ? name.severalWords : known.severalWords;
      const { end, isState } = value;
      const next = isReading ? this.#knownLead(bytes, end, found + 1, stateOf(before, isValue)) : null;
      if (!isReading || !(next !== null || !isValue || value.finish(bytes, to, before))) {
        begin = at + 1;
        free = begin;
        severalWords = false;
        isBehindValue = false;
        pure = false;
        known = this.#knownLead(bytes, begin, found, stateOf(severalWords, isBehindValue));
        continue;
      }
      if (known === null) {
        this.nameStarts[found] = name.start;
        this.nameEnds[found] = name.end;
        const isPure = areEdges(bytes, free, name.start);
        pure &&= isPure;
        this.#remember(bytes, found, begin, at + 1, free - begin, isPure, stateOf(severalWords, isBehindValue));
      } else {
        this.nameStarts[found] = begin + known.nameStart;
        this.nameEnds[found] = begin + known.nameEnd;
        pure &&= known.isPure;
      }
      if (isValue && isState) {
        this.#leaveOut(end);
      }
      this.parts[found] = 0;
      this.#valueEnds[found] = end;
      this.values[found++] = value.value;
      numbers += Number.isNaN(value.value) ? 0 : 1;
      begin = end;
      free = next === null ? value.end : end + next.unit;
      severalWords = before;
      isBehindValue = isValue;
      known = next;
      const first = found - 1;
      while (isValue && known === null && found < MAX_NUMBERS && this.#readFurther(bytes, begin, free, to, before)) {
        this.nameStarts[found] = this.nameStarts[first] as number;
        this.nameEnds[found] = this.nameEnds[first] as number;
        this.parts[first] = 1;
        this.parts[found] = found - first + 1;
        begin = this.#furtherEnd;
        this.#valueEnds[found] = begin;
        this.values[found++] = value.value;
        numbers += Number.isNaN(value.value) ? 0 : 1;
        free = value.end;
        known = this.#knownLead(bytes, begin, found, stateOf(before, isValue));
        free += known === null ? 0 : begin + known.unit - free;
      }
    }
    this.isCut = found === MAX_NUMBERS && nameEndFrom(bytes, free, last) !== -1;
    this.pure = pure && areEdges(bytes, free, to);
    this.#settle(found, numbers);
  }

  /**
   * Reads one more value of the last name, behind a separator: `acc: 1, 2, 3`. Returns false if there is none.
   *
   * @param valueEnd End of the value before it. `from` is the end of the unit of that value.
   */
  #readFurther(bytes: Uint8Array, valueEnd: number, from: number, to: number, severalWords: boolean): boolean {
    const value = this.#value;
    const separator = afterSpaces(bytes, from, to);
    if (separator >= to || !(kindAt(bytes, separator) & SEPARATOR)) {
      return false;
    }
    const groups = separator === valueEnd ? thousandsEnd(bytes, separator, to) : separator;
    if (groups > separator) {
      this.#leaveOut(groups, separator + 1);
      return false;
    }
    if (!value.begin(bytes, separator + 1, to)) {
      return false;
    }
    const { end, isState } = value;
    if (!value.finish(bytes, to, severalWords) || !this.#endsField(bytes, value.end, to)) {
      return false;
    }
    if (isState) {
      this.#leaveOut(end);
    }
    this.#furtherEnd = end;
    return true;
  }

  /** Returns true if a separator, the end of the line or the next name follows. */
  #endsField(bytes: Uint8Array, from: number, to: number): boolean {
    const at = afterSpaces(bytes, from, to);
    const byte = bytes[at];
    if (at >= to || byte === BAR || byte === CLOSE_BRACE || (kindAt(bytes, at) & SEPARATOR) !== 0) {
      return true;
    }
    const nameEnd = nameEndFrom(bytes, at, this.#lastName);
    return nameEnd !== -1 && this.#name.find(bytes, at, nameEnd, true) && this.#name.start === at;
  }

  /**
   * Reads fields of a name, blanks and a value, without `:` and `=`: `T 21.5, H 60 %`. There are at least two, each with a name of its
   * own, and the line has nothing else. A header may look the same: `Cell 1,Pack 1`.
   */
  #readSpaced(bytes: Uint8Array, from: number, to: number): void {
    const value = this.#value;
    let found = 0;
    let numbers = 0;
    let at = afterSpaces(bytes, from, to);
    while (at < to) {
      const nameEnd = found < MAX_NUMBERS ? this.#spacedName(bytes, at, to) : -1;
      if (nameEnd === -1 || this.#hasName(bytes, at, nameEnd, found)) {
        return;
      }
      this.nameStarts[found] = at;
      this.nameEnds[found] = nameEnd;
      this.parts[found] = 0;
      this.#valueEnds[found] = value.end;
      if (value.isState) {
        this.#leaveOut(value.end);
      }
      if (!value.finish(bytes, to, false)) {
        return;
      }
      this.values[found++] = value.value;
      numbers += Number.isNaN(value.value) ? 0 : 1;
      at = afterSpaces(bytes, value.end, to);
      if (at < to && !(kindAt(bytes, at) & SEPARATOR)) {
        return;
      }
      at = afterSpaces(bytes, at + 1, to);
    }
    if (found > 1) {
      this.labelled = true;
      this.mayBeHeader = true;
      this.pure = true;
      this.#settle(found, numbers);
    }
  }

  /** Returns true if one of the first readings has the name from `from` up to `to`. */
  #hasName(bytes: Uint8Array, from: number, to: number, readings: number): boolean {
    for (let reading = 0; reading < readings; reading++) {
      if (isEqual(bytes.subarray(this.nameStarts[reading], this.nameEnds[reading]), bytes, from, to)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the end of the name at `from`, of up to four words, and begins the value behind it; -1 without both. */
  #spacedName(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (let words = 0; words < MAX_WORDS && at < to && kindAt(bytes, at) & LETTER; words++) {
      while (at < to && kindAt(bytes, at) & NAME) {
        at++;
      }
      const end = at;
      at = afterSpaces(bytes, end, to);
      if (at === end) {
        return -1;
      }
      if (this.#value.begin(bytes, at, to)) {
        return end;
      }
    }
    return -1;
  }

  /** Notes a value that no reading has, the first of a line. @param from Default: the beginning of the word that ends at `to`. */
  #leaveOut(to: number, from = wordStart(this.bytes, this.start, to)): void {
    if (this.leftOutEnd === 0) {
      this.leftOutStart = from;
      this.leftOutEnd = to;
    }
  }

  /** Returns the lead of a reading if it equals the one in the previous line, else null. */
  #knownLead(bytes: Uint8Array, from: number, reading: number, state: number): KnownLead | null {
    const lead = this.#leads[reading];
    return lead?.isAt(bytes, from, this.#lastName + 1, state) ? lead : null;
  }

  /** Remembers the lead from `from` up to `to`, and the name found in it. */
  #remember(
    bytes: Uint8Array,
    reading: number,
    from: number,
    to: number,
    unit: number,
    isPure: boolean,
    state: number,
  ): void {
    this.#leads[reading] ??= new KnownLead();
    const lead = this.#leads[reading];
    lead.remember(bytes, from, to, state);
    lead.unit = unit;
    lead.nameStart = this.#name.start - from;
    lead.nameEnd = this.#name.end - from;
    lead.severalWords = this.#name.severalWords;
    lead.isPure = isPure;
  }

  /** Returns true for an empty value between a `:` and a separator or the end of the line: the value is a gap. */
  #isGap(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    while (at < to && bytes[at] === SPACE) {
      at++;
    }
    const byte = bytes[at];
    const isEnd = at >= to || byte === CLOSE_BRACE || byte === BAR || byte === TAB;
    if (!isEnd && byte !== COMMA && byte !== SEMICOLON) {
      return false;
    }
    this.#value.end = Math.min(at, to);
    this.#value.value = Number.NaN;
    return true;
  }

  /** @param column Columns before `from`, which have no number. */
  #readColumns(bytes: Uint8Array, from: number, to: number, before: number): void {
    let at = skipBlanks(bytes, from, to);
    let column = before;
    this.values.fill(Number.NaN, 0, before);
    this.#valueEnds.fill(to, 0, before);
    let numbers = 0;
    let trailing = 0;
    while (at < to && column < MAX_NUMBERS) {
      trailing = 0;
      if (kindAt(bytes, at) & SEPARATOR) {
        this.#valueEnds[column] = at;
        this.values[column++] = Number.NaN;
        trailing = 1;
        at = skipBlanks(bytes, at + 1, to);
        continue;
      }
      if (!this.#value.begin(bytes, at, to)) {
        return;
      }
      this.#valueEnds[column] = this.#value.end;
      if (!this.#value.finish(bytes, to, false)) {
        return;
      }
      const { value, end, isState } = this.#value;
      if (isState) {
        this.#leaveOut(this.#valueEnds[column] as number);
      }
      this.parts[column] = 0;
      this.values[column++] = value;
      numbers += Number.isNaN(value) ? 0 : 1;
      at = skipBlanks(bytes, end, to);
      if (at < to && kindAt(bytes, at) & SEPARATOR) {
        trailing = 1;
        at = skipBlanks(bytes, at + 1, to);
      }
    }
    this.isCut = at < to;
    this.values[column] = Number.NaN;
    this.#valueEnds[column] = to;
    this.trailing = trailing;
    this.pure = true;
    this.#settle(column, numbers);
  }

  #settle(found: number, numbers: number): void {
    this.count = numbers === 0 ? 0 : found;
    this.gapCount = numbers === 0 ? found : 0;
  }
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
      if (comma || !isBetweenDigits(bytes, at, from, to)) {
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

const CLOSE_BRACKET = 0x5d;
const OPEN_BRACKET = 0x5b;
const MINUS = 0x2d;
const LETTER_T = 0x54;

/**
 * Returns the offset of the readings behind a time of day at `from`, with or without a date and in brackets or not:
 * `12:00:01,21.5`, `[12:00:01.250] temp:21.5`, `2026/11/20-12:00:01 -> 21.5`. Returns `from` without such a time.
 */
function afterTime(bytes: Uint8Array, from: number, to: number): number {
  let at = bytes[from] === OPEN_BRACKET ? from + 1 : from;
  const separator = bytes[at + 4];
  const isDate = separator === MINUS || separator === SLASH || separator === POINT;
  if (isDate && bytes[at + 7] === separator && digitsFrom(bytes, at, to) === 4) {
    const gap = bytes[at + 10];
    if (gap !== SPACE && gap !== LETTER_T && gap !== MINUS) {
      return from;
    }
    at += 11;
  }
  if (bytes[at + 2] !== COLON || digitsFrom(bytes, at, to) !== 2 || digitsFrom(bytes, at + 3, to) !== 2) {
    return from;
  }
  at += 5;
  if (bytes[at] === COLON) {
    if (digitsFrom(bytes, at + 1, to) !== 2) {
      return from;
    }
    at += 3;
    if (bytes[at] === POINT) {
      at += 1 + digitsFrom(bytes, at + 1, to);
    }
  }
  if (bytes[from] === OPEN_BRACKET) {
    if (bytes[at] !== CLOSE_BRACKET) {
      return from;
    }
    at++;
  }
  const end = at;
  at = skipBlanks(bytes, at, to);
  if (bytes[at] === MINUS && bytes[at + 1] === GREATER) {
    return skipBlanks(bytes, at + 2, to);
  }
  if (at < to && kindAt(bytes, at) & SEPARATOR) {
    return at + 1;
  }
  return at > end ? at : from;
}

const isBetweenDigits = (bytes: Uint8Array, at: number, from: number, to: number) =>
  isDigit(bytes, at - 1, from, to) && isDigit(bytes, at + 1, from, to);

function digitsFrom(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (isDigit(bytes, at, from, to)) {
    at++;
  }
  return at - from;
}

const isDigit = (bytes: Uint8Array, at: number, from: number, to: number) =>
  at >= from && at < to && (kindAt(bytes, at) & DIGIT) !== 0;

/** Returns the next `:` or `=` from `from` up to `last`; -1 without one. */
function nameEndFrom(bytes: Uint8Array, from: number, last: number): number {
  for (let at = from; at <= last; at++) {
    if (bytes[at] === COLON || bytes[at] === EQUALS) {
      return at;
    }
  }
  return -1;
}

function afterSpaces(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] === SPACE) {
    at++;
  }
  return at;
}

/**
 * Returns the end of groups of three digits behind commas, as in `1,024`: they may be thousands, or further values. Returns `from` without
 * such groups.
 */
function thousandsEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] === COMMA && digitsFrom(bytes, at + 1, to) === 3) {
    at += 4;
  }
  return bytes[at] === COMMA && isDigit(bytes, at + 1, from, to) ? from : at;
}

const stateOf = (severalWords: boolean, isBehindValue: boolean) => (severalWords ? 1 : 0) | (isBehindValue ? 2 : 0);

/** Returns true if the next name may have several words although a value precedes it. */
function isSeparated(bytes: Uint8Array, from: number, to: number): boolean {
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
