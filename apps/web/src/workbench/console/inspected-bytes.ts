/** Reads the selected bytes of one line back from the text of its hex rows. */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';

export interface InspectedBytes {
  /** Offset of the first byte in its line, in bytes. */
  readonly offset: number;
  readonly bytes: readonly number[];
}

/** Range of bytes in a hex row, 0 to 16. `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const bytesPerRow = 16;
const digitsOf = (byte: number) => byte * 3 + (byte < 8 ? 0 : 1);

/** Returns how many bytes are before a position of a row's text `B5 62 … 34  4D …`. A position between two digits rounds up. */
export function bytesBefore(position: number): number {
  let byte = 0;
  while (byte < bytesPerRow && digitsOf(byte) < position) {
    byte++;
  }
  return byte;
}

/** Returns the byte at a position of a row's text. A gap belongs to the byte before it. */
export function byteAt(position: number): number {
  return Math.max(0, bytesBefore(position + 1) - 1);
}

/** Returns the position of the bytes' digits in a row's text. `end` is exclusive. */
export function digitsOfBytes({ from, to }: ByteRange): { readonly start: number; readonly end: number } {
  return { start: digitsOf(from), end: digitsOf(to - 1) + 2 };
}

/**
 * Returns the selected bytes of the first line that has any. Notices have no bytes.
 *
 * @param rows Rows in order, each with the range selected in it.
 */
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

function bytesOf({ text }: PaintedRow): number[] {
  return text.split(/ +/).map((digits) => Number.parseInt(digits, 16));
}
