/**
 * Lines of a conversation in AT commands (ITU-T V.250, 5.7.1): a command ends with CR, a line of the modem stands
 * between CR LF. Line ends before a line belong to it, since a blank line tells a result code from text. A prompt is
 * `> ` without a line end (3GPP 27.005, 3.5.1); text for it ends with Ctrl+Z or is dropped with Esc.
 */
import { latinText } from '../latin-text.ts';
import { NONE, UNDECIDED } from '../steps/step-types.ts';
import { leftOver } from '../stream-cutter.ts';

/** Longest line: V.250 names no limit; modules take commands of up to 1,556 characters and lines of up to 4,096. */
const MAX_LINE = 4_096;

const cr = 0x0d;
const lf = 0x0a;
const controlZ = 0x1a;
const escapeKey = 0x1b;
const tab = 0x09;

/** Line ends before a line. More are left over. */
const MAX_BLANK = 64;

/** Repeats the last command (V.250, 5.2.4), and escapes to command mode (Hayes): they have no line end. */
const withoutEnd: ReadonlySet<string> = new Set(['A/', 'a/', '+++']);

const isLineEnd = (byte: number | undefined) => byte === cr || byte === lf;
const isText = (byte: number) => (byte >= 0x20 && byte !== 0x7f) || byte === tab;

/** @returns as `measure` of a step. */
export function measureLine(bytes: Uint8Array, from: number, to: number, isLast: boolean): number {
  let at = from;
  while (at < to && isLineEnd(bytes[at])) {
    at++;
  }
  const start = at;
  if (start - from > MAX_BLANK) {
    return leftOver(MAX_BLANK);
  }
  const most = Math.min(to, start + MAX_LINE);
  while (at < most && isText(bytes[at] as number)) {
    at++;
    if (at - start === 2 && start > from && bytes[start] === 0x3e && bytes[start + 1] === 0x20) {
      return at - from;
    }
  }
  if (at === start && (at === to || (bytes[at] !== controlZ && bytes[at] !== escapeKey))) {
    return at < to ? NONE : isLast ? leftOver(at - from) : UNDECIDED;
  }
  if (at === to && at - start < MAX_LINE) {
    if (!isLast) {
      return UNDECIDED;
    }
    return withoutEnd.has(textAt(bytes, start, at)) ? at - from : leftOver(at - from);
  }
  const byte = bytes[at];
  if (byte === controlZ || byte === escapeKey || byte === lf) {
    return at + 1 - from;
  }
  if (byte !== cr) {
    // No line begins inside of this text either.
    return leftOver(at - from);
  }
  if (at + 1 < to) {
    return (bytes[at + 1] === lf ? at + 2 : at + 1) - from;
  }
  // A command is whole with its CR: its answer may come before anything else is sent.
  return isLast || /^at/i.test(textAt(bytes, start, at)) ? at + 1 - from : UNDECIDED;
}

const decoder = new TextDecoder();

function textAt(bytes: Uint8Array, from: number, to: number): string {
  return decoder.decode(bytes.subarray(from, to));
}

export interface AtLine {
  /** Without line ends, Ctrl+Z and Esc. */
  readonly text: string;
  /** Offsets of the text in its frame. */
  readonly from: number;
  readonly to: number;
  /** True: a line end stands before it. */
  readonly isHeaded: boolean;
  /** Bytes that end it; `prompt` for a prompt. */
  readonly end: 'cr' | 'line' | 'text' | 'cancel' | 'prompt' | 'none';
}

export function parseLine(frame: Uint8Array): AtLine {
  let from = 0;
  while (from < frame.length && isLineEnd(frame[from])) {
    from++;
  }
  let to = frame.length;
  while (to > from && !isText(frame[to - 1] as number)) {
    to--;
  }
  const text = textAt(frame, from, to);
  return { text, from, to, isHeaded: from > 0, end: endOf(frame.subarray(to), text, from > 0) };
}

function endOf([first, second]: Uint8Array, text: string, isHeaded: boolean): AtLine['end'] {
  if (first === undefined) {
    return text === '> ' && isHeaded ? 'prompt' : 'none';
  }
  if (first === controlZ) {
    return 'text';
  }
  return first === escapeKey ? 'cancel' : first === cr && second === undefined ? 'cr' : 'line';
}

/** Line of a modem with a name: `+CREG: 2,1`. */
export interface NamedLine {
  readonly name: string;
  readonly parameters: readonly { readonly text: string; readonly from: number; readonly to: number }[];
  readonly rest: string;
}

/** @returns null for a line without a name. */
export function parseNamed(frame: Uint8Array, { from, to }: AtLine): NamedLine | null {
  const found = /^([+^%#$*&@_!][A-Za-z][\w ]*):\s*/.exec(latinText(frame, from, Math.min(to, from + MAX_NAME)));
  if (found === null) {
    return null;
  }
  const start = from + found[0].length;
  const parameters: { text: string; from: number; to: number }[] = [];
  let begin = start;
  let isQuoted = false;
  for (let at = start; at <= to; at++) {
    if (frame[at] === quote) {
      isQuoted = !isQuoted;
    }
    if (at === to || (frame[at] === comma && !isQuoted)) {
      parameters.push({ text: textAt(frame, begin, at).trim(), from: begin, to: at });
      begin = at + 1;
    }
  }
  return { name: (found[1] as string).toUpperCase(), parameters, rest: textAt(frame, start, to) };
}

/** Longest name in front of `:`, with the spaces behind it. */
const MAX_NAME = 64;
const quote = 0x22;
const comma = 0x2c;

/** Names of a command line: `AT+CSQ;+CREG?` has two. Empty for basic commands such as `ATI`. */
export function commandNames(text: string): readonly string[] {
  const body = text.slice(2).replaceAll(/"[^"]*"/g, '""');
  return body.split(';').flatMap((part) => /^([+^%#$*&@_!][A-Za-z]\w*)/.exec(part.trim())?.[1]?.toUpperCase() ?? []);
}

/** True for a command line; `A/` repeats the last one. */
export function isCommand(text: string): boolean {
  return /^at(?:$|[\s\w+^%#$*&@_!;\\?])/i.test(text) || /^a\/$/i.test(text);
}
