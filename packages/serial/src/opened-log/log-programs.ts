/**
 * Prefixes that programs write in front of a log's lines. Patterns run on text with one character for each byte. Programs
 * without a prefix of their own, such as picocom, need no entry.
 */
import type { NoticeLevel } from '../timeline-rows.ts';
import type { LogClock } from './log-clock.ts';
import { PrefixForm } from './prefix-form.ts';

/** Facts of a prefix. */
export interface ReadPrefix {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Default: received. */
  readonly direction?: 'received' | 'sent' | 'notice';
  readonly level?: NoticeLevel;
  readonly port?: string;
  /** True: the text is a quoted field of a table. */
  readonly quoted?: boolean;
}

export interface LogProgram {
  readonly title: string;
  /** Matches the prefix at a line's start. Sticky. */
  readonly prefix: RegExp;
  /** @param parts Groups of the match. */
  readonly read: (parts: readonly (string | undefined)[], clock: LogClock) => ReadPrefix;
  /** Fixed forms of the prefix, read without the expression. A prefix in none of them may still match it. */
  readonly forms?: readonly PrefixForm[];
  /** True: the prefix is a line of its own, for the lines behind it. */
  readonly isLine?: boolean;
  /** Lines of the file's start that must have the prefix. Default: `NEEDED_LINES`. */
  readonly needed?: number;
}

/** Lines of the file's start that must have a program's prefix. */
export const NEEDED_LINES = 3;

const DATE = '(\\d{4})-(\\d{2})-(\\d{2})';
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
const MILLISECONDS = '\\.(\\d{3})';
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const KINDS = 'RX|TX|INFO|WARNING|ERROR|SUCCESS';

const sticky = (source: string) => new RegExp(source, 'y');

/** Returns the milliseconds of minutes, seconds and the digits of a fraction. */
const withinHour = (minutes = '', seconds = '', fraction = '') =>
  Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(fraction.padEnd(6, '0')) / 1_000;

const ofDay = (hours = '', minutes = '', seconds = '', fraction = '') =>
  Number(hours) * 3_600_000 + withinHour(minutes, seconds, fraction);

type Parts = readonly (string | undefined)[];

/** Reads date and time from seven groups. */
const dated = ([, year, month, day, hour, minute, second, fraction]: Parts, clock: LogClock) =>
  clock.dated(Number(year), Number(month), Number(day), Number(hour), withinHour(minute, second, fraction));

const timeOfDay = ([, hour, minute, second, fraction]: Parts, clock: LogClock) => ({
  at: clock.timeOfDay(ofDay(hour, minute, second, fraction)),
});

const levels: Readonly<Record<string, NoticeLevel | undefined>> = {
  INFO: 'info',
  SUCCESS: 'success',
  WARNING: 'warning',
  ERROR: 'error',
};

function ownFacts(kind = ''): Pick<ReadPrefix, 'direction' | 'level'> {
  const level = levels[kind];
  return level === undefined ? { direction: kind === 'TX' ? 'sent' : 'received' } : { direction: 'notice', level };
}

/** Sorted by certainty: the first that fits enough lines wins. */
export const logPrograms = {
  wirebench: {
    title: 'Wirebench',
    // `2026-11-20 14:03:05.123  Port 1  RX  ` (`export-text.ts`).
    prefix: sticky(`${DATE} ${TIME}${MILLISECONDS} {2}(?:(?!(?:${KINDS}) {2})(\\S[^\\n]{0,79}?) {2})?(${KINDS}) {2}`),
    read: (parts, clock) => ({
      at: dated(parts, clock),
      ...ownFacts(parts[9]),
      ...(parts[8] !== undefined && { port: parts[8] }),
    }),
    needed: 1,
    forms: [
      new PrefixForm('YYYY-MM-DD hh:mm:ss.fff  RX  ', 'dated'),
      new PrefixForm('YYYY-MM-DD hh:mm:ss.fff  TX  ', 'dated', 'sent'),
    ],
  },
  'wirebench-csv': {
    title: 'Wirebench, CSV',
    // `2026-11-20 14:03:05.123,1763643785123.000,Port 1,RX,` (`export-csv.ts`). The second column is exact.
    prefix: sticky(`${DATE} ${TIME}${MILLISECONDS},(\\d+(?:\\.\\d+)?),("(?:[^"\\n]|"")*"|[^",\\n]*),(${KINDS}),(")?`),
    read: (parts) => ({
      at: Number(parts[8]),
      ...ownFacts(parts[10]),
      ...(parts[9] !== '' && parts[9] !== undefined && { port: parts[9].replace(/^"|"$/g, '').replaceAll('""', '"') }),
      quoted: parts[11] !== undefined,
    }),
    needed: 1,
  },
  'tio-date': {
    title: 'tio, with dates',
    // tio, `src/timestamp.c`: iso8601.
    prefix: sticky(`\\[${DATE}T${TIME}${MILLISECONDS}\\] `),
    read: (parts, clock) => ({ at: dated(parts, clock) }),
    forms: [new PrefixForm('[YYYY-MM-DDThh:mm:ss.fff] ', 'dated')],
  },
  'tio-epoch': {
    title: 'tio, seconds since 1970',
    // tio, `src/timestamp.c`: epoch and epoch-usec.
    prefix: sticky('\\[(\\d{9,11})\\.(\\d{3}|\\d{6})\\] '),
    read: ([, seconds, fraction = '']) => ({ at: Number(seconds) * 1_000 + Number(fraction.padEnd(6, '0')) / 1_000 }),
  },
  tio: {
    title: 'tio',
    // tio, `src/timestamp.c`: 24hour, and 24hour-start, which counts from the start of tio.
    prefix: sticky(`\\[${TIME}${MILLISECONDS}\\] `),
    read: timeOfDay,
    forms: [new PrefixForm('[hh:mm:ss.fff] ', 'timeOfDay')],
  },
  'tio-delta': {
    title: 'tio, time since the previous line',
    // tio, `src/timestamp.c`: 24hour-delta.
    prefix: sticky(`\\[${TIME}${MILLISECONDS}\\] `),
    read: ([, hour, minute, second, fraction], clock) => ({
      at: clock.sincePrevious(ofDay(hour, minute, second, fraction)),
    }),
    forms: [new PrefixForm('[hh:mm:ss.fff] ', 'sincePrevious')],
  },
  minicom: {
    title: 'minicom or Tera Term',
    // minicom, option `timestamp`; Tera Term 5, default of LogTimestampFormat.
    prefix: sticky(`\\[${DATE} ${TIME}(?:${MILLISECONDS})?\\] `),
    read: (parts, clock) => ({ at: dated(parts, clock) }),
    forms: [new PrefixForm('[YYYY-MM-DD hh:mm:ss] ', 'dated'), new PrefixForm('[YYYY-MM-DD hh:mm:ss.fff] ', 'dated')],
  },
  'minicom-delta': {
    title: 'minicom, time since the previous line',
    prefix: sticky('\\[(\\d{1,8})\\.(\\d{3})\\] '),
    read: ([, seconds, fraction], clock) => ({ at: clock.sincePrevious(withinHour('0', seconds, fraction)) }),
  },
  'minicom-second': {
    title: 'minicom, once a second',
    // minicom 2.8 writes a line of its own, and leaves out the bracket at its end.
    prefix: sticky(`\\[${DATE} ${TIME}\\]?\\r*(?=\\n|$)`),
    read: (parts, clock) => ({ at: dated(parts, clock) }),
    isLine: true,
  },
  'tera-term': {
    title: 'Tera Term 4',
    // Tera Term 4, local time: `[Wed Nov 25 12:34:56.789 2026] `.
    prefix: sticky(`\\[[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) ${TIME}${MILLISECONDS} (\\d{4})\\] `),
    read: ([, month = '', day, hour, minute, second, fraction, year], clock) => ({
      at: clock.dated(
        Number(year),
        MONTHS.indexOf(month) + 1,
        Number(day),
        Number(hour),
        withinHour(minute, second, fraction),
      ),
    }),
  },
  'tera-term-elapsed': {
    title: 'Tera Term, elapsed time',
    // Tera Term, elapsed time: days, then the time of day.
    prefix: sticky(`\\[(\\d+) ${TIME}${MILLISECONDS}\\] `),
    read: ([, days, hour, minute, second, fraction], clock) => ({
      at: clock.since(Number(days) * 86_400_000 + ofDay(hour, minute, second, fraction)),
    }),
  },
  arduino: {
    title: 'Arduino IDE',
    // Serial monitor of the Arduino IDE, "Show timestamp".
    prefix: sticky(`${TIME}${MILLISECONDS} -> `),
    read: timeOfDay,
    forms: [new PrefixForm('hh:mm:ss.fff -> ', 'timeOfDay')],
  },
  platformio: {
    title: 'PlatformIO',
    // Filter `time` of PlatformIO's device monitor.
    prefix: sticky(`${TIME}${MILLISECONDS} > `),
    read: timeOfDay,
    forms: [new PrefixForm('hh:mm:ss.fff > ', 'timeOfDay')],
  },
  coolterm: {
    title: 'CoolTerm',
    // CoolTerm, capture with timestamps: date and time, or the time alone.
    prefix: sticky(`(?:${DATE} )?${TIME}${MILLISECONDS}(?: |\\t)`),
    read: (parts, clock) => (parts[1] === undefined ? timeOfDay(parts.slice(3), clock) : { at: dated(parts, clock) }),
    forms: [new PrefixForm('hh:mm:ss.fff ', 'timeOfDay'), new PrefixForm('YYYY-MM-DD hh:mm:ss.fff ', 'dated')],
  },
  'idf-monitor': {
    title: 'idf.py monitor',
    // `idf.py monitor --timestamps` with its default format.
    prefix: sticky(`${DATE} ${TIME} `),
    read: (parts, clock) => ({ at: dated(parts, clock) }),
    forms: [new PrefixForm('YYYY-MM-DD hh:mm:ss ', 'dated')],
  },
  putty: {
    title: 'PuTTY',
    // PuTTY begins a session log with this line, and writes no times in front of others.
    prefix: sticky('(?:=~)+= PuTTY log (\\d{4})\\.(\\d{2})\\.(\\d{2}) (\\d{2}):(\\d{2}):(\\d{2}) (?==~)'),
    read: (parts, clock) => ({ at: dated(parts, clock), direction: 'notice', level: 'info' }),
    needed: 1,
  },
} satisfies Record<string, LogProgram>;

export type LogProgramName = keyof typeof logPrograms;

export const logProgramNames = Object.keys(logPrograms) as readonly LogProgramName[];

/** Returns the program of that name. */
export const logProgram = (name: LogProgramName): LogProgram => logPrograms[name];
