/**
 * A row as the console puts it on the screen: text with styled stretches, ready to be written into elements. Made in the
 * bench's thread, so that the page neither decodes nor parses. Knows rows and bytes; no element and no colour value.
 */
import { lineText, type Row, type RowLayout } from '@wirebench/serial';
import { plain, type StyleRun, styledText, subtle } from './styled-text.ts';

export interface PaintedRow extends Omit<Row, 'bytes'> {
  /** What the row says; in the hex layout its bytes as `1B 5B 30 …`. */
  readonly text: string;
  /** Stretches of `text` that do not look plain, in order; what they leave out is plain. */
  readonly runs: readonly StyleRun[];
  /** Hex layout: offset within the line, four digits or more. Null in the text layout and for a notice. */
  readonly offset: string | null;
  /** Hex layout: the same bytes as characters, a middle dot for what has none. */
  readonly characters: string | null;
  /** The line is longer than what is shown of it. */
  readonly cut: boolean;
}

export interface PaintedPage {
  readonly first: number;
  readonly total: number;
  readonly rows: readonly PaintedRow[];
}

const bytesPerHexRow = 16;

/** A text row leaves out the line ending, which is two bytes at most: what lacks more was cut. */
const longestLineEnding = 2;

export function paintRow({ bytes, ...row }: Row, layout: RowLayout): PaintedRow {
  const facts = { ...row, offset: null, characters: null, cut: false };
  if (row.direction === 'notice') {
    return { ...facts, text: lineText(bytes), runs: [] };
  }
  if (layout === 'text') {
    const cut = row.lineLength - bytes.length > longestLineEnding;
    return { ...facts, cut, ...styledText(lineText(bytes, { open: row.open || cut })) };
  }
  const offset = (row.part * bytesPerHexRow).toString(16).toUpperCase().padStart(4, '0');
  return { ...facts, offset, characters: charactersOf(bytes), ...hexOf(bytes) };
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));

/** `B5 62 0A 04 00 00 0E 34  4D …`: a wider gap after eight. 00 and FF are filling most of the time, so they step back. */
function hexOf(bytes: Uint8Array): { text: string; runs: readonly StyleRun[] } {
  let text = '';
  const runs: StyleRun[] = [];
  for (const [index, byte] of bytes.entries()) {
    text += index === 0 ? '' : index === 8 ? '  ' : ' ';
    const last = runs.at(-1);
    const style = byte === 0x00 || byte === 0xff ? subtle : plain;
    if (style !== plain) {
      const joins = last !== undefined && text.slice(last.end).trim() === '';
      runs.splice(joins ? -1 : runs.length, 1, {
        start: joins ? last.start : text.length,
        end: text.length + 2,
        style,
      });
    }
    text += hexDigits[byte];
  }
  return { text, runs };
}

function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
  }
  return text;
}
