/** Recognises a log file by its first bytes: its encoding, and the program that wrote its prefixes. */

import { encodingOf } from '@wirebench/port/given-text';
import { LogClock } from './log-clock.ts';
import { afterLastLine, asUtf8 } from './log-encoding.ts';
import { type LogForm, LogLinesReader } from './log-lines-reader.ts';
import { bytesOfPiece, type LogPiece } from './log-piece.ts';
import { type LogProgram, type LogProgramName, logProgram, logProgramNames, NEEDED_LINES } from './log-programs.ts';
import { guessTime, withoutColours } from './marked-form.ts';

/**
 * Bytes at the start of a file that are looked at: about a thousand lines, which all forms read within a tenth of a second.
 * A log whose times begin later opens without times and says so. Its time can then be marked.
 */
export const HEAD_BYTES = 1 << 16;

export interface RecognisedLog extends LogForm {
  /** True: some bytes are no UTF-8, so the file may be Latin-1. */
  readonly isDamaged: boolean;
  /** Time of the first line with a date, in milliseconds since the Unix epoch. Null: the log has no dates. */
  readonly firstAt: number | null;
  /**
   * Programs whose prefix the lines have, if nothing tells which of them wrote it. `program` is null then: wrong times are
   * worse than none.
   */
  readonly candidates: readonly LogProgramName[];
  /** True: the lines have no times yet, and some contain what looks like one. */
  readonly mayHaveTimes: boolean;
}

/** Part of a form that says which times lines have. */
type TimesOfForm = Pick<LogForm, 'program' | 'marked'>;

/** Returns true if the lines of a log have times. */
export const hasTimes = ({ program, marked }: TimesOfForm): boolean =>
  marked !== undefined || (program !== null && program !== 'putty');

/** Returns true if the times of a log are those of a clock, so that several logs can be on one timeline. */
export function hasClock({ program, marked }: TimesOfForm): boolean {
  const forms = program === null ? [] : (logProgram(program).forms ?? []);
  return hasTimes({ program, marked }) && !forms.some(({ time }) => time === 'elapsed' || time === 'delta');
}

/** Returns true if the received bytes are those of the file. */
export const isRawForm = ({ encoding, program, marked }: LogForm): boolean =>
  program === null && marked === undefined && (encoding === 'utf-8' || encoding === 'bytes');

/** Returns the whole lines at the start of a file as UTF-8. A head that is the whole file may end without a newline. */
export function headText(head: Uint8Array<ArrayBuffer>, { encoding, mark }: Pick<LogForm, 'encoding' | 'mark'>) {
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const all = isWide ? head.length & ~1 : head.length;
  const whole = head.length < HEAD_BYTES ? all : afterLastLine(head, encoding) || all;
  return asUtf8(head.subarray(mark, Math.max(mark, whole)), encoding);
}

/**
 * Says what a file is.
 *
 * @param head First bytes of the file: `HEAD_BYTES`, or all.
 * @param kept Patterns that a person has marked in earlier files, newest first. They come before those of programs.
 */
export function recogniseLog(head: Uint8Array<ArrayBuffer>, kept: readonly string[] = []): RecognisedLog {
  const { encoding, mark, isDamaged } = encodingOf(head);
  const base = { encoding, mark, isDamaged, program: null, withPorts: false, firstAt: null, candidates: [] };
  if (encoding === 'bytes') {
    return { ...base, mayHaveTimes: false };
  }
  const text = headText(head, base);
  for (const marked of kept) {
    const times = read({ program: null, marked }, text);
    // A log with day and month the other way round has lines that this form does not read.
    const isOther = () => read({ program: null, marked: exchanged(marked) }, text).count > times.count;
    if (isMarked(times) && !isOther()) {
      return { ...base, marked, firstAt: times.firstAt, mayHaveTimes: false };
    }
  }
  const found = logProgramNames.map((name) => ({ name, ...read({ program: name }, text) }));
  const most = found.filter(isMost);
  // A log of blocks has a time in the first line of each. Of several forms, the one of most lines is that of the blocks.
  const fits = most.length > 0 ? most : found.filter(isOfBlocks).toSorted((one, other) => other.count - one.count);
  const [first] = fits;
  const plain = { ...base, mayHaveTimes: mayHaveTimes(text) };
  if (first === undefined) {
    return plain;
  }
  const chosen = amongRivals(first, fits);
  if (chosen === null) {
    const { rivals } = logProgram(first.name);
    const same = fits.filter(({ name }) => logProgram(name).rivals?.group === rivals?.group);
    return { ...plain, candidates: same.map(({ name }) => name) };
  }
  const { ports, firstAt } = chosen;
  return { ...base, program: chosen.name, withPorts: ports.size > 1, firstAt, mayHaveTimes: false };
}

/** Returns a pattern with day and month in each other's place. */
const exchanged = (pattern: string): string =>
  pattern.replace(/\\.|D|M/g, (one) => (one === 'D' ? 'M' : one === 'M' ? 'D' : one));

/** Returns true if some line contains what looks like a time. */
function mayHaveTimes(text: Uint8Array<ArrayBuffer>): boolean {
  return new TextDecoder()
    .decode(text)
    .split('\n')
    .some((line) => guessTime(withoutColours(line)) !== null);
}

interface FoundPrefixes {
  /** Lines that are not blank, and those with the prefix. */
  readonly lines: number;
  readonly count: number;
  /** Milliseconds in the digits of each prefix. */
  readonly amounts: readonly number[];
  readonly ports: ReadonlySet<string>;
  readonly firstAt: number | null;
  /** True: the first line that is not blank has the prefix, so that every line has a time or one above. */
  readonly isFirst: boolean;
}

const none: FoundPrefixes = { lines: 0, count: 0, amounts: [], ports: new Set(), firstAt: null, isFirst: false };

interface FoundProgram extends FoundPrefixes {
  readonly name: LogProgramName;
}

/** Times that begin at 1970 stay before this one, in milliseconds: the head of a log is not that long. */
const UNDATED = 100 * 86_400_000;

function read(times: TimesOfForm, text: Uint8Array<ArrayBuffer>): FoundPrefixes {
  const reader = new LogLinesReader({ ...times, encoding: 'utf-8', withPorts: false, mark: 0 }, new LogClock(0));
  const amounts: number[] = [];
  const ports = new Set<string>();
  let firstAt: number | null = null;
  let lines = 0;
  let count = 0;
  reader.onPrefix = ({ at, port }, amount) => {
    if (Number.isNaN(at)) {
      return;
    }
    count++;
    amounts.push(amount);
    firstAt ??= at > UNDATED ? at : null;
    if (port !== undefined) {
      ports.add(port);
    }
  };
  if (!reader.mayHavePrefix(text)) {
    return none;
  }
  const isLine = times.program !== null && logProgram(times.program).isLine === true;
  let texts = 0;
  let isFirst = false;
  for (const piece of reader.read(text, true)) {
    const isText = hasText(piece);
    const hasTime = !Number.isNaN(piece.at);
    isFirst ||= hasTime && lines === 0;
    lines += hasTime || isText ? 1 : 0;
    texts += isText ? 1 : 0;
  }
  // Lines that are times and nothing else are what a board sends.
  count = texts === 0 ? 0 : count;
  return { lines: isLine ? count : lines, count, amounts, ports, firstAt, isFirst };
}

const SPACE = 0x20;

const hasText = (piece: LogPiece) => bytesOfPiece(piece).some((byte) => byte > SPACE);

/** Returns true if most lines have the prefix of a program. Output without a newline has none. */
function isMost({ name, lines, count }: FoundProgram): boolean {
  const { needed = NEEDED_LINES } = logProgram(name);
  return count >= needed && (needed === 1 || count * 2 >= lines);
}

/**
 * Returns true if the prefix begins blocks of lines. A date with its year is one by itself if the file begins with it, else a
 * form must come in `NEEDED_LINES`. A time of day must go on, and have something around it: a board's own clock in a few of
 * its lines may stand alone.
 */
function isOfBlocks({ name, count, amounts, firstAt, isFirst }: FoundProgram): boolean {
  const { forms = [], isBare = false, isLine = false }: LogProgram = logProgram(name);
  if (isLine || forms.length === 0 || forms.some(({ time }) => time === 'delta')) {
    return false;
  }
  if (firstAt !== null && forms.some(({ hasYear }) => hasYear)) {
    return count >= (isFirst ? 1 : NEEDED_LINES);
  }
  return count >= NEEDED_LINES && (firstAt !== null || (!isBare && isOnward(amounts)));
}

/** Returns true if a person's form fits: this person knows that it is a time. */
const isMarked = ({ lines, count }: FoundPrefixes): boolean => count > 0 && count >= Math.min(NEEDED_LINES, lines);

const DAY = 86_400_000;

/** Returns the milliseconds from one time to the next. A time of day that goes back by more than half a day has passed midnight. */
const onwardStep = (step: number): number => (step < -DAY / 2 ? step + DAY : step);

/** Returns true if no time goes back, but at midnight. */
const isOnward = (times: readonly number[]): boolean =>
  times.every((time, index) => onwardStep(time - (times[index - 1] ?? time)) >= 0);

/** Returns the rival whose times the lines have. Null: nothing tells it. */
function amongRivals(first: FoundProgram, fits: readonly FoundProgram[]): FoundProgram | null {
  const { rivals } = logProgram(first.name);
  const other = fits.find(
    (one) => one !== first && rivals !== undefined && logProgram(one.name).rivals?.group === rivals.group,
  );
  if (rivals === undefined || other === undefined) {
    return first;
  }
  if (rivals.by === 'order') {
    // A day after the 12th leaves lines without a prefix in the other order.
    return first.count === other.count ? null : first.count > other.count ? first : other;
  }
  const course = courseOf(first.amounts);
  return course === 'unclear' ? null : course === 'onward' ? first : other;
}

/** Steps that are enough to tell the course of times by the share of those that go back. */
const MANY_STEPS = 8;
/** Share of steps back up to which times go on, and from which they do not. Of unrelated times, half go back. */
const ONWARD_SHARE = 0.26;
const DELTA_SHARE = 0.3;
/** Restarts that the head of a log has at most, and steps back that are more than any person causes. */
const MAX_RESTARTS = 4;
const MANY_BACK = 20;
const MANY_BACK_SHARE = 0.12;
/** Share of times of zero from which they are no starts. */
const MIN_ZEROS = 0.1;
/** A running clock moves on by less than this share of what it shows, and its sessions are further apart than its steps. */
const SMALL_STEP = 0.02;
const SESSION_GAP = 20;

/**
 * Says if times go on (a clock, or the time since a start, also in several sessions), or are each since the previous line.
 *
 * @param times In milliseconds, in the order of the lines.
 */
function courseOf(times: readonly number[]): 'onward' | 'delta' | 'unclear' {
  const steps = times.slice(1).map((time, index) => onwardStep(time - (times[index] as number)));
  const forward = steps.filter((step) => step > 0);
  const back = steps.filter((step) => step < 0).map((step) => -step);
  const zeros = times.filter((time) => time === 0).length;
  if (back.length === 0) {
    return zeros === times.length ? 'unclear' : 'onward';
  }
  const hasFraction = times.some((time) => time % 1_000 !== 0);
  if (hasFraction && zeros > 1 && zeros > back.length && zeros >= MIN_ZEROS * times.length) {
    // A burst: its lines came within a millisecond of each other. A start has one time of zero at most.
    return 'delta';
  }
  const share = back.length / (back.length + forward.length);
  const step = median(forward);
  if (step > 0 && step < SMALL_STEP * median(times) && median(back) > SESSION_GAP * step) {
    return 'onward';
  }
  if (back.length + forward.length < MANY_STEPS) {
    if (back.length === 1) {
      return forward.length === 0 ? 'unclear' : 'onward';
    }
    return share > 0.5 && median(times) < LONG_SILENCE ? 'delta' : 'unclear';
  }
  if (back.length <= MAX_RESTARTS ? share <= ONWARD_SHARE : share < MANY_BACK_SHARE) {
    return 'onward';
  }
  return share >= DELTA_SHARE || back.length >= MANY_BACK ? 'delta' : 'unclear';
}

/** Silence between two lines that is rare, in milliseconds. */
const LONG_SILENCE = 600_000;

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Verdict of a test on boards, which is the last notice of its log. */
export interface LogVerdict {
  readonly isPassed: boolean;
  readonly text: string;
}

/** Bytes at the end of a file in which a verdict is looked for. */
export const TAIL_BYTES = 4_096;

/** A notice of no port (`export-text.ts`). A line of a board has its port and direction before its text. */
const VERDICT = /^\d{4}-\d\d-\d\d [\d:.]+ {2}(?:SUCCESS|ERROR) {2}(Test (passed|failed|error): .*)$/gm;

/**
 * Returns the last verdict in a log of `wirebench test`; null without one.
 *
 * @param tail Last bytes of the file: `TAIL_BYTES`, or all.
 */
export function verdictIn(tail: Uint8Array): LogVerdict | null {
  const last = [...new TextDecoder().decode(tail).matchAll(VERDICT)].at(-1);
  return last?.[1] === undefined ? null : { isPassed: last[2] === 'passed', text: last[1].trimEnd() };
}
