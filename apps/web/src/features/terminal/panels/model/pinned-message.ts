/** One pinned message: what is sent, what is waited for, and how it is written down. Knows no panel and no port. */
import { encodePinned, type InputMode, type LineEnding, maxInputLength } from '@wirebench/serial';
import { fieldsOf, isRecord } from '../../../../shared/json.ts';
import type { MessageFault } from './panel-failure.ts';
import { type UnknownKeys, without } from './stored-fields.ts';

/** As a JKit writes them. */
export type MessageType = 'ascii' | 'hex';

export interface MessageText {
  /** As it was typed; at most `maxInputLength` characters. */
  readonly content: string;
  readonly type: MessageType;
}

/** Whole numbers of a message: what they are unless told, and within which bounds they are taken. */
export const messageNumbers = {
  /** Longest wait for the answer, in milliseconds. */
  timeoutMs: { usual: 1_000, least: 1, most: 600_000 },
  /** Pause in a run after the message, and after each of its repetitions, in milliseconds. */
  delayMs: { usual: 0, least: 0, most: 600_000 },
  /** How often a run sends it in a row. */
  repeat: { usual: 1, least: 1, most: 10_000 },
  /** From one sending to the next when it is repeated until somebody stops it, in milliseconds. */
  everyMs: { usual: 1_000, least: 10, most: 3_600_000 },
} as const;

export type MessageNumber = keyof typeof messageNumbers;
type MessageNumbers = Readonly<Record<MessageNumber, number>>;
const numberNames = Object.keys(messageNumbers) as MessageNumber[];

/** What a person decides about a message. */
export interface MessageDraft extends MessageText, MessageNumbers {
  /** What must have come from the port before the next message of a run is sent; null when nothing is waited for. */
  readonly expect: MessageText | null;
}

export interface PinnedMessage extends MessageDraft {
  readonly id: string;
  readonly others: UnknownKeys;
}

export function newMessage(id: string, { content, type }: MessageText): PinnedMessage {
  return { id, content: tidy(content, type), type, expect: null, ...usualNumbers, others: {} };
}

const usualNumbers = Object.fromEntries(
  numberNames.map((name) => [name, messageNumbers[name].usual]),
) as unknown as MessageNumbers;

export function isMessageNumber(name: MessageNumber, value: unknown): value is number {
  const { least, most } = messageNumbers[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

/** White space around hex digits says nothing; around text it is sent. */
export function tidy(content: string, type: MessageType): string {
  return type === 'hex' ? content.trim() : content;
}

/** Null when the text can be pinned. */
export function messageFault({ content, type }: MessageText): MessageFault | null {
  if (content.trim() === '') {
    return 'empty';
  }
  const encoded = encodePinned(content, modeOf(type), 'none');
  return encoded.ok ? null : encoded.code === 'invalid-input-hex' ? 'invalid-hex' : encoded.code;
}

const modeOf = (type: MessageType): InputMode => (type === 'hex' ? 'hex' : 'text');

export function encodeMessage({ content, type }: MessageText, ending: LineEnding) {
  return encodePinned(content, modeOf(type), ending);
}

/** Whether two messages send the same: hex is compared by its digits, text character by character. */
export function sendsTheSame(a: MessageText, b: MessageText): boolean {
  return a.type === b.type && comparable(a) === comparable(b);
}

function comparable({ content, type }: MessageText): string {
  return type === 'hex' ? content.replaceAll(/\s/g, '').toUpperCase() : content;
}

/** As it is shown: hex in pairs of capitals when it is bytes. */
export function shownContent({ content, type }: MessageText): string {
  const digits = comparable({ content, type });
  const bytes = type === 'hex' && digits.length % 2 === 0 && /^[0-9A-F]+$/.test(digits);
  return bytes ? (digits.match(/../g) ?? []).join(' ') : content;
}

/** The first characters that may be pinned, without half a byte or half a character at their end. */
export function cutContent(content: string, type: MessageType): string {
  if (content.length <= maxInputLength) {
    return content;
  }
  const cut = content.slice(0, maxInputLength);
  if (type === 'hex') {
    const digits = cut.replaceAll(/\s/g, '').length;
    return digits % 2 === 0 ? cut : cut.replace(/\S\s*$/, '');
  }
  return cut.isWellFormed() || !content.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Null when it can be waited for. Blanks alone can: they are bytes. */
export function expectedFault(text: MessageText): MessageFault | null {
  if (text.type === 'hex') {
    return messageFault(text);
  }
  return text.content === '' ? 'empty' : text.content.length > maxInputLength ? 'too-long' : null;
}

/** As an entry of a jkit's `fields`: only what is not usual is said. */
export function writeEntry(message: PinnedMessage): UnknownKeys {
  const { content, type, expect, others } = message;
  const numbers = numberNames.filter(
    (name) => message[name] !== messageNumbers[name].usual || (name === 'timeoutMs' && expect !== null),
  );
  return {
    ...others,
    content,
    type,
    ...(expect === null ? {} : { expect: isReadAs(expect, type) ? expect.content : { ...expect } }),
    ...Object.fromEntries(numbers.map((name) => [name, message[name]])),
  };
}

/** @property cut its content was longer than a message may be. */
export interface ReadEntry {
  readonly message: PinnedMessage;
  readonly cut: boolean;
}

/**
 * Reads an entry of a jkit's `fields`, a text or an object. An answer or a number that is not understood counts as not given
 * and is kept as it is. Null when the entry is no message.
 */
export function readEntry(entry: unknown, id: string): ReadEntry | null {
  const fields = typeof entry === 'string' ? { content: entry } : fieldsOf(entry);
  const given = fields['content'];
  if (typeof given !== 'string') {
    return null;
  }
  const type = fields['type'] === 'hex' ? 'hex' : 'ascii';
  const content = cutContent(given, type);
  const expect = readExpected(fields['expect'], type);
  const understood = numberNames.filter((name) => isMessageNumber(name, fields[name]));
  const numbers = Object.fromEntries(understood.map((name) => [name, fields[name]])) as Partial<MessageNumbers>;
  const others = without(fields, 'content', 'type', ...understood, ...(expect === null ? [] : ['expect']));
  return { message: { id, content, type, expect, ...usualNumbers, ...numbers, others }, cut: content !== given };
}

/** A bare text is of the message's own type where it can be; an object says its type. */
function readExpected(value: unknown, own: MessageType): MessageText | null {
  if (typeof value === 'string') {
    const asOwn: MessageText = { content: value, type: own };
    const text: MessageText = expectedFault(asOwn) === null ? asOwn : { content: value, type: 'ascii' };
    return expectedFault(text) === null ? text : null;
  }
  if (isRecord(value) && typeof value['content'] === 'string') {
    const text: MessageText = { content: value['content'], type: value['type'] === 'hex' ? 'hex' : 'ascii' };
    return expectedFault(text) === null ? text : null;
  }
  return null;
}

/** Whether a bare text in the place of `expect` would be read as it. */
function isReadAs(expect: MessageText, own: MessageType): boolean {
  const read = readExpected(expect.content, own);
  return read !== null && read.type === expect.type;
}
