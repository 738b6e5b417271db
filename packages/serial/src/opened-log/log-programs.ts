/**
 * Prefixes that programs write in front of a log's lines, as data: a new form is a row. Programs without a prefix of their
 * own, such as picocom and screen, need no row. Each row names its program and where the form is published. They were read on
 * 2026-11-26, and the rows of ESPHome, KiTTY, Go, Python and RFC 3339 on 2026-11-29. A person marks the time of any other
 * form (`marked-form.ts`).
 */
import type { NoticeLevel } from '../timeline-rows.ts';
import type { LogClock } from './log-clock.ts';
import { lineKinds, PrefixForm, type PrefixTime } from './prefix-form.ts';

/** Facts of a prefix. */
export interface ReadPrefix {
  /** Milliseconds since the Unix epoch. NaN: unknown. */
  readonly at: number;
  /** Default: received. */
  readonly direction?: 'received' | 'sent' | 'notice';
  readonly level?: NoticeLevel;
  readonly port?: string;
  /** True: the text is a quoted field of a table. */
  readonly quoted?: boolean;
}

/** Prefix with more than a time in it, as an expression that runs on text with one character for each byte. */
export interface OwnPrefix {
  /** Sticky. */
  readonly prefix: RegExp;
  /** @param parts Groups of the match. */
  readonly read: (parts: readonly (string | undefined)[], clock: LogClock) => ReadPrefix;
}

export interface LogProgram {
  readonly title: string;
  /** Tried one after the other, before `own`. */
  readonly forms?: readonly PrefixForm[];
  readonly own?: OwnPrefix;
  /** True: the prefix is a line of its own, for the lines behind it. */
  readonly isLine?: boolean;
  /** True: nothing surrounds the time, so that a board's own clock in a few of its lines looks the same. */
  readonly isBare?: boolean;
  /** Lines of the file's start that must have the prefix. Default: `NEEDED_LINES`. */
  readonly needed?: number;
  /**
   * Programs of one group share a form, and mean different times by it. `steps`: the course of the times tells which.
   * `order`: nothing tells if both fit.
   */
  readonly rivals?: { readonly by: 'steps' | 'order'; readonly group: string };
}

/**
 * Lines of the file's start that must have a program's prefix. Two may do by chance: a board's own clock in a greeting. A log with
 * fewer opens without times and says so; its time can then be marked.
 */
export const NEEDED_LINES = 3;

const forms = (time: PrefixTime, ...patterns: readonly string[]) =>
  patterns.map((pattern) => new PrefixForm(pattern, time));
const bySteps = (group: string) => ({ by: 'steps', group }) as const;
const byOrder = { by: 'order', group: 'slashes' } as const;

const DATE = '(\\d{4})-(\\d{2})-(\\d{2})';
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
const MILLISECONDS = '\\.(\\d{3})';
const KINDS = lineKinds.join('|');
const PORT = '("(?:[^"\\n]|"")*"|[^",\\n]*)';

const sticky = (source: string) => new RegExp(source, 'y');

const within = (minutes = '', seconds = '', fraction = '') =>
  Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(fraction.padEnd(3, '0'));

type Parts = readonly (string | undefined)[];

/** Reads date and time from seven groups. A time without a date is one of the day; without a time it is unknown. */
function timeOf([, year, month, day, hour, minute, second, fraction]: Parts, clock: LogClock): number {
  if (hour === undefined) {
    return Number.NaN;
  }
  return year === undefined
    ? clock.timeOfDay(Number(hour) * 3_600_000 + within(minute, second, fraction))
    : clock.dated(Number(year), Number(month), Number(day), Number(hour), within(minute, second, fraction));
}

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
    // `2026-11-20 14:03:05.123  Port 1  RX  ` (`export-text.ts`). Unknown parts of the time are left out.
    own: {
      prefix: sticky(
        `(?:(?:${DATE} )?${TIME}${MILLISECONDS} {2})?(?:(?!(?:${KINDS}) {2})(\\S[^\\n]{0,254}?) {2})?(${KINDS}) {2}`,
      ),
      read: (parts, clock) => ({
        at: timeOf(parts, clock),
        ...ownFacts(parts[9]),
        ...(parts[8] !== undefined && { port: parts[8] }),
      }),
    },
    // The expression costs several times as much for each line.
    forms: forms('dated', 'YYYY-MM-DD hh:mm:ss.fff  K'),
    needed: 1,
  },
  'wirebench-csv': {
    title: 'Wirebench, CSV',
    // `2026-11-20 14:03:05.123,1763643785123.000,Port 1,RX,` (`export-csv.ts`). The second column is exact.
    own: {
      prefix: sticky(`(?:(?:${DATE} )?${TIME}${MILLISECONDS})?,(\\d+(?:\\.\\d+)?)?,${PORT},(${KINDS}),(")?`),
      read: (parts, clock) => ({
        at: parts[8] === undefined ? timeOf(parts, clock) : Number(parts[8]),
        ...ownFacts(parts[10]),
        ...(parts[9] !== '' &&
          parts[9] !== undefined && { port: parts[9].replace(/^"|"$/g, '').replaceAll('""', '"') }),
        quoted: parts[11] !== undefined,
      }),
    },
    needed: 1,
  },
  'wirebench-plot': {
    title: 'Wirebench, CSV of a plot',
    // `2026-11-20 14:03:05.123,1763643785123.000,21.5,46` (`plot/plot.ts`).
    own: {
      prefix: sticky(`(?:(?:${DATE} )?${TIME}${MILLISECONDS})?,(\\d+\\.\\d{3})?,(?=[-+\\d,"\\r\\n]|$)`),
      read: (parts, clock) => ({ at: parts[8] === undefined ? timeOf(parts, clock) : Number(parts[8]) }),
    },
  },
  'tio-date': {
    title: 'tio, with dates',
    // tio, `src/timestamp.c`: iso8601.
    forms: forms('dated', '[YYYY-MM-DDThh:mm:ss.fz] '),
  },
  'tio-epoch': {
    title: 'tio, seconds since 1970',
    // tio, `src/timestamp.c`: epoch and epoch-usec.
    forms: forms('dated', '[S.f] '),
  },
  tio: {
    title: 'tio',
    // tio, `src/timestamp.c`: 24hour, and 24hour-start, which counts from the start of tio. tio 1.32 has no fraction, and
    // grabserial (`-T`, `-t`) has the seconds since its start behind the time.
    forms: forms('clock', '[hh:mm:ss.f] ', '[hh:mm:ss] ', '[hh:mm:ss.f x] ', '[hh:mm:ss.f x x] '),
    rivals: bySteps('tio'),
  },
  'tio-delta': {
    title: 'tio, time since the previous line',
    // tio, `src/timestamp.c`: 24hour-delta.
    forms: forms('delta', '[hh:mm:ss.f] '),
    rivals: bySteps('tio'),
  },
  minicom: {
    title: 'minicom or Tera Term',
    // minicom, option `timestamp`; Tera Term 5, default of LogTimestampFormat; `arduino-cli monitor --timestamp`.
    forms: forms(
      'dated',
      '[YYYY-MM-DD hh:mm:ss] ',
      '[YYYY-MM-DD hh:mm:ss.f] ',
      '[YYYY/MM/DD hh:mm:ss] ',
      '[YYYY/MM/DD hh:mm:ss.f] ',
    ),
  },
  'minicom-delta': {
    title: 'minicom, time since the previous line',
    forms: forms('delta', '[S.fff] '),
  },
  'minicom-second': {
    title: 'minicom, once a second',
    // minicom 2.8 writes a line of its own, and leaves out the bracket at its end.
    forms: forms('dated', '[YYYY-MM-DD hh:mm:ss$', '[YYYY-MM-DD hh:mm:ss]$'),
    isLine: true,
  },
  kernel: {
    title: 'Linux kernel or grabserial, seconds since the start',
    // `dmesg`, printk; grabserial `-t` (its second number is the time since the previous line).
    forms: forms('elapsed', '[S.ffffff] ', '[S.ffffff x] '),
  },
  'tera-term': {
    title: 'Tera Term 4',
    // Tera Term 4, local time: `[Wed Nov 25 12:34:56.789 2026] `. `dmesg -T` has no fraction.
    forms: forms('dated', '[w b DD hh:mm:ss.f YYYY] ', '[w b DD hh:mm:ss YYYY] '),
  },
  'tera-term-elapsed': {
    title: 'Tera Term, elapsed time',
    // Tera Term, `strelapsedW`: days, then the time of day.
    forms: forms('elapsed', '[d hh:mm:ss.f] '),
  },
  arduino: {
    title: 'Arduino IDE or VS Code',
    // Serial monitor of the Arduino IDE, "Show timestamp"; early versions of 2.0 without leading zeros. VS Code's monitors
    // write six digits of the fraction, or none.
    forms: forms('clock', 'h:m:ss.f -> ', 'h:m:ss -> '),
  },
  'arduino-date': {
    title: 'Arduino IDE or VS Code, with dates',
    forms: forms('dated', 'YYYY-MM-DD hh:mm:ss.f -> ', 'YYYY-MM-DD hh:mm:ss -> '),
  },
  platformio: {
    title: 'PlatformIO',
    // Filter `time` of PlatformIO's device monitor.
    forms: forms('clock', 'hh:mm:ss.f > '),
  },
  coolterm: {
    title: 'CoolTerm',
    // CoolTerm, capture with timestamps: date and time, or the time alone. `ts -s` counts from its start.
    forms: [
      ...forms('clock', 'hh:mm:ss.f ', 'hh:mm:ss.f\t', 'hh:mm:ss ', 'hh:mm:ss\t'),
      ...forms('dated', 'YYYY-MM-DD hh:mm:ss.f ', 'YYYY-MM-DD hh:mm:ss.f\t', 'YYYY-MM-DD hh:mm:ss\t'),
    ],
    isBare: true,
    rivals: bySteps('bare'),
  },
  'ts-delta': {
    title: 'ts -i, time since the previous line',
    // moreutils, `ts -i`; `%.S` has six digits of a fraction.
    forms: forms('delta', 'hh:mm:ss.f ', 'hh:mm:ss '),
    rivals: bySteps('bare'),
  },
  'idf-monitor': {
    title: 'idf.py monitor',
    // `idf.py monitor --timestamps` with its default format.
    forms: forms('dated', 'YYYY-MM-DD hh:mm:ss '),
  },
  iso: {
    title: 'ISO 8601 or RFC 3339',
    // `journalctl -o short-iso`, rsyslog, `dmesg --time-format iso`, `ts %FT%T`; RFC 3339, 5.6, which also has a blank for the T.
    forms: forms(
      'dated',
      ...['YYYY-MM-DDThh:mm:ss.fz', 'YYYY-MM-DDThh:mm:ss,fz', 'YYYY-MM-DDThh:mm:ssz'].flatMap(apart),
      ...['YYYY-MM-DD hh:mm:ss.fz', 'YYYY-MM-DD hh:mm:ssz'].flatMap(apart),
    ),
  },
  esphome: {
    title: 'ESPHome',
    // `esphome logs`: `run_miniterm` in `esphome/__main__.py`; with milliseconds since aioesphomeapi has `log_parser.py`.
    forms: forms('clock', '[hh:mm:ss]B', '[hh:mm:ss.fff]B'),
  },
  python: {
    title: 'Python’s logging or Log4j',
    // Python, `logging.Formatter`: default_time_format and default_msec_format; Log4j 2, Pattern Layout: `%d{DEFAULT}`.
    forms: forms('dated', ...apart('YYYY-MM-DD hh:mm:ss,f')),
  },
  kitty: {
    title: 'KiTTY',
    // KiTTY, Session › Logging › Timestamp: a form of `strftime` that the person types, with `%f` for milliseconds (issues 57
    // and 443). These are the ones that people have shown; those with the day in front are below.
    forms: forms('dated', 'YYYY/MM/DD --- hh:mm:ss.f  ', 'YYYY/MM/DD --- hh:mm:ss.f ', 'YYYY/MM/DD --- hh:mm:ss '),
  },
  go: {
    title: 'Go’s log or nginx',
    // Go, package `log`: LstdFlags and Lmicroseconds; nginx, error_log.
    forms: forms('dated', 'YYYY/MM/DD hh:mm:ss ', 'YYYY/MM/DD hh:mm:ss.f '),
  },
  syslog: {
    title: 'ts, journalctl or syslog',
    // moreutils, `ts`; `journalctl -o short` and `short-precise`; RFC 3164, 4.1.2.
    forms: forms('yearless', 'b DD hh:mm:ss ', 'b DD hh:mm:ss.f '),
  },
  epoch: {
    title: 'Seconds since 1970',
    // `ts %s` and `ts %.s`; `journalctl -o short-unix`; `logcat -v epoch`.
    forms: forms('dated', 'S.f ', 'S '),
  },
  logcat: {
    title: 'logcat',
    // Android's logcat, formats `threadtime` and `time`.
    forms: forms('yearless', 'MM-DD hh:mm:ss.f '),
  },
  candump: {
    title: 'candump',
    // can-utils, `candump -t a`, `-t A` and `-l`.
    forms: forms('dated', '(S.ffffff) ', ' (S.ffffff) ', '(YYYY-MM-DD hh:mm:ss.f) ', ' (YYYY-MM-DD hh:mm:ss.f) '),
  },
  'candump-start': {
    title: 'candump, time since its start',
    // can-utils, `candump -t z`.
    forms: forms('elapsed', '(S.ffffff) ', ' (S.ffffff) '),
    rivals: bySteps('candump'),
  },
  'candump-delta': {
    title: 'candump, time since the previous line',
    // can-utils, `candump -t d`.
    forms: forms('delta', '(S.ffffff) ', ' (S.ffffff) '),
    rivals: bySteps('candump'),
  },
  'day-first': {
    title: 'Day, month, year',
    forms: forms(
      'dated',
      ...['DD/MM/YYYY hh:mm:ss', 'DD.MM.YYYY hh:mm:ss', 'DD-MM-YYYY hh:mm:ss', 'D/M/YYYY h:mm:ss'].flatMap(around),
    ),
    rivals: byOrder,
  },
  'month-first': {
    title: 'Month, day, year',
    forms: forms('dated', ...['MM/DD/YYYY hh:mm:ss', 'MM-DD-YYYY hh:mm:ss', 'M/D/YYYY h:mm:ss'].flatMap(around)),
    rivals: byOrder,
  },
  'twelve-hour': {
    title: '12-hour clock',
    forms: forms(
      'clock',
      'h:mm:ss a ',
      'h:mm:ss.f a ',
      '[h:mm:ss a] ',
      '[h:mm:ss.f a] ',
      'h:mm:ss.f a -> ',
      'h:mm:ss a -> ',
    ),
  },
  putty: {
    title: 'PuTTY',
    // PuTTY begins a session log with this line, and writes no times in front of others.
    own: {
      prefix: sticky('(?:=~)+= PuTTY log (\\d{4})\\.(\\d{2})\\.(\\d{2}) (\\d{2}):(\\d{2}):(\\d{2}) (?==~)'),
      read: (parts, clock) => ({ at: timeOf(parts, clock), direction: 'notice', level: 'info' }),
    },
    needed: 1,
  },
} satisfies Record<string, LogProgram>;

/** Returns the usual spellings of a date and time: with a fraction, with AM and PM, and in brackets. */
function around(stamp: string): readonly string[] {
  const all = [stamp, `${stamp}.f`, `${stamp} a`, `${stamp}.f a`];
  return all.flatMap((one) => [`${one} `, `[${one}] `, `${one} -> `, `${one}: `]);
}

/** Returns the usual ways to part a date and time from the text. */
function apart(stamp: string): readonly string[] {
  return [`${stamp} - `, `${stamp} `, `[${stamp}] `, `${stamp}: `, `${stamp}\t`];
}

export type LogProgramName = keyof typeof logPrograms;

export const logProgramNames = Object.keys(logPrograms) as readonly LogProgramName[];

/** Returns the program of that name. */
export const logProgram = (name: LogProgramName): LogProgram => logPrograms[name];
