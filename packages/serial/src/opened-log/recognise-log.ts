/** Recognises a log file by its first bytes: its encoding, and the program that wrote its prefixes. */

import { LogClock } from './log-clock.ts';
import { afterLastLine, asUtf8, encodingOf, type LogEncoding } from './log-encoding.ts';
import { type LogProgramName, logProgram, logProgramNames, NEEDED_LINES } from './log-programs.ts';

/** Bytes at the start of a file that are enough. */
export const HEAD_BYTES = 1 << 16;
/** Lines that are looked at. */
const MAX_LINES = 400;
/** Share of the lines that must have the prefix. Output without a newline has none. */
const MIN_SHARE = 0.5;
/** Times that may go backwards: a clock that was set. More are times since the previous line. */
const MAX_BACKWARDS = 1;
/** Start of a line at midnight, or of a line that came within a millisecond of the previous one. */
const ZERO_TIME = '[00:00:00.000] ';

/** Form in which a log is read. */
export interface LogForm {
  readonly encoding: LogEncoding;
  /** Null: lines have no prefix. */
  readonly program: LogProgramName | null;
  /** True: the log is of several ports, whose names stay in front of the text. */
  readonly withPorts: boolean;
  /** Length of the byte order mark, which is no text. */
  readonly mark: number;
}

export interface RecognisedLog extends LogForm {
  /** True: some bytes are no UTF-8, so the file may be Latin-1. */
  readonly isDamaged: boolean;
  /** Time of the first line with a date, in milliseconds since the Unix epoch. Null: the log has no dates. */
  readonly firstAt: number | null;
}

/** Returns true if the lines of a program's log have times. */
export const hasTimes = (program: LogProgramName | null): boolean => program !== null && program !== 'putty';

/** Returns true if the received bytes are those of the file. */
export const isRawForm = ({ encoding, program }: LogForm): boolean =>
  program === null && (encoding === 'utf-8' || encoding === 'bytes');

/** @param head First bytes of the file: `HEAD_BYTES`, or all. */
export function recogniseLog(head: Uint8Array<ArrayBuffer>): RecognisedLog {
  const { encoding, mark, isDamaged } = encodingOf(head);
  if (encoding === 'bytes') {
    return { encoding, mark, isDamaged, program: null, withPorts: false, firstAt: null };
  }
  const whole = afterLastLine(head, encoding) || head.length & ~1;
  const lines = linesOf(asUtf8(head.subarray(mark, Math.max(mark, whole)), encoding));
  const program = logProgramNames.find((name) => isBy(name, lines)) ?? null;
  const { ports, firstAt } = program === null ? { ports: 0, firstAt: null } : factsOf(program, lines);
  return { encoding, mark, isDamaged, program, withPorts: ports > 1, firstAt };
}

const latin1 = new TextDecoder('latin1');

function linesOf(text: Uint8Array): string[] {
  return latin1
    .decode(text)
    .split('\n', MAX_LINES)
    .filter((line) => line.trim() !== '');
}

function isBy(name: LogProgramName, lines: readonly string[]): boolean {
  const { prefix, read, isLine = false, needed = NEEDED_LINES } = logProgram(name);
  const clock = new LogClock(0);
  let count = 0;
  let backwards = 0;
  let zeros = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    prefix.lastIndex = 0;
    const match = prefix.exec(line);
    if (match !== null) {
      const { at } = read(match, clock);
      count++;
      backwards += at < last ? 1 : 0;
      zeros += match[0] === ZERO_TIME ? 1 : 0;
      last = at;
    }
  }
  if (count < needed || (needed > 1 && !isLine && count < lines.length * MIN_SHARE)) {
    return false;
  }
  // Times of day go on. Times since the previous line have the same form, and do not. In a log of one burst they go
  // backwards only once, to zero, and stay there.
  return name !== 'tio' || backwards === 0 || (backwards <= MAX_BACKWARDS && zeros <= 1);
}

/** Times that begin at 1970 stay before this one, in milliseconds: the head of a log is not that long. */
const UNDATED = 100 * 86_400_000;

function factsOf(name: LogProgramName, lines: readonly string[]) {
  const { prefix, read } = logProgram(name);
  const clock = new LogClock(0);
  const ports = new Set<string>();
  let firstAt: number | null = null;
  for (const line of lines) {
    prefix.lastIndex = 0;
    const match = prefix.exec(line);
    if (match !== null) {
      const { port, at } = read(match, clock);
      firstAt ??= at > UNDATED ? at : null;
      if (port !== undefined) {
        ports.add(port);
      }
    }
  }
  return { ports: ports.size, firstAt };
}
