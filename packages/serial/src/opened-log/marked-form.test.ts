import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guessTime, markedForms, markedTimes, withoutColours } from './marked-form.ts';
import type { MarkedRange } from './marked-parts.ts';

const day = new Date(2026, 10, 25, 12).getTime();
const local = (year: number, month: number, date: number, time = 0) => new Date(year, month - 1, date).getTime() + time;
const afternoon = 50_585_000;

/** Returns the range of a text in a line. */
const rangeOf = (line: string, text: string): MarkedRange => {
  const from = line.indexOf(text);
  return { from, to: from + text.length };
};

/** Returns the times of a line in each way that its mark can be read. */
const readings = (line: string, text: string, lines: readonly string[] = []) =>
  markedForms(line, rangeOf(line, text), lines).ways.map(({ pattern }) => markedTimes(pattern, [line], day)[0]);

const refusal = (line: string, text: string) => markedForms(line, rangeOf(line, text), []).refusal;

describe('a marked time', () => {
  it.each([
    ['[21:45:43][E][sensor:094]: no answer', '21:45:43', local(2026, 11, 25, 78_343_000)],
    ['2022/12/27 --- 15:12:01.933  text', '2022/12/27 --- 15:12:01.933', local(2022, 12, 27, 54_721_933)],
    ['2024-05-03 08:03:10,226 temp 21', '2024-05-03 08:03:10,226', local(2024, 5, 3, 28_990_226)],
    ['14:03:05 x', '14:03:05 ', local(2026, 11, 25, afternoon)],
    ['14:03 x', '14:03', local(2026, 11, 25, afternoon - 5_000)],
    ['2:03:05 PM x', '2:03:05 PM', local(2026, 11, 25, afternoon)],
    ['14h03m05s x', '14h03m05s', local(2026, 11, 25, afternoon)],
    ['20240503T140305 x', '20240503T140305', local(2024, 5, 3, afternoon)],
    ['20240503140305.25 x', '20240503140305.25', local(2024, 5, 3, afternoon + 250)],
    ['Fri May  3 14:03:05 2024 x', 'Fri May  3 14:03:05 2024', local(2024, 5, 3, afternoon)],
    ['Friday, 3 May 2024 14:03:05 x', 'Friday, 3 May 2024 14:03:05', local(2024, 5, 3, afternoon)],
    ['3-May-2024 at 14:03:05 x', '3-May-2024 at 14:03:05', local(2024, 5, 3, afternoon)],
    ['14:03:05 13.05.2024 x', '14:03:05 13.05.2024', local(2024, 5, 13, afternoon)],
    ['2024-05-03T14:03:05.5+01:30 x', '2024-05-03T14:03:05.5+01:30', Date.UTC(2024, 4, 3, 12, 33, 5, 500)],
    ['2024-05-03 14:03:05 UTC x', '2024-05-03 14:03:05 UTC', Date.UTC(2024, 4, 3, 14, 3, 5)],
  ])('is read in one way: %s', (line, text, at) => {
    expect(readings(line, text)).toEqual([at]);
  });

  it.each([
    ['03/04/2026 14:03:05 x', '03/04/2026 14:03:05', [local(2026, 4, 3, afternoon), local(2026, 3, 4, afternoon)]],
    ['04-03 14:03:05 x', '04-03 14:03:05', [local(2026, 4, 3, afternoon), local(2026, 3, 4, afternoon)]],
    [
      '01.02.03 14:03:05 x',
      '01.02.03 14:03:05',
      [local(2001, 2, 3, afternoon), local(2003, 2, 1, afternoon), local(2003, 1, 2, afternoon)],
    ],
    ['24-May-03 14:03 x', '24-May-03 14:03', [local(2003, 5, 24, 50_580_000), local(2024, 5, 3, 50_580_000)]],
  ])('is asked for where its digits mean several dates: %s', (line, text, times) => {
    expect(readings(line, text)).toEqual(times);
  });

  it('has the order of a line whose day is no month', () => {
    const line = '03/04/2026 14:03:05 x';
    const text = '03/04/2026 14:03:05';
    expect(readings(line, text, ['13/04/2026 14:03:05 y'])).toEqual([local(2026, 4, 3, afternoon)]);
    expect(readings(line, text, ['04/13/2026 14:03:05 y'])).toEqual([local(2026, 3, 4, afternoon)]);
  });

  it('fits days and hours of one digit, and texts with fewer blanks in front', () => {
    const line = '12/13/2026 10:03:05  x';
    const others = ['1/3/2026 9:03:05 y', '12/14/2026 9:03:05 z'];
    const [way] = markedForms(line, rangeOf(line, '12/13/2026 10:03:05'), others).ways;
    expect(way).toEqual({ pattern: 'M/D/YYYY h:mm:ss ', count: 3 });
  });

  it('leaves a line whole in which text stands before it', () => {
    const line = 'E (123) wifi: 14:03:05 lost';
    const [way] = markedForms(line, rangeOf(line, '14:03:05'), []).ways;
    expect(way?.pattern).toBe('* hh:mm:ss ');
    const others = ['W (9) wlan 00:1a:14:03:05 near', 'I (8) a: 14:03:06 found', 'nothing'];
    expect(markedTimes(way?.pattern ?? '', others, day)).toEqual([null, local(2026, 11, 25, afternoon + 1_000), null]);
  });

  it('goes on after midnight where the lines have no date', () => {
    expect(markedTimes('hh:mm:ss ', ['23:59:59 a', '00:00:01 b'], day)).toEqual([
      local(2026, 11, 25, 86_399_000),
      local(2026, 11, 26, 1_000),
    ]);
  });

  it.each([
    ['14:03:05 x', ' ', 'empty'],
    ['14:03:05 x', '14:03:0', 'cut'],
    ['14:03:05 x', '4:03:05', 'cut'],
    ['I (1234) main: x', '1234', 'no-time'],
    ['2:03:05 PM x', '2:03:05', 'half'],
    ['14:03:05 CET x', '14:03:05 CET', 'zone'],
    ['3 juin 2024 14:03:05 x', '3 juin 2024 14:03:05', 'unknown'],
    ['25:03:05 x', '25:03:05', 'impossible'],
    ['2024-13-32 14:03:05 x', '2024-13-32 14:03:05', 'impossible'],
  ])('is refused with a reason: %s marked at “%s”', (line, text, reason) => {
    expect(refusal(line, text)).toBe(reason);
  });

  it('is guessed at its likely place', () => {
    const guess = (line: string) => {
      const range = guessTime(line);
      return range === null ? null : line.slice(range.from, range.to);
    };
    expect(guess('2022/12/27 --- 15:12:01.933  text')).toBe('2022/12/27 --- 15:12:01.933');
    expect(guess('[E] at Nov 20, 2026 2:03:05 PM: x')).toBe('Nov 20, 2026 2:03:05 PM');
    expect(guess('unit7 at 03/04/2026 14h03m05s says 1')).toBe('03/04/2026 14h03m05s');
    expect(guess('up 14h03m05s')).toBeNull();
    expect(guess('mac 00:1a:2b:3c:4d:5e')).toBeNull();
    expect(guess('mac 00:12:34:ab:cd:ef')).toBeNull();
    expect(guess('temp: 21.5, hum: 40')).toBeNull();
    expect(guess(withoutColours('\u001b[0;32m12:00:01 up\u001b[0m'))).toBe('12:00:01');
  });
});

describe('a form that is derived from a line', () => {
  const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
  const two = (value: number) => String(value).padStart(2, '0');

  /** Texts before and behind a time. */
  const surroundings = [
    ['', ' '],
    ['[', '] '],
    ['(', ') '],
    ['<', '>'],
    ['', ' -> '],
    ['', ': '],
    ['# ', ' | '],
    ['E (7) a: ', ' '],
    ['«', '» '],
  ] as const;

  const form = fc.record({
    date: fc.constantFrom(
      ...['none', 'YMD', 'DMY', 'MDY', 'yMD', 'DMy', 'MDy', 'MD', 'DbY', 'bDY', 'bD', 'YbD', 'compact'],
    ),
    separator: fc.constantFrom('-', '/', '.'),
    gap: fc.constantFrom(' ', 'T', '_', ' --- ', ', ', ' at '),
    point: fc.constantFrom('', '.', ',', ':'),
    digits: fc.integer({ min: 1, max: 9 }),
    isTwelve: fc.boolean(),
    hasSeconds: fc.boolean(),
    zone: fc.constantFrom('', 'Z', '+02:00', '-0730', ' UTC'),
    around: fc.constantFrom(...surroundings),
    text: fc.constantFrom('ready', '[E][a:1]: no', 'é 5', ''),
  });
  /** Local times that no change of clocks skips or repeats. */
  const instant = fc.record({
    year: fc.integer({ min: 2000, max: 2098 }),
    month: fc.integer({ min: 1, max: 12 }),
    date: fc.integer({ min: 1, max: 28 }),
    hour: fc.integer({ min: 4, max: 23 }),
    minute: fc.nat({ max: 59 }),
    second: fc.nat({ max: 59 }),
    nanos: fc.nat({ max: 999_999_999 }),
  });
  type Form = typeof form extends fc.Arbitrary<infer One> ? One : never;
  type Instant = typeof instant extends fc.Arbitrary<infer One> ? One : never;

  function dateText({ date, separator: s }: Form, { year, month, date: d }: Instant): string {
    const [Y, y, M, D, b] = [String(year), two(year % 100), two(month), two(d), months[month - 1]];
    const texts: Record<string, string> = {
      none: '',
      YMD: `${Y}${s}${M}${s}${D}`,
      DMY: `${D}${s}${M}${s}${Y}`,
      MDY: `${M}${s}${D}${s}${Y}`,
      yMD: `${y}${s}${M}${s}${D}`,
      DMy: `${D}${s}${M}${s}${y}`,
      MDy: `${M}${s}${D}${s}${y}`,
      MD: `${M}${s}${D}`,
      DbY: `${D} ${b} ${Y}`,
      bDY: `${b} ${D}, ${Y}`,
      bD: `${b} ${String(d).padStart(2, ' ')}`,
      YbD: `${Y}-${b}-${D}`,
      compact: `${Y}${M}${D}`,
    };
    return texts[date] ?? '';
  }

  function written(
    form: Form,
    instant: Instant,
  ): { readonly line: string; readonly text: string; readonly at: number } {
    const { hour, minute, second, nanos, year, month, date } = instant;
    const isCompact = form.date === 'compact';
    const hasFraction = form.hasSeconds && form.point !== '' && !isCompact;
    const fraction = hasFraction ? String(nanos).padStart(9, '0').slice(0, form.digits) : '';
    const shown = form.isTwelve && !isCompact ? String(hour % 12 || 12) : two(hour);
    const colon = isCompact ? '' : ':';
    const hasSeconds = form.hasSeconds || isCompact;
    const seconds = hasSeconds ? `${colon}${two(second)}` : '';
    const half = form.isTwelve && !isCompact ? (hour < 12 ? ' AM' : ' PM') : '';
    const hasZone = ['YMD', 'DMY', 'MDY', 'DbY', 'bDY', 'YbD', 'compact'].includes(form.date);
    const zone = hasZone ? form.zone : '';
    const zoneText = half === '' || zone === '' ? zone : ` ${zone.trim()}`;
    const days = dateText(form, instant);
    const gap = days === '' ? '' : isCompact ? 'T' : form.gap;
    const point = fraction === '' ? '' : form.point;
    const text = `${days}${gap}${shown}${colon}${two(minute)}${seconds}${point}${fraction}${half}${zoneText}`;
    const within = minute * 60_000 + (hasSeconds ? second * 1_000 : 0) + Number(`0.${fraction || 0}`) * 1_000;
    const offsets: Record<string, number> = { Z: 0, ' UTC': 0, '+02:00': 120, '-0730': -450 };
    const offset = offsets[zone];
    const isYearless = form.date === 'MD' || form.date === 'bD';
    // A date without a year is the last one until a day after the file's own day.
    const limit = new Date(2026, 10, 27).getTime();
    const thisYear = new Date(2026, month - 1, date, hour).getTime();
    const of = isYearless ? (thisYear + within < limit ? 2026 : 2025) : year;
    const base =
      form.date === 'none'
        ? new Date(2026, 10, 25, hour).getTime()
        : offset === undefined
          ? new Date(of, month - 1, date, hour).getTime()
          : Date.UTC(year, month - 1, date, hour) - offset * 60_000;
    const [before, behind] = form.around;
    return { line: `${before}${text}${behind}${form.text}`, text, at: base + within };
  }

  it('reads back the time that was written, as one of the ways that are offered', () => {
    fc.assert(
      fc.property(form, instant, (one, when) => {
        const { line, text, at } = written(one, when);
        const [before] = one.around;
        const { ways, refusal } = markedForms(line, { from: before.length, to: before.length + text.length }, []);
        expect({ line, refusal }).toEqual({ line, refusal: null });
        const times = ways.map(({ pattern }) => markedTimes(pattern, [line], day)[0] ?? Number.NaN);
        expect(
          times.some((time) => Math.abs(time - at) < 0.001),
          `${line}: ${times} of ${at}`,
        ).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never throws, and reads the line that was marked', () => {
    const soup = fc
      .array(fc.constantFrom(...'0123456789:./- TZ[]AMPMhms,+\\*$KBé💥', 'Nov', 'Friday', '14:03:05'), {
        maxLength: 20,
      })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(soup, fc.nat({ max: 30 }), fc.nat({ max: 30 }), (line, from, length) => {
        const { ways } = markedForms(line, { from, to: from + length }, [line, 'x']);
        for (const { pattern } of ways) {
          expect(markedTimes(pattern, [line], day)[0]).not.toBeNull();
        }
        const guess = guessTime(line);
        if (guess !== null) {
          expect(guess.to).toBeGreaterThan(guess.from);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
