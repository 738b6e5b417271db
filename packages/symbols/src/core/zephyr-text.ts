/** Core dumps of Zephyr as its logging backend prints them: lines of hexadecimal digits behind `#CD:` (`coredump_backend_logging.c`). */
import { CoreDumpError } from './core-failure.ts';

const [BEGIN, END] = ['#CD:BEGIN#', '#CD:END#'];
/** Anything may be in front, and a log may reset its colours behind. */
const DATA = /#CD:((?:[0-9a-f]{2})+)(?![0-9a-f])/i;

export const isZephyrStart = (line: string): boolean => line.includes(BEGIN);
export const isZephyrEnd = (line: string): boolean => line.includes(END);

/** Digits of a line of a dump; null for another line. */
export const zephyrDigits = (line: string): string | null => DATA.exec(line)?.[1] ?? null;

/** True for a text that has a line of such a dump. */
export const hasZephyrDump = (text: string): boolean => text.includes('#CD:');

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
