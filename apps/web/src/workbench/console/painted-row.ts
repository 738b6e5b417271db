/**
 * A row as the console puts it on the screen: text with styled stretches, ready to be written into elements. Made in the
 * bench's thread, so that the page neither decodes nor parses. Knows rows and bytes; no element and no colour value.
 */
import { escapeBytes, frameFaultText, type LineSearch, lineText, type Row, type RowLayout } from '@wirebench/serial';
import type { PanicSeverity } from '@wirebench/symbols';
import { hexDigits } from '../../shared/format/hex.ts';
import type { DumpStrip } from '../crash/dump-folds.ts';
import { hexSpan, markedRuns } from './marked-runs.ts';
import { attributes, plain, type StyleRun, styledText, subtle } from './styled-text.ts';

export interface PaintedRow extends Omit<Row, 'bytes' | 'marks' | 'ending' | 'fault' | 'stringTail'> {
  /** The line tells of a crash or a restart; null or left out when it does not. */
  readonly crash?: PanicSeverity | null;
  /** The core dump that the row stands for, or whose lines begin here; null or left out for any other row. */
  readonly dump?: DumpStrip | null;
  /** Who sent the line, where that was a guest of the shared bench; null or left out for one's own. */
  readonly author?: string | null;
  /** On the first and the last row of a line: what is wrong with the frame that it is, in words; left out when nothing is. */
  readonly fault?: string;
  /** What the row says; in the hex layout its bytes as `1B 5B 30 …`. */
  readonly text: string;
  /** Stretches of `text` that do not look plain, in order; what they leave out is plain. */
  readonly runs: readonly StyleRun[];
  /** Hex layout: offset within the line, four digits or more. Null in the text layout and for a notice. */
  readonly offset: string | null;
  /** Hex layout: the same bytes as characters, a middle dot for what has none. */
  readonly characters: string | null;
  /** Stretches of `characters` that are looked for. */
  readonly characterRuns: readonly StyleRun[];
  /** The line is longer than what is shown of it. */
  readonly cut: boolean;
  /** Text layout: the line's ending, written out; empty for a line without one. */
  readonly ending: string;
}

export interface PaintedPage {
  readonly first: number;
  readonly total: number;
  readonly rows: readonly PaintedRow[];
}

/** A page as the bench answers it. */
export interface AnsweredPage extends PaintedPage {
  /** Arrival of the first line since the log was last cleared, in milliseconds since the Unix epoch; null before it. */
  readonly startedAt: number | null;
  /** False while it is not known yet which lines are shown: ask again. */
  readonly complete: boolean;
}

const bytesPerHexRow = 16;

type Marker = LineSearch['marker'];

export interface PaintOptions {
  /** Marks what is looked for in the row's text; in the hex layout the row brings its marks along. */
  readonly marker?: Marker | undefined;
  /** Text layout: writes out every control byte, colours and overwritten text included. */
  readonly controls?: boolean;
}

export function paintRow(
  { bytes, marks, ending, fault, stringTail = 0, ...row }: Row,
  layout: RowLayout,
  options: PaintOptions = {},
): PaintedRow {
  const { marker, controls = false } = options;
  const atEdge = row.part === 0 || (row.part + 1) * bytesPerHexRow >= row.lineLength;
  const words = fault === undefined || !atEdge ? {} : { fault: frameFaultText[fault] };
  const facts = { ...row, ...words, offset: null, characters: null, characterRuns: [], cut: false, ending: '' };
  if (row.direction === 'notice') {
    return { ...facts, ...marked({ text: lineText(bytes), runs: [] }, marker) };
  }
  if (layout === 'text') {
    const cut = row.lineLength - ending.length > bytes.length;
    const text = controls ? bytes : bytes.subarray(stringTail);
    const how = { open: row.open || cut, showControls: controls, sent: row.direction === 'sent' };
    return {
      ...facts,
      cut,
      ending: cut ? '' : escapeBytes(ending),
      ...marked(styledText(lineText(text, how)), marker),
    };
  }
  const offset = hexDigits(row.part * bytesPerHexRow, 4);
  const { text, runs } = hexOf(bytes);
  return {
    ...facts,
    offset,
    text,
    runs: markedRuns(runs, (marks ?? []).map(hexSpan)),
    characters: charactersOf(bytes),
    characterRuns: (marks ?? []).map((span) => ({ ...span, style: attributes.found })),
  };
}

interface StyledText {
  readonly text: string;
  readonly runs: readonly StyleRun[];
}

function marked({ text, runs }: StyledText, marker: Marker | undefined): StyledText {
  return marker === undefined ? { text, runs } : { text, runs: markedRuns(runs, marker.inText(text)) };
}

/** Digits of each byte. A table, as the console paints thousands of them a second. */
const byteDigits = Array.from({ length: 256 }, (_, byte) => hexDigits(byte));

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
    text += byteDigits[byte];
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
