/**
 * The beginning of a line of ESP-IDF's log: `E (995) bme280: …`, level, milliseconds since start or time of day, tag
 * (ESP-IDF Programming Guide, "Logging library"). Looks at bytes in place: it is asked of every line of a plot.
 */
import type { NoticeLevel } from './timeline-rows.ts';

const ESCAPE = 0x1b;
const LETTER_M = 0x6d;
const SPACE = 0x20;
const OPEN = 0x28;
const CLOSE = 0x29;
const COLON = 0x3a;
/** Most characters of the time in parentheses, and of the tag. */
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

/** Null when the line in `bytes` from `from` up to `to` begins otherwise; a colour before it does not count. */
export function logPrefix(bytes: Uint8Array, from: number, to: number): LogPrefix | null {
  const start = afterColour(bytes, from, to);
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

/** Where a colour (SGR sequence) at `from` ends; `from` when there is none. */
export function afterColour(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] !== ESCAPE) {
    return from;
  }
  const end = indexWithin(bytes, LETTER_M, from, Math.min(to, from + LONGEST_TIME));
  return end === -1 ? from : end + 1;
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
