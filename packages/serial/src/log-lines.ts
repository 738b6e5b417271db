/** The lines of a timeline as entries of a log: the common part of text and CSV exports. */
import type { ChannelName } from './channel-name.ts';
import type { FrameFault } from './framing/splitter.ts';
import { hexText } from './hex-text.ts';
import { bytesOfLine } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { logText, sentText } from './line-text.ts';
import { noticeLevelOf } from './notice-flags.ts';
import type { PortNumber } from './port-number.ts';
import { linePort } from './row-page.ts';
import type { Timeline } from './timeline.ts';

export interface TextExportOptions {
  /** Channels to export; omitted: all. */
  readonly channels?: readonly ChannelName[];
  /**
   * Notation of a line's bytes. Default: `text`. Hex includes the line ending, text does not. Notices are always
   * text.
   */
  readonly content?: 'text' | 'hex';
  /** Names in place of 'Port N'. */
  readonly portNames?: Readonly<Partial<Record<PortNumber, string>>>;
}

/** Facts of a line in a log, apart from its content. */
export interface LogFacts {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** False: the date of `at` means nothing. */
  readonly isDated: boolean;
  /** Empty for a notice that belongs to no port. */
  readonly port: string;
  /** `RX`, `TX`, or the level of a notice in capitals. */
  readonly kind: string;
  /** Fault of the line's frame; null for a valid one. */
  readonly fault: FrameFault | null;
}

export interface LogLine extends LogFacts {
  readonly content: string;
}

/** Approximate number of characters in one chunk of a file. */
export const chunkLength = 1 << 18;
const encoder = new TextEncoder();

/** A line by its channel and its ordinal there. */
export interface LinePosition {
  readonly channel: LineChannel;
  readonly line: number;
}

/** Yields the file as UTF-8 in chunks: `head`, then `format` of every line that was held at the start. */
export function exportLines(
  timeline: Timeline,
  options: TextExportOptions,
  head: string,
  format: (line: LogLine, position: LinePosition) => string,
): Generator<Uint8Array<ArrayBuffer>, void> {
  return formatLines(timeline.linesFrom(0, timeline.endSequence), options, head, format);
}

/** Yields `head`, then `format` of every line, as UTF-8 in chunks. Lines are read as the chunks are taken. */
export function* formatLines(
  lines: Iterable<LinePosition>,
  options: TextExportOptions,
  head: string,
  format: (line: LogLine, position: LinePosition) => string,
): Generator<Uint8Array<ArrayBuffer>, void> {
  let text = head;
  for (const { channel, line } of lines) {
    text += format(logLine(channel, line, options), { channel, line });
    if (text.length >= chunkLength) {
      yield encoder.encode(text);
      text = '';
    }
  }
  if (text !== '') {
    yield encoder.encode(text);
  }
}

function logLine(channel: LineChannel, line: number, { content, portNames }: TextExportOptions): LogLine {
  const asHex = content === 'hex' && channel.identity.direction !== 'notice';
  return {
    ...logFacts(channel, line, portNames),
    content: asHex ? hexContent(channel, line) : logContent(channel, line),
  };
}

export function logFacts(channel: LineChannel, line: number, portNames: TextExportOptions['portNames']): LogFacts {
  const port = linePort(channel, line);
  return {
    at: channel.timeOf(line),
    isDated: channel.isDated,
    port: port === null ? '' : (portNames?.[port] ?? `Port ${port}`),
    kind: kindOf(channel, line),
    fault: channel.faultOf(line),
  };
}

/** Returns the whole line as text, without its ending. */
function logContent(channel: LineChannel, line: number): string {
  const { source, textStart, textEnd } = bytesOfLine(channel, line);
  const text = source.view(textStart, textEnd);
  return channel.identity.direction === 'received' ? logText(text) : sentText(text);
}

export function hexContent(channel: LineChannel, line: number): string {
  const { source, from, to } = bytesOfLine(channel, line);
  return hexText(source.view(from, to));
}

function kindOf(channel: LineChannel, line: number): string {
  switch (channel.identity.direction) {
    case 'received':
      return 'RX';
    case 'sent':
      return 'TX';
    case 'notice':
      return noticeLevelOf(channel.flagsOf(line)).toUpperCase();
  }
}
