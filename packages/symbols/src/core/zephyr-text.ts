/**
 * Zephyr's core dumps in the text of its logging backend: lines of hexadecimal digits after `#CD:`
 * (`coredump_backend_logging.c`).
 */
import { CoreDumpError } from './core-failure.ts';

const [BEGIN, END] = ['#CD:BEGIN#', '#CD:END#'];
/** Any text may come before, and a log may reset its colours afterwards. */
const DATA = /#CD:((?:[0-9a-f]{2})+)(?![\w#])/i;

/** Returns the digits of a dump's line; null for another line. */
const zephyrDigits = (line: string): string | null => DATA.exec(line)?.[1] ?? null;

/** Marks that a board prints before and after such a dump. */
export const zephyrMarks = { begin: BEGIN, end: END } as const;

/** Returns the number of bytes in a dump's line; null for another line. */
export const zephyrLineSize = (line: string): number | null => {
  const digits = zephyrDigits(line);
  return digits === null ? null : digits.length / 2;
};

/** First line of a dump: it begins with `ZE`. */
const FIRST_LINE = /#CD:5a45(?:[0-9a-f]{2})/i;

/** Returns true for a text with a mark of such a dump, or with its first line. */
export const hasZephyrDump = (text: string): boolean =>
  text.includes(BEGIN) || text.includes(END) || FIRST_LINE.test(text);

/**
 * Returns the bytes of the last complete dump in a text.
 *
 * @throws CoreDumpError `no-dump`, or `truncated` for a dump without an end.
 */
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
