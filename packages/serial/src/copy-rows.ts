/**
 * Copies a range of rows as the text that a console shows of them, for a selection that reaches beyond the screen.
 * Exports of whole files are in `export-text.ts`.
 */
import { stampOf } from './export-text.ts';
import { hexRowBytes } from './hex-rows.ts';
import { hexText } from './hex-text.ts';
import { bytesOfLine } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { lineText, logText } from './line-text.ts';
import { chunkLength, logFacts, type TextExportOptions } from './log-lines.ts';
import { pieceStart, rowSpan } from './row-span.ts';
import type { Timeline } from './timeline.ts';
import type { Row, RowLayout } from './timeline-rows.ts';
import { unfinishedLength } from './visible-utf8.ts';

/** First or last row of a range. The row's identity is stable while it is held. */
interface RowEdge extends Pick<Row, 'sequence' | 'part'> {
  /**
   * Column at which the range begins or, exclusively, ends. In UTF-16 units of the row's text; in rows of the hex layout
   * in bytes. Omitted: the row is in the range as a whole.
   */
  readonly column?: number;
}

export interface RowRange extends Pick<TextExportOptions, 'channels' | 'portNames'> {
  readonly layout: RowLayout;
  /** First and last row, both included. Rows that are not held any more are left out. */
  readonly from: RowEdge;
  readonly to: RowEdge;
  /**
   * Hex layout: part of each row. `rows`: offset, digits and characters. `content`: digits. Default: `rows`.
   */
  readonly field?: 'rows' | 'content' | 'characters';
  /** Text layout, true: write out every control byte. Default: false. */
  readonly controls?: boolean;
  /** True: write time, port and direction before each row. Default: false. */
  readonly stamps?: boolean;
  /** Text layout without stamps and control bytes, true: leave out the sent lines that a board has echoed, as `RowQuery` does. */
  readonly joinsEchoes?: boolean;
}

/**
 * Yields the text in pieces of a bounded size, one line for each row. Text layout: the text that a terminal would show,
 * of the whole line even if a screen cuts it. Hex layout: `0010  41 42 …  AB…`. A notice is text and appears once.
 */
export function* copyRows(timeline: Timeline, range: RowRange): Generator<string, void> {
  let text = '';
  for (const { channel, line } of timeline.linesFrom(range.from.sequence, range.to.sequence + 1)) {
    const stamp = range.stamps ? stampOf(logFacts(channel, line, range.portNames)) : '';
    for (const content of contentsOf(channel, line, range)) {
      text += `${stamp}${content}\n`;
      if (text.length >= chunkLength) {
        yield text;
        text = '';
      }
    }
  }
  if (text !== '') {
    yield text;
  }
}

function* contentsOf(channel: LineChannel, line: number, range: RowRange): Generator<string, void> {
  const { layout, from, to, field = 'rows', controls = false } = range;
  const sequence = channel.sequenceOf(line);
  if (layout === 'text' || channel.identity.direction === 'notice') {
    const text = (end?: number) => shownText(channel, line, controls, end);
    yield sliceOf(text(), ...textColumnsOf(range, channel, line, (end) => text(end).length));
    return;
  }
  const { source, from: first, to: behind } = bytesOfLine(channel, line);
  const rows = channel.hexRowsOf(line);
  const last = sequence === to.sequence ? Math.min(to.part, rows - 1) : rows - 1;
  for (let part = sequence === from.sequence ? from.part : 0; part <= last; part++) {
    const offset = part * hexRowBytes;
    const bytes = source.view(first + offset, Math.min(behind, first + offset + hexRowBytes));
    const [start, end] = columnsOf(range, sequence, part);
    yield field === 'rows'
      ? hexRow(offset, bytes)
      : field === 'content'
        ? hexDigitsOf(bytes, start, end)
        : charactersOf(bytes.subarray(start, end));
  }
}

/** Returns the first column of a row that is in the range, and the one behind the last. */
function columnsOf({ from, to, field }: RowRange, sequence: number, part: number): [number, number | undefined] {
  const whole = field === undefined || field === 'rows';
  const isAt = (edge: RowEdge) => !whole && edge.sequence === sequence && edge.part === part;
  return [isAt(from) ? (from.column ?? 0) : 0, isAt(to) ? to.column : undefined];
}

/**
 * Returns the columns of a line in the text layout, like `columnsOf`. Columns of a piece begin at the piece.
 *
 * @param lengthUpTo Returns the length of the line's text before an offset.
 */
function textColumnsOf(
  range: RowRange,
  channel: LineChannel,
  line: number,
  lengthUpTo: (end: number) => number,
): [number, number | undefined] {
  const sequence = channel.sequenceOf(line);
  const columnsBefore = (part: number) => (part === 0 ? 0 : lengthUpTo(pieceStart(bytesOfLine(channel, line), part)));
  const at = (edge: RowEdge) => (edge.sequence === sequence && edge.column !== undefined ? edge.part : 0);
  const [first, last] = [at(range.from), at(range.to)];
  const [start] = columnsOf(range, sequence, first);
  const [, end] = columnsOf(range, sequence, last);
  return [columnsBefore(first) + start, end === undefined ? undefined : columnsBefore(last) + end];
}

/** Cuts out columns. A character with half of it in the range is whole: the line may have changed since the selection. */
function sliceOf(text: string, start: number, end = text.length): string {
  const isInside = (column: number) =>
    /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(column - 1, 0), column + 1));
  return text.slice(isInside(start) ? start - 1 : start, isInside(end) ? end + 1 : end);
}

/**
 * Returns the text of a line in the text layout, without colours. Only the end of an overwritten long line is shown.
 *
 * @param end Offset behind the text. Default: that of the whole line.
 */
function shownText(channel: LineChannel, line: number, controls: boolean, end = Number.POSITIVE_INFINITY): string {
  const bytes = bytesOfLine(channel, line);
  const { direction } = channel.identity;
  const shownFrom = rowSpan(bytes, 'text', 0).from;
  const text = bytes.source.view(
    Math.max(shownFrom, controls ? bytes.from : bytes.textStart),
    Math.min(end, bytes.textEnd),
  );
  const open = channel.isOpen(line);
  if (direction === 'received' && !controls) {
    return logText(open ? text.subarray(0, text.length - unfinishedLength(text)) : text);
  }
  return direction === 'notice'
    ? lineText(text)
    : lineText(text, { open, showControls: controls, sent: direction === 'sent' });
}

/** Formats offset, bytes and characters: `0010  1B 5B 30 6D 20 20 20 20  20 20 20 20 20 20 20 20  ·[0m            `. */
function hexRow(offset: number, bytes: Uint8Array): string {
  const digits = offset.toString(16).toUpperCase().padStart(4, '0');
  return `${digits}  ${hexDigitsOf(bytes, 0).padEnd(hexRowBytes * 3)}  ${charactersOf(bytes)}`;
}

/** Formats bytes of a row from `start` to before `end`, with the wider gap before the ninth byte of the row. */
function hexDigitsOf(bytes: Uint8Array, start: number, end = bytes.length): string {
  const half = hexRowBytes / 2;
  const halves = [bytes.subarray(start, Math.min(end, half)), bytes.subarray(Math.max(start, half), end)];
  return halves
    .map(hexText)
    .filter((digits) => digits !== '')
    .join('  ');
}

function charactersOf(bytes: Uint8Array): string {
  let characters = '';
  for (const byte of bytes) {
    characters += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
  }
  return characters;
}
