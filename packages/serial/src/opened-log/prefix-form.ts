/**
 * Prefix of a line as a pattern, read from bytes without a string. It costs a fraction of an expression for each line.
 *
 * Digits: `YYYY`, `YY`, `MM`, `DD`, `hh`, `mm`, `ss` have as many as letters; blanks may fill `DD`. `M`, `D`, `h` and `m` have one or
 * two, `f`, the fraction of a second, up to nine, `fff` three, `d`, days, up to five. `S`, seconds, has up to eleven behind any blanks.
 * `x` is a number without a meaning here. Words: `b` is a month, `w` a day of the week, both in short or in full, `a` AM or PM, each in
 * English. `z` is a time zone: `Z`, `UTC`, `GMT`, `+01:00`, `+0100` or nothing. `$` is the end of the line. `K` is RX or TX with two
 * blanks behind it, and the name of a port with two blanks may be in front of it. `B` stands before an opening bracket, which is no
 * part of the prefix and may have a colour in front of it. `*` at the start is any text: the time stands inside the line, and the line
 * stays whole. A backslash makes the next character stand for itself, as all other characters do; `T` is also `t` (RFC 3339, 5.6). A blank at
 * the end may be missing where the line ends, because editors strip it.
 */
import { ESCAPE, OPEN_BRACKET } from '../control-sequences.ts';
import type { LogClock } from './log-clock.ts';

/**
 * `dated`: with a date, or seconds since 1970. `yearless`: a date without its year. `clock`: time of day. `elapsed`: since
 * the log began. `delta`: since the previous line.
 */
export type PrefixTime = 'dated' | 'yearless' | 'clock' | 'elapsed' | 'delta';

const BLANK = 0x20;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;
/** Bit that makes an ASCII letter small. */
const SMALL = 0x20;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

const wordsOf = (text: string) =>
  text.split(' ').map((word) => Array.from(word, (letter) => letter.charCodeAt(0) | 0x20));
const months = wordsOf('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec');
const weekdays = wordsOf('Sun Mon Tue Wed Thu Fri Sat');
const halves = wordsOf('AM PM');
const universal = wordsOf('UTC GMT');

/** Kinds of lines in the product's own logs (`export-text.ts`). */
export const lineKinds = ['RX', 'TX', 'INFO', 'WARNING', 'ERROR', 'SUCCESS'] as const;
const kindTexts = lineKinds.map((kind) => Array.from(`${kind} `, (letter) => letter.charCodeAt(0)));
/** Indexes in `lineKinds`. */
const RX = 0;
const TX = 1;
/** Most bytes of a port's name: an opened log is called by its file, whose name has up to 255. Lines with a longer one have no time. */
const LONGEST_PORT = 255;
const latin1 = new TextDecoder('latin1');

/** Letters of fields. */
export const FIELDS = 'YMDhmsfSdxbwaz$KB*';
const encoder = new TextEncoder();
/** Seconds from which a count is one since 1970: 2000-01-01. */
const EPOCH = 946_684_800;

interface Literal {
  readonly literal: number;
  /** True: a blank at the end of the pattern. */
  readonly isLast: boolean;
}

interface Field {
  readonly field: string;
  /** Fewest and most digits. */
  readonly least: number;
  readonly most: number;
  readonly mayHaveBlanks: boolean;
}

export class PrefixForm {
  direction: 'received' | 'sent' = 'received';
  /** Offset after the prefix that was read last. */
  end = 0;
  readonly time: PrefixTime;
  /** True: the prefix has a date with its year. */
  readonly hasYear: boolean;
  readonly #steps: readonly (Literal | Field)[];
  /** True: the time may stand anywhere in the line. */
  readonly #skips: boolean;
  readonly #isTwelve: boolean;
  readonly #counts: boolean;
  #year = 0;
  #month = 0;
  #day = 0;
  #hour = 0;
  #minute = 0;
  #second = 0;
  /** Milliseconds of the fraction. */
  #fraction = 0;
  #count = 0;
  #days = 0;
  #half = 0;
  /** Minutes east of UTC; null without a zone. */
  #zone: number | null = null;
  #portStart = 0;
  #portEnd = 0;
  /** Bytes and name of the port that was returned last. Most lines have one of few. */
  readonly #ports: { readonly bytes: Uint8Array; readonly name: string }[] = [];

  /** @param time Default: what the fields of the pattern say. */
  constructor(pattern: string, time?: PrefixTime) {
    this.#skips = pattern.startsWith('*');
    this.#steps = stepsOf(this.#skips ? pattern.slice(1) : pattern);
    const fields = this.#steps.flatMap((step) => ('field' in step ? [step.field] : []));
    this.#isTwelve = fields.includes('a');
    this.#counts = fields.includes('S');
    this.hasYear = fields.includes('Y');
    const isYearless = fields.includes('M') || fields.includes('b');
    this.time = time ?? (this.hasYear ? 'dated' : isYearless ? 'yearless' : 'clock');
  }

  /**
   * Reads the prefix at `start`. Returns false without one; `timeOf` then has nothing to return.
   *
   * @param to End of the line, its ending included.
   */
  read(text: Uint8Array, start: number, to: number): boolean {
    if (!this.#skips) {
      return this.#readAt(text, start, to);
    }
    for (let at = start; at < to; at++) {
      if (this.#readAt(text, at, to)) {
        this.end = start;
        return true;
      }
    }
    return false;
  }

  #readAt(text: Uint8Array, start: number, to: number): boolean {
    this.#zone = null;
    this.#fraction = 0;
    let at = start;
    for (const step of this.#steps) {
      if ('literal' in step) {
        const byte = text[at] as number;
        if (at < to && (byte === step.literal || (step.literal === LETTER_T && byte === (LETTER_T | SMALL)))) {
          at++;
        } else if (!step.isLast || !isEnd(text, at, to)) {
          return false;
        }
        continue;
      }
      at = this.#field(step, text, at, to);
      if (at === -1) {
        return false;
      }
    }
    this.end = at;
    return this.#isTime();
  }

  /** Returns the time of the prefix that was read, in milliseconds since the Unix epoch. */
  timeOf(clock: LogClock): number {
    const within = this.#minute * MINUTE + this.#second * 1_000 + this.#fraction;
    const ofDay = this.#hours * HOUR + within;
    switch (this.time) {
      case 'clock':
        return clock.timeOfDay(ofDay);
      case 'yearless':
        return clock.withoutYear(this.#month, this.#day, this.#hours, within);
      case 'elapsed':
        return clock.since(this.#days * DAY + this.#count * 1_000 + ofDay);
      case 'delta':
        return clock.sincePrevious(this.#count * 1_000 + ofDay);
      case 'dated':
        if (this.#year === 0) {
          return this.#count * 1_000 + this.#fraction;
        }
        return this.#zone === null
          ? clock.dated(this.#year, this.#month, this.#day, this.#hours, within)
          : Date.UTC(this.#year, this.#month - 1, this.#day) + ofDay - this.#zone * MINUTE;
    }
  }

  /** Milliseconds that the prefix's digits say, whatever they count from. */
  get amount(): number {
    const within = this.#minute * MINUTE + this.#second * 1_000 + this.#fraction;
    return this.#days * DAY + this.#count * 1_000 + this.#hours * HOUR + within;
  }

  /**
   * Returns the name of the port in the prefix that was read, with one character for each byte; null without a name.
   *
   * @param text The bytes that were read.
   */
  portOf(text: Uint8Array): string | null {
    const [start, end] = [this.#portStart, this.#portEnd];
    if (start === end) {
      return null;
    }
    const known = this.#ports.find(({ bytes }) => bytes.length === end - start && isAt(bytes, text, start));
    if (known !== undefined) {
      return known.name;
    }
    const bytes = text.slice(start, end);
    const name = latin1.decode(bytes);
    this.#ports.splice(0, Math.max(0, this.#ports.length - MOST_PORTS + 1));
    this.#ports.push({ bytes, name });
    return name;
  }

  get #hours(): number {
    return this.#isTwelve ? (this.#hour % 12) + 12 * this.#half : this.#hour;
  }

  #isTime(): boolean {
    const hasDate = this.time === 'dated' || this.time === 'yearless';
    if (this.#counts && this.#count >= EPOCH !== hasDate) {
      return false;
    }
    const isDate = !hasDate || (this.#month <= 12 && this.#day <= 31);
    const isHour = this.#isTwelve ? this.#hour >= 1 && this.#hour <= 12 : this.#hour < 24;
    return isDate && isHour && this.#minute < 60 && this.#second <= 60;
  }

  /** Returns the offset after the field; -1 without it. */
  #field(step: Field, text: Uint8Array, start: number, to: number): number {
    const { field, least, most, mayHaveBlanks } = step;
    if (field === '$') {
      return isEnd(text, start, to) ? start : -1;
    }
    if (field === 'B') {
      return isBeforeBracket(text, start, to) ? start : -1;
    }
    if (field === 'b' || field === 'w' || field === 'a') {
      const words = field === 'b' ? months : field === 'a' ? halves : weekdays;
      const word = wordAt(words, text, start, to);
      if (field === 'b') {
        this.#month = word + 1;
      } else if (field === 'a') {
        this.#half = word;
      }
      const end = start + (words[0]?.length ?? 0);
      return word === -1 ? -1 : field === 'a' ? end : afterLetters(text, end, to);
    }
    if (field === 'z') {
      return this.#readZone(text, start, to);
    }
    if (field === 'K') {
      return this.#readKind(text, start, to);
    }
    let at = start;
    while (mayHaveBlanks && text[at] === BLANK && at < to && (field !== 'D' || at === start)) {
      at++;
    }
    const blanks = field === 'D' ? at - start : 0;
    let value = 0;
    let digits = 0;
    for (; digits < most - blanks && at < to; at++, digits++) {
      const digit = (text[at] as number) - ZERO;
      if (field === 'x' && text[at] === POINT) {
        continue;
      }
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
    }
    if (digits < least - blanks || digits === 0) {
      return -1;
    }
    this.#set(field, value, digits);
    return at;
  }

  #set(field: string, value: number, digits: number): void {
    switch (field) {
      case 'Y':
        this.#year = digits === 2 ? 2_000 + value : value;
        break;
      case 'M':
        this.#month = value === 0 ? 13 : value;
        break;
      case 'D':
        this.#day = value === 0 ? 32 : value;
        break;
      case 'h':
        this.#hour = value;
        break;
      case 'm':
        this.#minute = value;
        break;
      case 's':
        this.#second = value;
        break;
      case 'f':
        this.#fraction = (value * 1_000) / 10 ** digits;
        break;
      case 'S':
        this.#count = value;
        break;
      case 'd':
        this.#days = value;
        break;
    }
  }

  #readKind(text: Uint8Array, start: number, to: number): number {
    this.#portStart = start;
    let at = start;
    let kind = kindAt(text, at, to);
    if (kind === -1 && start < to && !isSpace(text[start] as number)) {
      const most = Math.min(start + LONGEST_PORT, to);
      while (kind === -1 && at < most) {
        at++;
        kind = text[at] === BLANK && text[at + 1] === BLANK ? kindAt(text, at + 2, to) : -1;
      }
    }
    this.#portEnd = at;
    if (kind !== RX && kind !== TX) {
      return -1;
    }
    this.direction = kind === TX ? 'sent' : 'received';
    const behind = at + (at === start ? 0 : 2) + (kindTexts[kind]?.length ?? 0);
    return text[behind] === BLANK && behind < to ? behind + 1 : behind;
  }

  #readZone(text: Uint8Array, start: number, to: number): number {
    const sign = text[start] ?? 0;
    if (start < to && (sign === LETTER_Z || sign === (LETTER_Z | SMALL))) {
      this.#zone = 0;
      return start + 1;
    }
    if (wordAt(universal, text, start, to) !== -1) {
      this.#zone = 0;
      return start + (universal[0]?.length ?? 0);
    }
    if (sign !== PLUS && sign !== MINUS) {
      return start;
    }
    const digits: number[] = [];
    let at = start + 1;
    for (; digits.length < 4 && at < to; at++) {
      const byte = text[at] as number;
      if (byte >= ZERO && byte < COLON) {
        digits.push(byte - ZERO);
      } else if (byte !== COLON || digits.length !== 2) {
        break;
      }
    }
    const [tens = 0, ones = 0, tenMinutes = 0, minutes = 0] = digits;
    if (digits.length !== 2 && digits.length !== 4) {
      return -1;
    }
    this.#zone = (sign === MINUS ? -1 : 1) * ((tens * 10 + ones) * 60 + tenMinutes * 10 + minutes);
    return at;
  }
}

/** Most names that are kept as strings. Beyond it, names are decoded again, and nothing changes for a person. */
const MOST_PORTS = 8;

/** Returns true for what `\s` matches in text with one character for each byte. */
const isSpace = (byte: number) => byte === BLANK || (byte >= 0x09 && byte <= 0x0d) || byte === 0xa0;

/** Returns the index of the kind that stands at `at`, with two blanks or with one at the end of the line; else -1. */
function kindAt(text: Uint8Array, at: number, to: number): number {
  return kindTexts.findIndex((kind) => {
    const behind = at + kind.length;
    return behind <= to && isAt(kind, text, at) && (text[behind] === BLANK || isEnd(text, behind, to));
  });
}

function isAt(bytes: ArrayLike<number>, text: Uint8Array, at: number): boolean {
  for (let index = 0; index < bytes.length; index++) {
    if (text[at + index] !== bytes[index]) {
      return false;
    }
  }
  return true;
}

const isEnd = (text: Uint8Array, at: number, to: number) => at >= to || text[at] === LINE_FEED || text[at] === RETURN;

/** Returns the index of the word at `at`; -1 without one. */
function wordAt(words: readonly (readonly number[])[], text: Uint8Array, at: number, to: number): number {
  return words.findIndex(
    (letters) =>
      at + letters.length <= to && letters.every((letter, index) => ((text[at + index] as number) | SMALL) === letter),
  );
}

function afterLetters(text: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isSmall((text[at] as number) | SMALL)) {
    at++;
  }
  return at;
}

const isSmall = (byte: number) => byte >= 0x61 && byte <= 0x7a;

/** Returns true if the next byte, behind a colour (ECMA-48, 8.3.117), is an opening bracket. */
function isBeforeBracket(text: Uint8Array, start: number, to: number): boolean {
  if (text[start] !== ESCAPE) {
    return text[start] === OPEN_BRACKET && start < to;
  }
  let at = start + 2;
  while (at < to && !isSmall((text[at] as number) | SMALL)) {
    at++;
  }
  return at + 1 < to && text[at + 1] === OPEN_BRACKET;
}

/** Most digits of a field that is one letter. */
const longest: Readonly<Record<string, number>> = { f: 9, S: 11, d: 5, x: 24 };

function stepsOf(pattern: string): readonly (Literal | Field)[] {
  const steps: (Literal | Field)[] = [];
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern[at] as string;
    if (!FIELDS.includes(letter)) {
      const isEscaped = letter === '\\';
      const start = isEscaped ? at + 1 : at;
      const end = start + String.fromCodePoint(pattern.codePointAt(start) ?? 0).length;
      const isLast = !isEscaped && letter === ' ' && end === pattern.length;
      steps.push(...Array.from(encoder.encode(pattern.slice(start, end)), (literal) => ({ literal, isLast })));
      at = end;
      continue;
    }
    let end = at + 1;
    while (pattern[end] === letter) {
      end++;
    }
    const length = end - at;
    const most = length > 1 ? length : (longest[letter] ?? 2);
    const mayHaveBlanks = letter === 'S' || (letter === 'D' && length === 2);
    steps.push({ field: letter, least: length === 1 ? 1 : length, most, mayHaveBlanks });
    at = end;
  }
  return steps;
}
