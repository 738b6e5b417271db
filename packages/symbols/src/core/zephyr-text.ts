/** Core dumps of Zephyr as its logging backend prints them: lines of hexadecimal digits behind `#CD:` (`coredump_backend_logging.c`). */
import { CoreDumpError } from './core-failure.ts';

const [BEGIN, END] = ['#CD:BEGIN#', '#CD:END#'];
/** Anything may be in front, and a log may reset its colours behind. */
const DATA = /#CD:((?:[0-9a-f]{2})+)(?![\w#])/i;

/** Digits of a line of a dump; null for another line. */
const zephyrDigits = (line: string): string | null => DATA.exec(line)?.[1] ?? null;

/** What a board prints in front of such a dump and behind it. */
export const zephyrMarks = { begin: BEGIN, end: END } as const;

/** Bytes that a line of such a dump stands for; null for another line. */
export const zephyrLineSize = (line: string): number | null => {
  const digits = zephyrDigits(line);
  return digits === null ? null : digits.length / 2;
};

/** True for a text that has a line of such a dump. */
export const hasZephyrDump = (text: string): boolean => text.includes(BEGIN) || text.includes(END);

/** The bytes of the last whole dump in a text. @throws CoreDumpError `no-dump`, or `truncated` for one without an end. */
export function bytesOfZephyrText(text: string): Uint8Array {
  const end = text.lastIndexOf(END);
  const start = text.lastIndexOf(BEGIN, end < 0 ? text.length : end);
  if (start >= 0 && end < 0) {
    throw new CoreDumpError('truncated');
  }
  const digits = text
    .slice(Math.max(0, start), end < 0 ? text.length : end)
    .split(/\r?\n/)
    .flatMap((line) => zephyrDigits(line) ?? [])
    .join('');
  if (digits === '') {
    throw new CoreDumpError('no-dump');
  }
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
}
