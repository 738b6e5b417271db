/** Parts of a text between marks, blanks and line ends; keys in front of them; numbers with a sign and a unit. */
import { decoderLimits } from '@wirebench/contract/decoders';

/** Kinds of bytes in a text; 0: part of a value. */
const MARK = 1;
const BLANK = 2;
const LINE_END = 3;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Kinds of bytes by a list of separators. */
export type Separators = Uint8Array;

/** @param hasLines True: line ends part the text, too. */
export function separatorsOf(marks: string, hasLines: boolean): Separators {
  const kinds = new Uint8Array(256);
  for (const mark of marks) {
    kinds[mark.charCodeAt(0)] = mark === ' ' ? BLANK : MARK;
  }
  if (hasLines) {
    kinds[LINE_FEED] = LINE_END;
    kinds[CARRIAGE_RETURN] = LINE_END;
  }
  return kinds;
}

/** Parts of a text, as offsets in its bytes. */
export interface TextParts {
  readonly starts: readonly number[];
  /** Offsets after the parts. */
  readonly ends: readonly number[];
  /** Number of the line of each part. */
  readonly lines: readonly number[];
}

/**
 * Returns the parts of a text. Between two marks is a part, which may be empty. A run of blanks is one separator, also
 * with a mark in it; at the beginning and end of a line it separates nothing.
 */
export function partsOf(bytes: Uint8Array, kinds: Separators): TextParts {
  const to = bytes.length;
  const starts: number[] = [];
  const ends: number[] = [];
  const lines: number[] = [];
  const blanksFrom = (from: number) => {
    let at = from;
    while (at < to && kinds[bytes[at] as number] === BLANK) {
      at++;
    }
    return at;
  };
  let line = 0;
  let start = blanksFrom(0);
  for (let at = start; at < to; ) {
    if (kinds[bytes[at] as number] === 0) {
      at++;
      continue;
    }
    starts.push(start);
    ends.push(at);
    lines.push(line);
    at = blanksFrom(at);
    const kind = at < to ? kinds[bytes[at] as number] : LINE_END;
    if (kind === LINE_END) {
      line++;
      at += bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED ? 2 : 1;
    } else if (kind === MARK) {
      at++;
    }
    if (kind !== 0) {
      at = blanksFrom(at);
    }
    start = at;
    if (kind === LINE_END && at >= to) {
      return { starts, ends, lines };
    }
  }
  starts.push(start);
  ends.push(to);
  lines.push(line);
  return { starts, ends, lines };
}

/**
 * Finds the part behind a key, and writes its range.
 *
 * @param nth Number of the part behind the key, in its line.
 * @param range Takes the start and the end of the part, and its number.
 * @returns False if the text has no such part.
 */
export function findKey(
  bytes: Uint8Array,
  { starts, ends, lines }: TextParts,
  key: Uint8Array,
  nth: number,
  range: { from: number; to: number; index: number },
): boolean {
  const first = key[0];
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] as number;
    if (bytes[start] !== first || !beginsWith(bytes, start, key)) {
      continue;
    }
    let from = start + key.length;
    while (bytes[from] === SPACE) {
      from++;
    }
    // Marks of the key itself end parts before the value.
    let found = index;
    while (found < starts.length && from > (ends[found] as number)) {
      found++;
    }
    const wanted = found + nth;
    if (wanted >= starts.length || lines[wanted] !== lines[index]) {
      return false;
    }
    range.from = nth === 0 ? Math.max(from, starts[found] as number) : (starts[wanted] as number);
    range.to = ends[wanted] as number;
    range.index = wanted;
    return true;
  }
  return false;
}

function beginsWith(bytes: Uint8Array, at: number, key: Uint8Array): boolean {
  for (let index = 0; index < key.length; index++) {
    if (bytes[at + index] !== key[index]) {
      return false;
    }
  }
  return true;
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isBlank = (byte: number | undefined) => byte === SPACE || byte === TAB;

/** Digits up to which a decimal fraction is the quotient of two exact doubles. */
const EXACT_DIGITS = 15;
const EXACT_POWER = 22;

export interface TextNumber {
  readonly value: number | bigint;
  /** Range of the unit behind the number; empty: it has none. */
  readonly unitFrom: number;
  readonly unitTo: number;
}

const decoder = new TextDecoder();

/**
 * Reads a decimal number that takes all of a part, with its unit: `+  12.345kg`, `-1.2E-03`, `00.044*kW`.
 *
 * @returns null for anything else.
 */
export function readNumber(bytes: Uint8Array, start: number, end: number): TextNumber | null {
  let from = start;
  let to = end;
  while (from < to && isBlank(bytes[from])) {
    from++;
  }
  while (to > from && isBlank(bytes[to - 1])) {
    to--;
  }
  let at = from;
  const isNegative = bytes[at] === 0x2d;
  if (isNegative || bytes[at] === 0x2b) {
    at++;
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
  }
  const first = at;
  let digits = 0;
  let decimals = 0;
  let mantissa = 0;
  for (; at < to && isDigit(bytes[at]); at++) {
    mantissa = mantissa * 10 + (bytes[at] as number) - 0x30;
    digits += mantissa === 0 ? 0 : 1;
  }
  const hasWhole = at > first;
  if (at < to && bytes[at] === 0x2e) {
    at++;
    for (; at < to && isDigit(bytes[at]); at++) {
      mantissa = mantissa * 10 + (bytes[at] as number) - 0x30;
      digits += mantissa === 0 ? 0 : 1;
      decimals++;
    }
    if (decimals === 0) {
      return null;
    }
  }
  if (!hasWhole && decimals === 0) {
    return null;
  }
  const exponentAt = at;
  const exponent = readExponent(bytes, at, to);
  if (exponent !== null) {
    at = exponent.to;
  }
  const numberTo = at;
  const unitFrom = unitAt(bytes, at, to);
  if (unitFrom === -1) {
    return null;
  }
  const power = (exponent?.value ?? 0) - decimals;
  return { value: decimal(), unitFrom, unitTo: to };

  function decimal(): number | bigint {
    const text = () => decoder.decode(bytes.subarray(first, numberTo));
    if (digits > EXACT_DIGITS && decimals === 0 && exponentAt === numberTo) {
      const whole = BigInt(text()) * (isNegative ? -1n : 1n);
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
    }
    const isExact = digits <= EXACT_DIGITS && Math.abs(power) <= EXACT_POWER;
    const value = isExact ? (power < 0 ? mantissa / 10 ** -power : mantissa * 10 ** power) : Number(text());
    return isNegative && value !== 0 ? -value : value;
  }
}

function readExponent(bytes: Uint8Array, from: number, to: number): { value: number; to: number } | null {
  if (from >= to || ((bytes[from] as number) | 0x20) !== 0x65) {
    return null;
  }
  const sign = bytes[from + 1];
  let at = from + (sign === 0x2b || sign === 0x2d ? 2 : 1);
  const first = at;
  let value = 0;
  for (; at < to && at < first + 4 && isDigit(bytes[at]); at++) {
    value = value * 10 + (bytes[at] as number) - 0x30;
  }
  const isNumber = at > first && at <= first + 3 && !isDigit(bytes[at]);
  return isNumber ? { value: sign === 0x2d ? -value : value, to: at } : null;
}

/**
 * Returns the offset of the unit behind a number: letters, %, ° or any sign that is not ASCII, with at most one digit at
 * its end (`m3`). `to` for no unit; −1 for anything else.
 */
function unitAt(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(bytes[at])) {
    at++;
  }
  if (at === from && bytes[at] === 0x2a && at < to) {
    at++;
  }
  if (at === to) {
    return bytes[to - 1] === 0x2a && from < to ? -1 : to;
  }
  const last = isDigit(bytes[to - 1]) ? to - 1 : to;
  if (!isUnitSign(bytes[at] as number) || to - at > 2 * decoderLimits.unitMaxLength) {
    return -1;
  }
  for (let next = at + 1; next < last; next++) {
    const byte = bytes[next] as number;
    if (!isUnitSign(byte) && byte !== 0x2f && byte !== 0x5e && byte !== 0x2d) {
      return -1;
    }
  }
  // 0xA060 is no number with a unit.
  return last <= at ? -1 : at;
}

/** Returns true for a letter, % or a byte that is not ASCII. */
const isUnitSign = (byte: number) => ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) || byte >= 0x80 || byte === 0x25;
