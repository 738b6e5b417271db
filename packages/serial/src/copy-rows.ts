/**
 * Copies a range of rows as text, for a selection that reaches beyond the screen. Exports of whole files are in
 * `export-text.ts`.
 */
import { stampOf } from './export-text.ts';
import { hexRowBytes } from './hex-rows.ts';
import { hexText } from './hex-text.ts';
import { bytesOfLine } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { chunkLength, logContent, logFacts, type TextExportOptions } from './log-lines.ts';
import type { Timeline } from './timeline.ts';
import type { Row, RowLayout } from './timeline-rows.ts';

/** Identity of a row, which is stable while the row is held. */
type RowKey = Pick<Row, 'sequence' | 'part'>;

export interface RowRange extends Pick<TextExportOptions, 'channels' | 'portNames'> {
  readonly layout: RowLayout;
  /** First and last row, both included. Rows that are not held any more are left out. */
  readonly from: RowKey;
  readonly to: RowKey;
  /** True: write time, port and direction before each row. Default: false. */
  readonly stamps?: boolean;
}

/**
 * Yields the text in pieces of a bounded size, one line for each row. Text layout: the whole line, even if a screen
 * cuts it. Hex layout: `0010  41 42 …  AB…`. A notice is text and appears once.
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

function* contentsOf(channel: LineChannel, line: number, { layout, from, to }: RowRange): Generator<string, void> {
  if (layout === 'text' || channel.identity.direction === 'notice') {
    yield logContent(channel, line);
    return;
  }
  const sequence = channel.sequenceOf(line);
  const { source, from: start, to: end } = bytesOfLine(channel, line);
  const rows = channel.hexRowsOf(line);
  const last = sequence === to.sequence ? Math.min(to.part, rows - 1) : rows - 1;
  for (let part = sequence === from.sequence ? from.part : 0; part <= last; part++) {
    const offset = part * hexRowBytes;
    yield hexRow(offset, source.view(start + offset, Math.min(end, start + offset + hexRowBytes)));
  }
}

/** Formats offset, bytes and characters: `0010  1B 5B 30 6D 20 20 20 20  20 20 20 20 20 20 20 20  ·[0m            `. */
function hexRow(offset: number, bytes: Uint8Array): string {
  const halves = [bytes.subarray(0, 8), bytes.subarray(8)].map(hexText).filter((half) => half !== '');
  const digits = offset.toString(16).toUpperCase().padStart(4, '0');
  let characters = '';
  for (const byte of bytes) {
    characters += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
  }
  return `${digits}  ${halves.join('  ').padEnd(hexRowBytes * 3)}  ${characters}`;
}
