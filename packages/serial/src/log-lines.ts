/** The lines of a time line as the entries of a log: what an export of text and one of CSV have in common. */
import type { ChannelName } from './channel-name.ts';
import type { LineChannel } from './line-channel.ts';
import { logText } from './line-text.ts';
import { noticeLevelOf } from './notice-flags.ts';
import type { PortNumber } from './port-settings.ts';
import { textEnd } from './row-bytes.ts';
import { linePort } from './row-page.ts';
import type { Timeline } from './timeline.ts';

export interface TextExportOptions {
  /** Which lines; all of them when left out. */
  readonly channels?: readonly ChannelName[];
  /** How the bytes of a line are written; `text` unless told. Hex has the line ending, text has not. Notices are text. */
  readonly content?: 'text' | 'hex';
  /** Names in place of 'Port N'. */
  readonly portNames?: Readonly<Partial<Record<PortNumber, string>>>;
}

/** What a log says of a line besides its content. */
export interface LogFacts {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Empty for a notice that belongs to no port. */
  readonly port: string;
  /** `RX`, `TX`, or the level of a notice in capitals. */
  readonly kind: string;
}

export interface LogLine extends LogFacts {
  readonly content: string;
}

/** About this many characters become one chunk of a file. */
export const chunkLength = 1 << 18;
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
const encoder = new TextEncoder();

/** The file as UTF-8 in chunks: `head`, then `format` of every line held when it began. */
export function* exportLines(
  timeline: Timeline,
  options: TextExportOptions,
  head: string,
  format: (line: LogLine) => string,
): Generator<Uint8Array<ArrayBuffer>, void> {
  let text = head;
  for (const { channel, line } of timeline.linesFrom(0, timeline.endSequence)) {
    text += format(logLine(channel, line, options));
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
    content: asHex ? hexText(channel.ring.view(channel.startOf(line), channel.endOf(line))) : logContent(channel, line),
  };
}

export function logFacts(channel: LineChannel, line: number, portNames: TextExportOptions['portNames']): LogFacts {
  const port = linePort(channel, line);
  return {
    at: channel.timeOf(line),
    port: port === null ? '' : (portNames?.[port] ?? `Port ${port}`),
    kind: kindOf(channel, line),
  };
}

/** The whole line as text, without its ending. */
export function logContent(channel: LineChannel, line: number): string {
  const start = channel.startOf(line);
  return logText(channel.ring.view(start, textEnd(channel, start, channel.endOf(line))));
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

/** `0D 0A` */
export function hexText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += text === '' ? hexPairs[byte] : ` ${hexPairs[byte]}`;
  }
  return text;
}
