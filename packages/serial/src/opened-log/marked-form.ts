/**
 * Form of a time that a person has marked in a line of a log: a pattern of `prefix-form.ts`, which reads it as it reads the
 * forms of programs. What the characters do not tell, the order of day, month and year, is left to the person.
 */
import { LogClock } from './log-clock.ts';
import { escaped, type MarkedRange, type MarkRefusal, MONTH, partsOf, WEEKDAY, written } from './marked-parts.ts';
import { PrefixForm } from './prefix-form.ts';

/** One way to read the marked time. */
interface MarkedForm {
  readonly pattern: string;
  /** Lines that it reads. */
  readonly count: number;
}

export const markRefusals = {
  empty: 'Mark the characters of the time in the line.',
  cut: 'Another digit stands beside the marked ones. Mark the whole time.',
  'no-time': 'A time has an hour and a minute, such as 14:03. Counters since a start are not read.',
  half: 'AM or PM stands behind the marked time. Mark it too.',
  zone: 'Time zones are read as Z, UTC, GMT or +01:00. Mark the time without its zone to read it as local time.',
  unknown: 'Some of the marked characters are no part of a date or a time. Month names are read in English.',
  impossible: 'The marked digits are no date and time that exist.',
} satisfies Record<MarkRefusal, string>;

/** Ways to read the marked time, or why there is none. Several ways mean other times by the same digits. */
type MarkedForms =
  | { readonly ways: readonly MarkedForm[]; readonly refusal: null }
  | { readonly ways: readonly []; readonly refusal: MarkRefusal };

const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,:]\\d{1,9})?)?';
const NUMERIC_DATE = '(?:\\d{4}([-/.])\\d{1,2}\\2\\d{1,2}|\\d{1,2}([-/.])\\d{1,2}\\3(?:\\d{4}|\\d{2}))';
const NAMED_DATE = `(?:${WEEKDAY},? )?(?:${MONTH} {1,2}\\d{1,2}(?:,? \\d{4})?|\\d{1,2}[- ]${MONTH}(?:[- ]\\d{4})?)`;
const SHORT_DATE = '\\d{2}[-/]\\d{2}';
const CTIME = `${WEEKDAY} ${MONTH} {1,2}\\d{1,2} ${CLOCK} \\d{4}`;
const ANY_DATE = `(?:${NUMERIC_DATE}|${NAMED_DATE}|\\d{8}|${SHORT_DATE})(?:[T_]|[^\\dA-Za-z]{1,5})`;
const BEHIND = '(?: ?[AP]M\\b)?(?:Z|[+-]\\d{2}:?\\d{2}\\b)?(?!\\d|:[\\da-f]{2})';
/** Hours, minutes and seconds with letters. Only behind a date: alone they are a duration. */
const LETTERED = '\\d{1,2}h\\d{2}m\\d{2}s';
const GUESS = new RegExp(`(^|[^\\d:.])(?:${CTIME}|(?:${ANY_DATE}(?:${CLOCK}|${LETTERED})|${CLOCK})${BEHIND})`, 'i');

/** Returns the likely place of the time in a line; null without one. */
export function guessTime(line: string): MarkedRange | null {
  const match = GUESS.exec(line);
  const start = match?.[1]?.length ?? 0;
  return match === null ? null : { from: match.index + start, to: match.index + match[0].length };
}

/** Returns a line without colours, as a person sees it and marks its time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins a colour
export const withoutColours = (line: string): string => line.replace(/\u001b\[[0-9;:]*m/g, '');

const encoder = new TextEncoder();

/**
 * Reads the time of each line with a pattern; null for a line without it.
 *
 * @param day A time on the day of the first line, for patterns without a date.
 */
export function markedTimes(pattern: string, lines: readonly string[], day: number): readonly (number | null)[] {
  const form = new PrefixForm(pattern);
  const clock = new LogClock(day);
  return lines.map((line) => {
    const bytes = encoder.encode(line);
    return form.read(bytes, 0, bytes.length) ? form.timeOf(clock) : null;
  });
}

/**
 * Derives the ways to read the marked time.
 *
 * @param lines Lines of the same log, which tell ways apart.
 */
export function markedForms(line: string, marked: MarkedRange, lines: readonly string[]): MarkedForms {
  const range = trimmed(line, marked);
  const text = line.slice(range.from, range.to);
  const refusal = refusalOf(line, range, text);
  if (refusal !== null) {
    return { ways: [], refusal };
  }
  const parts = partsOf(text);
  if (typeof parts === 'string') {
    return { ways: [], refusal: parts };
  }
  const all = [line, ...lines].map((one) => encoder.encode(one));
  const ways = parts.dates.flatMap((date) => {
    const found = surroundings(line, range)
      .flatMap(([before, after]) => [false, true].map((isLoose) => before + written(parts, date, isLoose) + after))
      .map((pattern) => ({ pattern, count: countOf(pattern, all) }));
    const best = found.reduce((one, other) => (other.count > one.count ? other : one));
    return best.count === 0 ? [] : [{ pattern: best.pattern, count: best.count }];
  });
  // An order that fewer lines have is not theirs: a 13th month leaves a line out.
  const most = Math.max(0, ...ways.map(({ count }) => count));
  const likely = ways.filter(({ count }) => count === most);
  return likely.length === 0 ? { ways: [], refusal: 'impossible' } : { ways: likely, refusal: null };
}

/** Counts the lines that a pattern reads. 0 if the first, which is the marked one, is not among them. */
function countOf(pattern: string, lines: readonly Uint8Array[]): number {
  const form = new PrefixForm(pattern);
  const isRead = (bytes: Uint8Array | undefined) => bytes !== undefined && form.read(bytes, 0, bytes.length);
  return isRead(lines[0]) ? lines.filter(isRead).length : 0;
}

function trimmed(line: string, { from, to }: MarkedRange): MarkedRange {
  const text = line.slice(from, to);
  const start = from + text.length - text.trimStart().length;
  return { from: start, to: Math.max(start, from + text.trimEnd().length) };
}

function refusalOf(line: string, { from, to }: MarkedRange, text: string): MarkRefusal | null {
  if (text === '') {
    return 'empty';
  }
  if (/\d\d/.test(line.slice(from - 1, from + 1)) || /\d\d/.test(line.slice(to - 1, to + 1))) {
    return 'cut';
  }
  if (!/[ap]m$/i.test(text) && /^ ?[ap]\.?m\b/i.test(line.slice(to))) {
    return 'half';
  }
  return null;
}

/**
 * Returns what stands around the time, as patterns. At the start of a line it is cut off with the time, with as many blanks
 * behind it as most lines have. Anywhere else the line stays whole.
 */
function surroundings(line: string, { from, to }: MarkedRange): readonly (readonly [string, string])[] {
  const before = line.slice(0, from);
  const behind = line.slice(to);
  if (/[\p{L}\d]/u.test(before)) {
    const next = Array.from(behind)[0] ?? '$';
    const edge = next === '$' ? '$' : /[\p{L}\d]/u.test(next) ? '' : escaped(next);
    return [[`*${escaped(Array.from(before).at(-1) ?? '')}`, edge]];
  }
  const mark = /^(?:["')\]}>]*(?:[ \t]*(?:->|=>|-{1,3}|\||>)(?=[ \t]|$)|[;|]|[:,](?!\d))?)/.exec(behind)?.[0] ?? '';
  const blanks = /^[ \t]*/.exec(behind.slice(mark.length))?.[0] ?? '';
  const counts = Array.from({ length: blanks.length + 1 }, (_, index) => blanks.length - index);
  return counts.map((count) => [escaped(before), escaped(mark + blanks.slice(0, count))] as const);
}
