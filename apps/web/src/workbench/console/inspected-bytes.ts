/** The bytes of one line that are marked in the hex layout, read back from its rows. Knows their text; no element. */
import type { PaintedRow } from './painted-row.ts';
import { contains, type RowSpan } from './row-selection.ts';

export interface InspectedBytes {
  /** Place of the first byte within its line. */
  readonly offset: number;
  readonly bytes: readonly number[];
}

/** Bytes of a row, from the first to before the last, from 0 to 16. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const bytesPerRow = 16;
const digitsOf = (byte: number) => byte * 3 + (byte < 8 ? 0 : 1);

/** The bytes whose digits lie, if only in part, between two places of a row's text: `B5 62 … 34  4D …`. */
export function bytesBetween(start: number, end: number): ByteRange {
  let from = 0;
  while (from < bytesPerRow && digitsOf(from) + 2 <= start) {
    from++;
  }
  let to = from;
  while (to < bytesPerRow && digitsOf(to) < end) {
    to++;
  }
  return { from, to };
}

/** Where the digits of these bytes stand in a row's text. */
export function digitsOfBytes({ from, to }: ByteRange): { readonly start: number; readonly end: number } {
  return { start: digitsOf(from), end: digitsOf(to - 1) + 2 };
}

/** @param rows in order, each with what is marked of it. The line of the first that has any counts; notices have none. */
export function inspectedBytes(
  rows: Iterable<{ readonly row: PaintedRow; readonly marked: ByteRange }>,
): InspectedBytes | null {
  let line: number | null = null;
  let offset = 0;
  const bytes: number[] = [];
  for (const { row, marked } of rows) {
    const chosen = row.offset === null ? [] : bytesOf(row).slice(marked.from, marked.to);
    if (chosen.length > 0 && (line ?? row.sequence) === row.sequence) {
      offset = line === null ? row.part * bytesPerRow + marked.from : offset;
      line = row.sequence;
      bytes.push(...chosen);
    }
  }
  return line === null ? null : { offset, bytes };
}

/** Of rows that are selected as a whole. */
export function inspectedRows(rows: readonly PaintedRow[], span: RowSpan): InspectedBytes | null {
  const whole = { from: 0, to: bytesPerRow };
  return inspectedBytes(rows.filter((row) => contains(span, row)).map((row) => ({ row, marked: whole })));
}

function bytesOf({ text }: PaintedRow): number[] {
  return text.split(/ +/).map((digits) => Number.parseInt(digits, 16));
}
