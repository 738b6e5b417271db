/** A pinned message: text to send, expected answer, and its serialization in a JKit. */
import { jkitLimits } from '@wirebench/contract';
import { fieldsOf, isRecord } from '@wirebench/contract/json';
import {
  encodePinned,
  hexText,
  type InputFailure,
  type InputMode,
  type LineEnding,
  maxInputLength,
  parseHexInput,
  portNumbers,
  type SendPace,
  tidyHex,
} from '@wirebench/serial';
import { type MessageFlow, readFlow, unreadInFlow, writeFlow } from './message-flow.ts';
import { hasValuePlace, type MessageValue, sentNumber, withValue } from './message-value.ts';
import { type UnknownKeys, without } from './stored-fields.ts';

/** Faults in the text of a message. */
export type MessageFault = Exclude<InputFailure, 'invalid-input-hex'> | 'empty';

/** Type names as a JKit stores them. */
export type MessageType = 'ascii' | 'hex';

export interface MessageText {
  /** Text as the user typed it, at most `maxInputLength` characters. */
  readonly content: string;
  readonly type: MessageType;
}

/** Integer settings of a message, with default (`usual`) and bounds. */
export const messageNumbers = {
  /** Timeout for the answer, in milliseconds. A day at most. */
  timeoutMs: { usual: 1_000, least: 1, most: 86_400_000 },
  /** Pause of a run after each sending of the message, in milliseconds. */
  delayMs: { usual: 0, least: 0, most: 600_000 },
  /** Number of times that a run sends the message in a row. */
  repeat: { usual: 1, least: 1, most: 10_000 },
  /** Interval of a repetition that runs until it is stopped, in milliseconds. */
  everyMs: { usual: 1_000, least: 10, most: 3_600_000 },
} as const;

/** Ways to send a file to a board: as it is, line by line, or by a protocol that confirms every block. */
export const fileWays = ['raw', 'lines', 'xmodem', 'xmodem-1k', 'ymodem', 'zmodem'] as const;
export type FileWay = (typeof fileWays)[number];

/** Pace of the ways without a protocol, with the pause after each line in milliseconds. */
export const filePaces = {
  raw: { kind: 'wire' },
  lines: { kind: 'lines', pause: 50 },
} as const satisfies Partial<Record<FileWay, SendPace>>;

/** Longest name of a file to send, in UTF-16 units. */
export const longestFileName = 255;

/** A file that is sent after a message. A person chooses the file itself, and it is in no JKit. */
export interface MessageFile {
  readonly by: FileWay;
  /** Name of the wanted file. Empty: any. */
  readonly name: string;
}

type MessageNumber = keyof typeof messageNumbers;
type MessageNumbers = Readonly<Record<MessageNumber, number>>;
const numberNames = Object.keys(messageNumbers) as MessageNumber[];

/** Longest label, in UTF-16 units. */
export const longestLabel = jkitLimits.labelMaxLength;

/** Editable fields of a message. */
export interface MessageDraft extends MessageText, MessageNumbers {
  /** Name that is shown before the content. Empty: the message has none. */
  readonly label: string;
  /** True: log, transcript, recordings, exports and guests see the name of the message instead of what is sent. */
  readonly hidden: boolean;
  /** Answer that the port must send before a run continues with the next message. Null: the run does not wait. */
  readonly expect: MessageText | null;
  /** File that follows the message and its answer. Null: none. */
  readonly file: MessageFile | null;
  /** Further answers and branches of a run. Null: none. */
  readonly flow: MessageFlow | null;
}

export interface PinnedMessage extends MessageDraft {
  readonly id: string;
  readonly others: UnknownKeys;
}

export function newMessage(id: string, { content, type }: MessageText): PinnedMessage {
  return {
    id,
    content: tidy(content, type),
    type,
    label: '',
    hidden: false,
    expect: null,
    file: null,
    flow: null,
    ...usualNumbers,
    others: {},
  };
}

const usualNumbers = Object.fromEntries(
  numberNames.map((name) => [name, messageNumbers[name].usual]),
) as unknown as MessageNumbers;

function isMessageNumber(name: MessageNumber, value: unknown): value is number {
  const { least, most } = messageNumbers[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

/** Writes hex input as pairs of digits. Text is kept, because its white space is sent. */
export function tidy(content: string, type: MessageType): string {
  return type === 'hex' ? tidyHex(content) : content;
}

/** Returns the fault of a text, or null if it can be pinned. */
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

/** Returns true if both messages send the same bytes. Hex is compared by digits, text character by character. */
export function sendsTheSame(a: MessageText, b: MessageText): boolean {
  return a.type === b.type && comparable(a) === comparable(b);
}

function comparable({ content, type }: MessageText): string {
  return type === 'hex' ? (pairsOf(content) ?? content.replaceAll(/\s/g, '').toUpperCase()) : content;
}

/** Returns the content for display. Valid hex becomes pairs of upper-case digits. */
export function shownContent({ content, type }: MessageText): string {
  return type === 'hex' ? (pairsOf(content) ?? content) : content;
}

/** Returns the name of a message for people: its label, or its content without one, which a hidden message keeps. */
export function messageName({
  label,
  hidden = false,
  ...text
}: MessageText & Pick<MessageDraft, 'label'> & Partial<Pick<MessageDraft, 'hidden'>>): string {
  return label !== '' ? label : hidden ? 'message' : shownContent(text);
}

/** Returns the name under which the log has a hidden message; null for a message that the log shows. */
export const hiddenName = (message: Pick<PinnedMessage, 'content' | 'type' | 'label' | 'hidden'>): string | null =>
  message.hidden ? messageName(message) : null;

/** Returns hex input as pairs of upper-case digits, or null if it cannot be pinned. */
function pairsOf(content: string): string | null {
  const hex = parseHexInput(content);
  return hex === null || hex.isOdd || hex.bytes.length === 0 ? null : hexText(hex.bytes);
}

/** Returns the numbers that may be chosen for `{value}` in a message; null if none has to be. */
export const numbersOf = ({ content, type, flow }: Pick<PinnedMessage, 'content' | 'type' | 'flow'>) =>
  type === 'ascii' && flow !== null && hasValuePlace(content) ? flow.value : null;

/** Returns a message with a number in place of `{value}`. One without such a place stays as it is. */
export function filledMessage(message: PinnedMessage, value: number): PinnedMessage {
  const { content, flow } = message;
  const numbers: MessageValue | null = numbersOf(message);
  if (flow === null || numbers === null) {
    return message;
  }
  const rest = { ...flow, value: null };
  return {
    ...message,
    content: withValue(content, sentNumber(numbers, value)),
    flow: writeFlow(rest) === null ? null : rest,
  };
}

/** Truncates content to `maxInputLength` without splitting a byte or a surrogate pair. */
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

/** Returns the fault of an expected answer, or null if it is valid. White space alone is valid, because it is bytes. */
export function expectedFault(text: MessageText): MessageFault | null {
  if (text.type === 'hex') {
    return messageFault(text);
  }
  return text.content === '' ? 'empty' : text.content.length > maxInputLength ? 'too-long' : null;
}

/** Serializes a message as an entry of a JKit's `fields`. Default numbers are omitted. */
export function writeEntry(message: PinnedMessage): UnknownKeys {
  const { content, type, label, hidden, expect, file, flow, others } = message;
  const written = flow === null ? null : writeFlow(flow);
  const numbers = numberNames.filter(
    (name) =>
      message[name] !== messageNumbers[name].usual || (name === 'timeoutMs' && expect !== null && !(name in others)),
  );
  return {
    ...others,
    content,
    type,
    ...(label === '' ? {} : { label }),
    ...(hidden ? { hidden } : {}),
    ...(expect === null ? {} : { expect: isReadAs(expect, type) ? expect.content : { ...expect } }),
    ...(file === null ? {} : { file: { by: file.by, ...(file.name === '' ? {} : { name: file.name }) } }),
    ...Object.fromEntries(numbers.map((name) => [name, message[name]])),
    ...(written === null ? {} : { flow: written }),
  };
}

/** @property cut True: the content was longer than `maxInputLength` and was truncated. */
export interface ReadEntry {
  readonly message: PinnedMessage;
  readonly cut: boolean;
}

/**
 * Reads an entry of a JKit's `fields`: a string or an object. An invalid answer, file, flow or number is replaced by its
 * default, and the original value is kept in `others`.
 *
 * @returns Null if the entry is not a message.
 */
export function readEntry(entry: unknown, id: string): ReadEntry | null {
  const fields = typeof entry === 'string' ? { content: entry } : fieldsOf(entry);
  const given = fields['content'];
  if (typeof given !== 'string') {
    return null;
  }
  const type = fields['type'] === 'hex' ? 'hex' : 'ascii';
  const tidied = tidy(given, type);
  const content = cutContent(tidied, type);
  const label = readLabel(fields['label']);
  const hidden = fields['hidden'] === true;
  const expect = readExpected(fields['expect'], type);
  const file = readFile(fields['file']);
  const flow = readFlow(fields['flow']);
  const understood = numberNames.filter((name) => isMessageNumber(name, fields[name]));
  const numbers = Object.fromEntries(understood.map((name) => [name, fields[name]])) as Partial<MessageNumbers>;
  const others = without(
    fields,
    'content',
    'type',
    ...understood,
    ...(label === '' ? [] : ['label']),
    ...(hidden ? ['hidden'] : []),
    ...(expect === null ? [] : ['expect']),
    ...(file === null ? [] : ['file']),
    ...(flow === null ? [] : ['flow']),
  );
  return {
    message: { id, content, type, label, hidden, expect, file, flow, ...usualNumbers, ...numbers, others },
    cut: content !== tidied,
  };
}

/** Keys without which a run would do something else than its author wants. Those that could not be read are in `others`. */
const runKeys = ['hidden', 'expect', 'file', 'timeoutMs', 'delayMs', 'repeat', 'board'] as const;

/** Returns the place of what a run does not know or cannot read in a message, such as `flow.loop`; null without one. */
export function unreadInMessage(message: Pick<PinnedMessage, 'others'>): string | null {
  const { others } = message;
  const unread = runKeys.find((key) => key in others && (key !== 'board' || boardOf(message) === null));
  return unread ?? ('flow' in others ? unreadInFlow(others['flow']) : null);
}

/** Returns the number of the board that a message is for, from 1; null for a value that is no such number. */
export function boardOf({ others }: Pick<PinnedMessage, 'others'>): number | null {
  const { board = 1 } = others;
  return typeof board === 'number' && Number.isInteger(board) && board >= 1 && board <= portNumbers.length
    ? board
    : null;
}

/** Returns the label as it is shown, or an empty text for a value that is no label. */
function readLabel(value: unknown): string {
  return typeof value === 'string' && value.length <= longestLabel ? value.trim() : '';
}

/** Returns null for a value that this version cannot use, so that it is kept as it is. */
function readFile(value: unknown): MessageFile | null {
  const { by, name = '', ...unknown } = fieldsOf(value);
  const way = fileWays.find((known) => known === by);
  const isKnown = typeof name === 'string' && name.length <= longestFileName && Object.keys(unknown).length === 0;
  return way !== undefined && isKnown ? { by: way, name } : null;
}

/**
 * Reads `expect`. A string has the message's own type if it is valid as that type, else ASCII. An object names its
 * type.
 */
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

/** Returns true if `readExpected` would restore `expect` from its content alone, so that the type can be omitted. */
function isReadAs(expect: MessageText, own: MessageType): boolean {
  const read = readExpected(expect.content, own);
  return read !== null && read.type === expect.type;
}

/** Returns true if the run waits for an answer to the message. */
export const waitsForAnswer = ({ expect, flow }: Pick<PinnedMessage, 'expect' | 'flow'>): boolean =>
  expect !== null || (flow?.answers.length ?? 0) > 0;
