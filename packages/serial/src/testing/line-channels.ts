/** Channels for tests, and their content as strings. */

import type { SequenceCounter } from '../channel-name.ts';
import { hexText } from '../hex-text.ts';
import { bytesOfLine } from '../line-bytes.ts';
import { LineChannel } from '../line-channel.ts';
import type { PortNumber } from '../port-number.ts';

const decoder = new TextDecoder('latin1');
const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);
/** Decodes one character per byte, so that comparisons lose nothing. */
export const latin1 = (bytes: Uint8Array): string => decoder.decode(bytes);

export function receivedChannel(
  ringBytes = 1_024,
  port: PortNumber = 1,
  counter: SequenceCounter = { next: 0 },
): LineChannel {
  return new LineChannel({ name: `received-${port}`, port, direction: 'received' }, counter, ringBytes);
}

export function sentChannel(ringBytes: number, port: PortNumber, counter: SequenceCounter): LineChannel {
  return new LineChannel({ name: `sent-${port}`, port, direction: 'sent' }, counter, ringBytes);
}

export function noticeChannel(ringBytes: number, counter: SequenceCounter): LineChannel {
  return new LineChannel({ name: 'notices', port: null, direction: 'notice' }, counter, ringBytes);
}

/** Returns the held lines with their endings. */
export function heldLines(channel: LineChannel): string[] {
  const lines: string[] = [];
  for (let line = channel.firstLine; line < channel.endLine; line++) {
    lines.push(latin1(channel.ring.view(channel.startOf(line), channel.endOf(line))));
  }
  return lines;
}

/** Returns the line without its ending: a newline with the carriage returns beside it. */
export const withoutEnding = (line: string): string => line.replace(/\r*\n\r?$/, '');

/** Returns what regular expressions see of the line: a line that was cut at its limit can end between `\r` and `\n`. */
export const withoutReturns = (line: string): string => withoutEnding(line).replace(/^\r+|\r+$/g, '');

/** Returns the bytes that rows show of each held line, with its fault in capitals: `INVALID 01 02`. */
export function heldFrames(channel: LineChannel): string[] {
  const frames: string[] = [];
  for (let line = channel.firstLine; line < channel.endLine; line++) {
    const { source, from, to } = bytesOfLine(channel, line);
    const state = channel.isOpen(line) ? 'OPEN ' : (channel.faultOf(line)?.toUpperCase().concat(' ') ?? '');
    frames.push(`${state}${hexText(source.view(from, to))}`);
  }
  return frames;
}

/** Cuts `bytes` at the given offsets, which may be in any order and repeated. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [...new Set(places.map((place) => Math.min(place, bytes.length)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}
