/**
 * Splits a marked time into its parts: what is a date, a time of day, a zone, and what stands for itself. The patterns of the parts
 * are those of `prefix-form.ts`.
 */
import { FIELDS } from './prefix-form.ts';

/** Range of characters of a line. */
export interface MarkedRange {
  readonly from: number;
  readonly to: number;
}

/** Reasons for which a marked text is no time. */
export type MarkRefusal = 'empty' | 'cut' | 'no-time' | 'half' | 'zone' | 'unknown' | 'impossible';

/** Names of months and days of the week, in short or in full, as sources of expressions. */
export const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
export const WEEKDAY = '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]*';

/** Part of the marked text: characters that stand for themselves, or a field with the digits that it has here. */
type Part =
  | { readonly literal: string }
  | { readonly field: 'date' }
  | { readonly field: 'other'; readonly pattern: string; readonly loose: string };

interface MarkedParts {
  readonly parts: readonly Part[];
  /** Patterns of the date in each order that its digits may have. One empty pattern without a date. */
  readonly dates: readonly DatePattern[];
}

/** Pattern of a date with as many digits as here, and with one or two for day and month. */
export interface DatePattern {
  readonly exact: string;
  readonly loose: string;
}

const noDate: DatePattern = { exact: '', loose: '' };

/** Returns the pattern of the marked text. */
export const written = ({ parts }: MarkedParts, date: DatePattern, isLoose: boolean): string =>
  parts
    .map((part) => {
      if ('literal' in part) {
        return escaped(part.literal);
      }
      return part.field === 'date' ? (isLoose ? date.loose : date.exact) : isLoose ? part.loose : part.pattern;
    })
    .join('');

export const escaped = (text: string): string =>
  Array.from(text, (one) => (FIELDS.includes(one) || one === '\\' ? `\\${one}` : one)).join('');

const DATE_WORD = new RegExp(`^ ?(?:${MONTH}|${WEEKDAY})\\b`, 'i');
const ZONE = /^(?: ?(?:Z|UTC|GMT)\b| ?[+-]\d{2}(?::?\d{2})?(?!\d))/;
/** Year from which digits are one, if they might be another part of a date. */
const FIRST_YEAR = 1_970;
const LAST_YEAR = 2_099;

/** Splits the marked text into its parts. */
export function partsOf(text: string): MarkedParts | MarkRefusal {
  const clock = clockIn(text);
  if (clock === null) {
    return 'no-time';
  }
  const { from, to, isCompact } = clock;
  const before = text.slice(0, from);
  let behind = text.slice(to);
  const parts: Part[] = [{ field: 'other', pattern: clock.pattern, loose: clock.loose }];
  const half = /^( ?)[ap]m\b/i.exec(behind);
  if (half !== null) {
    parts.push({ literal: half[1] ?? '' }, { field: 'other', pattern: 'a', loose: 'a' });
    behind = behind.slice(half[0].length);
  }
  const zone = ZONE.exec(behind)?.[0];
  if (zone !== undefined) {
    parts.push({ literal: zone.startsWith(' ') ? ' ' : '' }, { field: 'other', pattern: 'z', loose: 'z' });
    behind = behind.slice(zone.length);
  } else if (/^ ?[A-Z]{3,5}\b/.test(behind) && !DATE_WORD.test(behind)) {
    return 'zone';
  }
  const first = dateParts(before, isCompact);
  const year = /^( )(\d{4})(?!\d)/.exec(behind);
  if (year !== null && first?.dates.every(({ exact }) => !exact.includes('Y')) === true) {
    // `Fri Nov 20 14:03:05 2026`
    parts.push({ literal: ' ' }, { field: 'other', pattern: 'YYYY', loose: 'YYYY' });
    behind = behind.slice(year[0].length);
  }
  const last = dateParts(behind, false);
  if (first === null || last === null || (first.dates.length > 0 && last.dates.length > 0)) {
    return 'unknown';
  }
  const dates = [...first.dates, ...last.dates];
  return { parts: [...first.parts, ...parts, ...last.parts], dates: dates.length === 0 ? [noDate] : dates };
}

interface FoundClock extends MarkedRange {
  readonly pattern: string;
  readonly loose: string;
  readonly isCompact: boolean;
}

/** Finds the time of day: `14:03:05.120`, `14h03m05s`, or behind a date `140305`. */
function clockIn(text: string): FoundClock | null {
  const compact = /^((?:\d{8}|\d{6})[T_ -]?)\d{6}(?:([.,])(\d{1,9}))?(?!\d)/.exec(text);
  if (compact !== null) {
    const [all, before = '', point = '', fraction] = compact;
    const pattern = `hhmmss${fraction === undefined ? '' : `${escaped(point)}f`}`;
    return { ...behindText(0, before, all), pattern, loose: pattern, isCompact: true };
  }
  const colons = /(^|\D)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:([.,:])(\d{1,9}))?)?(?!\d)/.exec(text);
  if (colons !== null) {
    const [all, before = '', hour = '', minute = '', second, point = '', fraction] = colons;
    const rest = [minute, ...(second === undefined ? [] : [second])].map(
      (digits, index) => `:${digitsOf('ms'[index] ?? '', digits)}`,
    );
    const tail = rest.join('') + (fraction === undefined ? '' : `${escaped(point)}f`);
    const range = behindText(colons.index, before, all);
    return { ...range, pattern: digitsOf('h', hour) + tail, loose: `h${tail}`, isCompact: false };
  }
  const letters = /(^|\D)(\d{1,2})( ?h ?)(\d{2})(?:( ?m(?:in)? ?)(\d{2})( ?s))?(?![\dA-Za-z])/.exec(text);
  if (letters !== null) {
    const [all, before = '', hour = '', betweenHour = '', minute = '', betweenMinute = '', second, end = ''] = letters;
    const tail =
      escaped(betweenHour) +
      digitsOf('m', minute) +
      (second === undefined ? '' : escaped(betweenMinute) + digitsOf('s', second) + escaped(end));
    const range = behindText(letters.index, before, all);
    return { ...range, pattern: digitsOf('h', hour) + tail, loose: `h${tail}`, isCompact: false };
  }
  return null;
}

/** Returns the range of a match at `from`, without the text that only stands before it. */
const behindText = (from: number, before: string, all: string): MarkedRange => ({
  from: from + before.length,
  to: from + all.length,
});
const digitsOf = (field: string, digits: string): string => field.repeat(digits.length);

interface DateParts {
  readonly parts: readonly Part[];
  /** Empty: the text has no date. */
  readonly dates: readonly DatePattern[];
}

/**
 * Splits the text before or behind the time of day; null if something in it is no part of a date.
 *
 * @param isCompact True: digits without separators are a date.
 */
function dateParts(text: string, isCompact: boolean): DateParts | null {
  const weekday = new RegExp(`\\b${WEEKDAY}\\b`, 'i').exec(text);
  if (weekday !== null && isWeekday(weekday[0])) {
    const { index } = weekday;
    const first = dateParts(text.slice(0, index), false);
    const last = dateParts(text.slice(index + weekday[0].length), isCompact);
    if (first === null || last === null || (first.dates.length > 0 && last.dates.length > 0)) {
      return null;
    }
    return {
      parts: [...first.parts, { field: 'other', pattern: 'w', loose: 'w' }, ...last.parts],
      dates: [...first.dates, ...last.dates],
    };
  }
  const date = dateIn(text, isCompact);
  if (date === null) {
    // A word such as `at` stands for itself.
    return /\d/.test(text) ? null : { parts: [{ literal: text }], dates: [] };
  }
  const rest = [text.slice(0, date.from), text.slice(date.to)] as const;
  if (date.patterns.length === 0 || rest.some((one) => /\d/.test(one))) {
    return null;
  }
  return { parts: [{ literal: rest[0] }, { field: 'date' }, { literal: rest[1] }], dates: date.patterns };
}

const weekdayNames = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const isWeekday = (word: string) => word.length === 3 || weekdayNames.some((name) => name === word.toLowerCase());

interface FoundDate extends MarkedRange {
  readonly patterns: readonly DatePattern[];
}

/** Orders of day, month and year in which dates are written in digits. */
const orders = ['YMD', 'DMY', 'MDY'] as const;

function dateIn(text: string, isCompact: boolean): FoundDate | null {
  const three = /(^|\D)(\d{4}|\d{1,2})([-/.]|\. )(\d{1,2})\3(\d{4}|\d{1,2})(?!\d)/.exec(text);
  if (three !== null) {
    const [all, before = '', one = '', separator = '', two = '', last = ''] = three;
    const groups = [one, two, last];
    const patterns = orders.flatMap((order) => {
      const isYearFit = groups.every((digits, index) =>
        order[index] === 'Y' ? digits.length === 2 || digits.length === 4 : digits.length <= 2,
      );
      return isYearFit ? [patternOf([...order], groups, escaped(separator))] : [];
    });
    return { ...behindText(three.index, before, all), patterns };
  }
  const named = namedDate(text);
  if (named !== null) {
    return named;
  }
  const compact = isCompact ? /^(\d{8}|\d{6})(?=[T_ -]?$)/.exec(text) : null;
  if (compact !== null) {
    const [all] = compact;
    const year = all.length - 4;
    const patterns = orders.flatMap((order) => {
      const pattern = [...order].map((field) => field.repeat(field === 'Y' ? year : 2)).join('');
      const at = order === 'YMD' ? 0 : 4;
      const isYear = year === 2 || isYearNumber(all.slice(at, at + 4));
      return isYear ? [{ exact: pattern, loose: pattern }] : [];
    });
    return { from: 0, to: all.length, patterns };
  }
  const two = /(^|\D)(\d{1,2})([-/.])(\d{1,2})(?!\d)/.exec(text);
  if (two !== null) {
    const [all, before = '', one = '', separator = '', other = ''] = two;
    const patterns = [['M', 'D'] as const, ['D', 'M'] as const].map((order) =>
      patternOf(order, [one, other], escaped(separator)),
    );
    return { ...behindText(two.index, before, all), patterns };
  }
  return null;
}

const isYearNumber = (digits: string) => Number(digits) >= FIRST_YEAR && Number(digits) <= LAST_YEAR;

function patternOf(order: readonly string[], groups: readonly string[], separator: string): DatePattern {
  const write = (isLoose: boolean) =>
    order
      .map((field, index) => {
        const { length } = groups[index] ?? '';
        return field.repeat(isLoose && field !== 'Y' ? 1 : length);
      })
      .join(separator);
  return { exact: write(false), loose: write(true) };
}

/** Finds a date with the name of its month. */
function namedDate(text: string): FoundDate | null {
  const match = new RegExp(`(^|[^A-Za-z])(${MONTH})(?![A-Za-z])`, 'i').exec(text);
  if (match === null) {
    return null;
  }
  const [, edge = '', month = ''] = match;
  const start = match.index + edge.length;
  const before = /(\d{4}|\d{1,2})([-/. ]{1,2})$/.exec(text.slice(0, start));
  const after = /^([-/., ]{1,2})(\d{4}|\d{1,2})(?:([-/, ]{1,2})(\d{4}))?(?!\d)/.exec(text.slice(start + month.length));
  const [leading = '', first = '', gap = ''] = before ?? [];
  const [trailing = '', behindMonth = '', second = '', behindSecond = '', third = ''] = after ?? [];
  const range = { from: start - leading.length, to: start + month.length + trailing.length };
  const patterns: DatePattern[] = [];
  const add = (year: string, day: string, write: (year: string, day: string) => string) => {
    if (day.length <= 2 && day !== '' && (year === '' || year.length === 2 || year.length === 4)) {
      const years = digitsOf('Y', year);
      patterns.push({ exact: write(years, digitsOf('D', day)), loose: write(years, 'D') });
    }
  };
  const [e0, e1, e2] = [escaped(gap), escaped(behindMonth), escaped(behindSecond)];
  if (first === '' && third === '') {
    // `Nov 20` and `Nov  6`, which has a blank in the place of a digit.
    const isPadded = behindMonth.length === 2 && behindMonth.endsWith(' ') && second.length === 1;
    add('', isPadded ? `0${second}` : second, (_, day) => `b${isPadded ? escaped(behindMonth.slice(0, 1)) : e1}${day}`);
  } else if (first === '') {
    add(third, second, (year, day) => `b${e1}${day}${e2}${year}`);
  } else if (second === '') {
    add('', first, (_, day) => `${day}${e0}b`);
  } else if (third === '') {
    add(second, first, (year, day) => `${day}${e0}b${e1}${year}`);
    add(first, second, (year, day) => `${year}${e0}b${e1}${day}`);
  }
  return patterns.length === 0 ? null : { ...range, patterns };
}
