/** Recognises a log file by its first bytes: its encoding, and the program that wrote its prefixes. */

import { encodingOf } from '@wirebench/port/given-text';
import { LogClock } from './log-clock.ts';
import { afterLastLine, asUtf8 } from './log-encoding.ts';
import { type LogForm, LogLinesReader } from './log-lines-reader.ts';
import { bytesOfPiece, type LogPiece } from './log-piece.ts';
import { type LogProgramName, logProgram, logProgramNames, NEEDED_LINES } from './log-programs.ts';

/** Bytes at the start of a file that are enough. */
export const HEAD_BYTES = 1 << 16;
/** Lines that are looked at. */
const MAX_LINES = 400;
/** Share of the lines that must have the prefix. Output without a newline has none. */
const MIN_SHARE = 0.5;

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
}

/** Returns true if the lines of a program's log have times. */
export const hasTimes = (program: LogProgramName | null): boolean => program !== null && program !== 'putty';

/** Returns true if the times of a program's log are those of a clock, so that several logs can be on one timeline. */
export function hasClock(program: LogProgramName | null): boolean {
  const forms = program === null ? [] : (logProgram(program).forms ?? []);
  return hasTimes(program) && !forms.some(({ time }) => time === 'elapsed' || time === 'delta');
}

/** Returns true if the received bytes are those of the file. */
export const isRawForm = ({ encoding, program }: LogForm): boolean =>
  program === null && (encoding === 'utf-8' || encoding === 'bytes');

/** @param head First bytes of the file: `HEAD_BYTES`, or all. */
export function recogniseLog(head: Uint8Array<ArrayBuffer>): RecognisedLog {
  const { encoding, mark, isDamaged } = encodingOf(head);
  const plain = { encoding, mark, isDamaged, program: null, withPorts: false, firstAt: null, candidates: [] };
  if (encoding === 'bytes') {
    return plain;
  }
  const whole = afterLastLine(head, encoding) || head.length & ~1;
  const text = firstLines(asUtf8(head.subarray(mark, Math.max(mark, whole)), encoding));
  const fits = logProgramNames.flatMap((name) => {
    const found = read(name, text);
    return isEnough(name, found) ? [found] : [];
  });
  const [first] = fits;
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
  return { ...plain, program: chosen.name, withPorts: ports.size > 1, firstAt };
}

/** Returns the first lines that are not blank. */
function firstLines(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const feed = text.indexOf(LINE_FEED, at);
    if (feed === -1) {
      return text;
    }
    at = feed + 1;
  }
  return text.subarray(0, at);
}

interface FoundPrefixes {
  readonly name: LogProgramName;
  /** Lines that are not blank, and those with the prefix. */
  readonly lines: number;
  readonly count: number;
  /** Milliseconds in the digits of each prefix. */
  readonly amounts: readonly number[];
  readonly ports: ReadonlySet<string>;
  readonly firstAt: number | null;
}

/** Times that begin at 1970 stay before this one, in milliseconds: the head of a log is not that long. */
const UNDATED = 100 * 86_400_000;

function read(name: LogProgramName, text: Uint8Array<ArrayBuffer>): FoundPrefixes {
  const reader = new LogLinesReader({ encoding: 'utf-8', program: name, withPorts: false, mark: 0 }, new LogClock(0));
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
  const { isLine = false } = logProgram(name);
  let texts = 0;
  for (const piece of reader.read(text, true)) {
    const isText = hasText(piece);
    lines += !Number.isNaN(piece.at) || isText ? 1 : 0;
    texts += isText ? 1 : 0;
  }
  // Lines that are times and nothing else are what a board sends.
  count = texts === 0 ? 0 : count;
  return { name, lines: isLine ? count : lines, count, amounts, ports, firstAt };
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

const hasText = (piece: LogPiece) => bytesOfPiece(piece).some((byte) => byte > SPACE);

function isEnough(name: LogProgramName, { lines, count }: FoundPrefixes): boolean {
  const { needed = NEEDED_LINES } = logProgram(name);
  return count >= needed && (needed === 1 || count >= lines * MIN_SHARE);
}

/** Returns the rival whose times the lines have. Null: nothing tells it. */
function amongRivals(first: FoundPrefixes, fits: readonly FoundPrefixes[]): FoundPrefixes | null {
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
  const steps = times.slice(1).map((time, index) => time - (times[index] as number));
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
