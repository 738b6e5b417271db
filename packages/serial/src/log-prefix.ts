/**
 * The beginning of a line of ESP-IDF's log: `E (995) bme280: …`, level, milliseconds since start or time of day, tag
 * (ESP-IDF Programming Guide, "Logging library"). Looks at bytes in place: it is asked of every line of a plot.
 */
import type { NoticeLevel } from './timeline-rows.ts';

const ESCAPE = 0x1b;
const OPEN_BRACKET = 0x5b;
/** Bytes of a control sequence before its last one, and that one itself (ECMA-48, section 5.4). */
const FIRST_PARAMETER = 0x20;
const FIRST_FINAL = 0x40;
const LAST_FINAL = 0x7e;
const SPACE = 0x20;
const OPEN = 0x28;
const CLOSE = 0x29;
const COLON = 0x3a;
/** Most characters of a control sequence, of the time in parentheses, and of the tag. */
const LONGEST_SEQUENCE = 24;
const LONGEST_TIME = 16;
const LONGEST_TAG = 64;

/** The letter of a level as a byte; debug and verbose, `D` and `V`, have no level of their own here. */
export const levelLetters: Readonly<Partial<Record<NoticeLevel, number>>> = { error: 0x45, warning: 0x57, info: 0x49 };
const letters = Uint8Array.from({ length: 256 }, (_, code) => Number('EWIDV'.includes(String.fromCharCode(code))));

export interface LogPrefix {
  /** Where the tag stands, and where the text behind it begins. */
  readonly tagStart: number;
  readonly tagEnd: number;
  readonly textStart: number;
}

/** Null when the line in `bytes` from `from` up to `to` begins otherwise; colours before it do not count. */
export function logPrefix(bytes: Uint8Array, from: number, to: number): LogPrefix | null {
  const start = afterSequences(bytes, from, to);
  const letter = bytes[start] ?? 0;
  if (letters[letter] === 0 || bytes[start + 1] !== SPACE || bytes[start + 2] !== OPEN) {
    return null;
  }
  const close = indexWithin(bytes, CLOSE, start + 3, Math.min(to, start + 3 + LONGEST_TIME));
  if (close <= start + 3 || bytes[close + 1] !== SPACE || close + 2 >= to) {
    return null;
  }
  const tagStart = close + 2;
  const tagEnd = indexWithin(bytes, COLON, tagStart, Math.min(to, tagStart + LONGEST_TAG));
  if (tagEnd <= tagStart) {
    return null;
  }
  const textStart = Math.min(to, bytes[tagEnd + 1] === SPACE ? tagEnd + 2 : tagEnd + 1);
  return { tagStart, tagEnd, textStart };
}

/**
 * Where control sequences at `from`, such as colours, end; `from` when there are none. A sequence is `ESC [`, parameters, and one
 * last character that says what it does (ECMA-48, section 5.4).
 */
export function afterSequences(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (let next = afterSequence(bytes, at, to); next > at; next = afterSequence(bytes, at, to)) {
    at = next;
  }
  return at;
}

function afterSequence(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] !== ESCAPE || bytes[from + 1] !== OPEN_BRACKET) {
    return from;
  }
  const limit = Math.min(to, from + LONGEST_SEQUENCE);
  for (let at = from + 2; at < limit; at++) {
    const byte = bytes[at] as number;
    if (byte >= FIRST_FINAL && byte <= LAST_FINAL) {
      return at + 1;
    }
    if (byte < FIRST_PARAMETER || byte > LAST_FINAL) {
      return from;
    }
  }
  return from;
}

/** Place of `byte` from `from` on before `to`; -1 when it is not there. */
function indexWithin(bytes: Uint8Array, byte: number, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (bytes[at] === byte) {
      return at;
    }
  }
  return -1;
}
