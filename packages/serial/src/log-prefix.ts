/**
 * Parses the beginning of a log line: level, time, tag. It works on the bytes in place, because every line of a plot
 * passes through it. Known forms:
 *
 * - ESP-IDF, `E (995) bme280: …` with ticks, time of day or date and time. A coloured line may have no time. Sources:
 *   Programming Guide, "Logging library", CONFIG_LOG_TIMESTAMP_SOURCE; log version 2 prints the same forms.
 * - Arduino-ESP32, `[  1234][E][file.cpp:12] fn(): …` (core, `esp32-hal-log.h`), ESPHome, `[12:34:56][E][sensor:093]:
 *   …`, and Mbed, `[ERR ][main]: …` (mbed-trace).
 * - Zephyr, `[00:00:01.250,000] <err> module: …` (`log_output.c`), and the nRF5 SDK, `<error> app: …`.
 * - Rust's esp-println, `ERROR - …`.
 */
import { afterControls } from './control-sequences.ts';
import type { NoticeLevel } from './timeline-rows.ts';

const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const OPEN = 0x28;
const CLOSE = 0x29;
const MINUS = 0x2d;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/**
 * Characters of the longest time in parentheses or brackets: `2026-11-25 19:30:05.123456`, with room for a core or a task. A line
 * beyond this limit or one of the next two is shown without a level, and `level:` does not find it.
 */
const LONGEST_TIME = 40;
/** Characters of the longest tag. A colon further on belongs to the text. */
const LONGEST_TAG = 64;
/** Most groups in front of a level in brackets: time, thread and core. */
const MAX_GROUPS = 3;

type Level = NoticeLevel | null;

/** Levels by letter. Null: debug, verbose and ESPHome's C (configuration) are below info. */
const letterLevels: Readonly<Record<string, Level | undefined>> = {
  E: 'error',
  W: 'warning',
  I: 'info',
  D: null,
  V: null,
};
const wordLevels: Readonly<Record<string, Level | undefined>> = {
  ...letterLevels,
  C: null,
  VV: null,
  ERR: 'error',
  ERROR: 'error',

  WRN: 'warning',
  WARN: 'warning',
  WARNING: 'warning',
  INF: 'info',
  INFO: 'info',
  DBG: null,
  DEBUG: null,
  TRACE: null,
  VERBOSE: null,
};
const LONGEST_LEVEL = 8;
const letters = Array.from({ length: 256 }, (_, code) => letterLevels[String.fromCharCode(code)]);

export interface LogPrefix {
  /** Null for a level below info. */
  readonly level: Level;
  /** Offsets of the tag and of the text behind it. Both ends of the tag are equal if the line has no tag. */
  readonly tagStart: number;
  readonly tagEnd: number;
  readonly textStart: number;
}

/**
 * Returns the first bytes, after colours, that lines of these levels can have. A carriage return may precede a
 * bracket.
 */
export function firstBytesOf(levels: readonly NoticeLevel[]): ReadonlySet<number | undefined> {
  const initials = Object.entries(letterLevels).flatMap(([letter, level]) =>
    level !== null && level !== undefined && levels.includes(level) ? [letter.charCodeAt(0)] : [],
  );
  return new Set([...initials, OPEN_BRACKET, LESS, CARRIAGE_RETURN]);
}

/**
 * Parses the prefix of the line in `bytes` from `from` up to `to`. Colours before it are skipped.
 *
 * @param coloured True: the line began with a colour that is no longer in `bytes`.
 * @returns Null if the line begins in no known form.
 */
export function logPrefix(bytes: Uint8Array, from: number, to: number, coloured = false): LogPrefix | null {
  const start = afterControls(bytes, from, to);
  const first = bytes[start] ?? 0;
  if (start >= to) {
    return null;
  }
  if (first === OPEN_BRACKET || first === LESS) {
    return bracketedPrefix(bytes, start, to);
  }
  if (!isCapital(first)) {
    return null;
  }
  return bytes[start + 1] === SPACE
    ? idfPrefix(bytes, start, to, coloured || start > from)
    : wordPrefix(bytes, start, to);
}

function idfPrefix(bytes: Uint8Array, start: number, to: number, coloured: boolean): LogPrefix | null {
  const level = letters[bytes[start] as number];
  if (level === undefined) {
    return null;
  }
  if (bytes[start + 2] !== OPEN) {
    return coloured ? tagged(bytes, level, start + 2, to) : null;
  }
  const close = indexWithin(bytes, CLOSE, start + 3, Math.min(to, start + 3 + LONGEST_TIME));
  if (close === -1 || !isTime(bytes, start + 3, close) || bytes[close + 1] !== SPACE) {
    return null;
  }
  const tagStart = close + 2;
  const tagEnd = indexWithin(bytes, COLON, tagStart, Math.min(to, tagStart + LONGEST_TAG));
  return tagEnd <= tagStart ? null : { level, tagStart, tagEnd, textStart: afterBlank(bytes, tagEnd + 1, to) };
}

/**
 * Length of the shortest level of esp-println, which writes its levels in full (crate log, `Level`). `INF - ` is a
 * column instead: infinity, and a reading without a number.
 */
const MIN_PRINTLN_LEVEL = 4;

/** Parses `ERROR - …`. */
function wordPrefix(bytes: Uint8Array, start: number, to: number): LogPrefix | null {
  let end = start;
  while (end < to && end - start < LONGEST_LEVEL && isCapital(bytes[end] as number)) {
    end++;
  }
  const isLevel = end - start >= MIN_PRINTLN_LEVEL;
  if (!isLevel || bytes[end] !== SPACE || bytes[end + 1] !== MINUS || bytes[end + 2] !== SPACE) {
    return null;
  }
  const level = levelOf(bytes, start, end);
  if (level === undefined) {
    return null;
  }
  return { level, tagStart: start, tagEnd: start, textStart: Math.min(to, end + 3) };
}

/** Parses groups in brackets, one of which is the level. */
function bracketedPrefix(bytes: Uint8Array, start: number, to: number): LogPrefix | null {
  let at = start;
  for (let groups = 0; groups <= MAX_GROUPS; groups++) {
    const open = bytes[at];
    if (at >= to || (open !== OPEN_BRACKET && open !== LESS)) {
      return null;
    }
    const close = open === LESS ? GREATER : CLOSE_BRACKET;
    const end = indexWithin(bytes, close, at + 1, Math.min(to, at + 1 + LONGEST_TIME));
    if (end <= at + 1) {
      return null;
    }
    const level = levelOf(bytes, at + 1, end);
    const next = afterBlanks(bytes, end + 1, to);
    if (level !== undefined) {
      return afterLevel(bytes, level, next, to);
    }
    if (open === LESS || (groups === 0 && !isTime(bytes, at + 1, end))) {
      return null;
    }
    at = next;
  }
  return null;
}

/** @param at Offset behind the level. */
function afterLevel(bytes: Uint8Array, level: Level, at: number, to: number): LogPrefix {
  if (bytes[at] !== OPEN_BRACKET) {
    return tagged(bytes, level, at, to) ?? { level, tagStart: at, tagEnd: at, textStart: at };
  }
  const close = indexWithin(bytes, CLOSE_BRACKET, at + 1, Math.min(to, at + 1 + LONGEST_TAG));
  if (close <= at + 1) {
    return { level, tagStart: at, tagEnd: at, textStart: at };
  }
  // A file or a component, followed by a line number.
  const colon = indexWithin(bytes, COLON, at + 1, close);
  const tagEnd = colon === -1 ? close : colon;
  let text = close + 1;
  while (bytes[text] === OPEN_BRACKET && text < to) {
    const end = indexWithin(bytes, CLOSE_BRACKET, text + 1, Math.min(to, text + 1 + LONGEST_TAG));
    if (end === -1) {
      break;
    }
    text = end + 1;
  }
  if (bytes[text] === COLON) {
    return { level, tagStart: at + 1, tagEnd, textStart: afterBlank(bytes, text + 1, to) };
  }
  text = afterBlanks(bytes, text, to);
  return { level, tagStart: at + 1, tagEnd, textStart: afterFunction(bytes, text, to) };
}

/** Returns the offset behind `fn(): `; `at` without such a name. */
function afterFunction(bytes: Uint8Array, at: number, to: number): number {
  const open = indexWithin(bytes, OPEN, at, Math.min(to, at + LONGEST_TAG));
  const isFunction =
    open > at && open + 2 < to && bytes[open + 1] === CLOSE && bytes[open + 2] === COLON && !hasBlank(bytes, at, open);
  return isFunction ? afterBlank(bytes, open + 3, to) : at;
}

/** Parses a tag of one word with its colon and a blank; null without one. */
function tagged(bytes: Uint8Array, level: Level, at: number, to: number): LogPrefix | null {
  const tagEnd = indexWithin(bytes, COLON, at, Math.min(to, at + LONGEST_TAG));
  if (tagEnd <= at || hasBlank(bytes, at, tagEnd) || (tagEnd + 1 < to && bytes[tagEnd + 1] !== SPACE)) {
    return null;
  }
  return { level, tagStart: at, tagEnd, textStart: afterBlank(bytes, tagEnd + 1, to) };
}

/** Returns the level of a word, trailing blanks ignored; undefined if it is no level. */
function levelOf(bytes: Uint8Array, from: number, to: number): Level | undefined {
  if (to - from > LONGEST_LEVEL) {
    return undefined;
  }
  let word = '';
  for (let at = from; at < to; at++) {
    word += String.fromCharCode(bytes[at] as number);
  }
  return wordLevels[word.trimEnd().toUpperCase()];
}

/** Returns true if the text begins with a digit: a count, a time or a date. */
function isTime(bytes: Uint8Array, from: number, to: number): boolean {
  const at = afterBlanks(bytes, from, to);
  const first = bytes[at] ?? 0;
  return at < to && first >= DIGIT_ZERO && first <= DIGIT_NINE;
}

const isCapital = (byte: number) => byte >= 0x41 && byte <= 0x5a;

const afterBlank = (bytes: Uint8Array, at: number, to: number) => Math.min(to, bytes[at] === SPACE ? at + 1 : at);

/** Returns the offset behind blanks and the colours among them. */
function afterBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = afterControls(bytes, from, to);
  while (at < to && bytes[at] === SPACE) {
    at = afterControls(bytes, at + 1, to);
  }
  return at;
}

const hasBlank = (bytes: Uint8Array, from: number, to: number) => indexWithin(bytes, SPACE, from, to) !== -1;

/** Returns the offset of `byte` from `from` on, before `to`; -1 without one. */
function indexWithin(bytes: Uint8Array, byte: number, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (bytes[at] === byte) {
      return at;
    }
  }
  return -1;
}
