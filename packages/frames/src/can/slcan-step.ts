/**
 * Step `slcan`: lines of a CAN adapter, with the signals of a DBC file. Each line ends with a carriage return; a bell
 * refuses a command.
 */
import { bytesCount, fieldsText } from '../frame-text.ts';
import type { DecodedField } from '../frame-types.ts';
import { DecoderError, filesOf, remember } from '../steps/step-files.ts';
import { type BrokenFrame, type FrameDraft, NONE, type Step, UNDECIDED } from '../steps/step-types.ts';
import { AdapterConversation } from './adapter-conversation.ts';
import { type DbcFile, type DbcMessage, type DbcSignal, dbcLimits, NO_STATEMENT, readDbcFile } from './dbc-file.ts';
import { readSignals, type SignalValue } from './signals.ts';
import {
  type AdapterWords,
  BELL,
  CARRIAGE_RETURN,
  type CanFrame,
  findCanFrameEnd,
  isFrameLike,
  LINE_FEED,
  type LineText,
  lineText,
  MAX_SLCAN_LINE,
  nameStatus,
  readAdapterAnswer,
  readAdapterCommand,
  readCanFrame,
  wordsOf,
} from './slcan-line.ts';

/** Returns the message of an identifier; null if no file has it. */
type FindMessage = DbcFile['find'];

const codesOf = (letters: string) => new Set([...letters].map((letter) => letter.charCodeAt(0)));
/** Letters that begin a frame and are no hex digits: only these are looked for inside a damaged line. */
const innerLetters = codesOf('tTrR');
const lineEnds = new Set([BELL, LINE_FEED, CARRIAGE_RETURN]);

/** Finds a line. A damaged one is broken up to its end, or up to the frame that begins inside. */
function measureLine(bytes: Uint8Array, from: number, to: number, isLast: boolean): number {
  const first = bytes[from] ?? 0;
  if (first === BELL) {
    return 1;
  }
  const isLineStart = from === 0 || lineEnds.has(bytes[from - 1] ?? 0);
  if (!isLineStart && !innerLetters.has(first)) {
    return NONE;
  }
  // An adapter that ends lines with CR LF: the line feed belongs to the line behind it.
  const start = first === LINE_FEED ? from + 1 : from;
  const frameEnd = findCanFrameEnd(bytes, start, to);
  if (frameEnd > 0) {
    return frameEnd + 1 - from;
  }
  if (frameEnd === 0 && !isLast) {
    return UNDECIDED;
  }
  return isLineStart ? measureOther(bytes, from, start, to, isLast) : NONE;
}

/** Finds a line that is no frame: an answer, a command, or a broken frame. */
function measureOther(bytes: Uint8Array, from: number, start: number, to: number, isLast: boolean): number {
  let end = start;
  while (end < to && bytes[end] !== CARRIAGE_RETURN && bytes[end] !== BELL) {
    end++;
    if (end - start > MAX_SLCAN_LINE) {
      return NONE;
    }
  }
  if (end === to && !isLast) {
    return UNDECIDED;
  }
  const hasEnd = end < to && bytes[end] === CARRIAGE_RETURN;
  if (hasEnd && isWords(bytes, start, end)) {
    return end + 1 - from;
  }
  return isFrameLike(bytes, start, end) ? -(end - from + (hasEnd ? 1 : 0)) : NONE;
}

/** @returns null for bytes that no line begins with. */
function describeBroken(line: Uint8Array): BrokenFrame | null {
  const start = line[0] === LINE_FEED ? 1 : 0;
  const hasEnd = line.at(-1) === CARRIAGE_RETURN;
  if (!isFrameLike(line, start, hasEnd ? line.length - 1 : line.length)) {
    return null;
  }
  return { fault: `${bytesCount(line)}, ${hasEnd ? 'not the digits that its length says' : 'its end is missing'}` };
}

/** Longest answer or command that is no frame. */
const MAX_WORDS = 64;

function isWords(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > MAX_WORDS) {
    return false;
  }
  const text = String.fromCharCode(...bytes.subarray(from, to));
  return readAdapterAnswer(text) !== null || readAdapterCommand(text) !== null;
}

function decodeLine(draft: FrameDraft, find: FindMessage): void {
  const text = lineText(draft.wire);
  const frame = text === null ? null : readCanFrame(draft.wire, text.from, text.to);
  draft.adapterAt = draft.link.adapterAt;
  if (frame !== null) {
    decodeFrame(draft, frame, text?.from ?? 0, find);
  } else {
    decodeWords(draft, text);
  }
}

/** @param text Null: a bell. */
function decodeWords(draft: FrameDraft, text: LineText | null): void {
  const question = draft.link.related[0];
  const asked = question === undefined ? null : commandWords(question);
  if (text === null) {
    draft.kind = 'exception';
    draft.message = 'refused';
    draft.sentence = asked === null ? 'refused' : `refused: ${asked}`;
    draft.fields.push({ name: 'answer', value: 'refused', from: 0, to: 1 });
    return;
  }
  const words = wordsOf(draft.wire, text);
  const answer = draft.direction === 'sent' ? null : readAdapterAnswer(words);
  if (answer !== null) {
    draft.message = 'answer';
    draft.sentence = asked === null || answer.meaning !== answer.text ? answer.meaning : `${answer.text}: ${asked}`;
    draft.fields.push(named({ name: 'answer', value: answer.text, ...text }, answer));
    if (answer.status !== null) {
      draft.fields.push({
        name: 'status',
        value: answer.status,
        named: nameStatus(answer.status),
        from: text.from + 1,
        to: text.to,
      });
    }
    return;
  }
  const command = readAdapterCommand(words);
  draft.message = 'command';
  draft.sentence = command?.meaning ?? words;
  if (command !== null) {
    draft.fields.push(named({ name: 'command', value: command.text, ...text }, command));
  }
}

function named(field: DecodedField, { text, meaning }: AdapterWords): DecodedField {
  return meaning === text ? field : { ...field, named: meaning };
}

/** @returns a question in words: `bit rate 500 kbit/s`, `frame 101`. */
function commandWords(line: Uint8Array): string | null {
  const text = lineText(line);
  const frame = text === null ? null : readCanFrame(line, text.from, text.to);
  return frame === null
    ? (readAdapterCommand(text === null ? '' : wordsOf(line, text))?.meaning ?? null)
    : `frame ${idText(frame)}`;
}

function idText({ id, isExtended }: CanFrame): string {
  return id
    .toString(16)
    .toUpperCase()
    .padStart(isExtended ? 8 : 3, '0');
}

function decodeFrame(draft: FrameDraft, frame: CanFrame, start: number, find: FindMessage): void {
  const found = find(frame.id, frame.isExtended);
  const dataFrom = frame.idEnd + 1;
  const id = idText(frame);
  draft.who = id;
  draft.message = found?.name ?? (frame.isRemote ? 'remote frame' : 'frame');
  draft.key = `${id} ${draft.message}`;
  draft.fields.push(
    { name: 'id', value: frame.id, named: `0x${id}`, isHeader: true, from: start + 1, to: frame.idEnd },
    { name: 'ext', value: frame.isExtended, from: start, to: start + 1 },
    { name: 'rtr', value: frame.isRemote, from: start, to: start + 1 },
  );
  if (frame.isFd) {
    draft.fields.push(
      { name: 'fd', value: true, from: start, to: start + 1 },
      { name: 'brs', value: frame.hasRateSwitch, from: start, to: start + 1 },
    );
  }
  draft.fields.push({ name: 'dlc', value: frame.length, from: frame.idEnd, to: dataFrom });
  draft.fields.push({ name: 'data', value: frame.data, from: dataFrom, to: frame.dataEnd });
  if (frame.stamp !== null) {
    draft.fields.push({ name: 'stamp', value: frame.stamp, unit: 'ms', from: frame.dataEnd, to: frame.dataEnd + 4 });
  }
  if (frame.isRemote) {
    draft.sentence = () =>
      `${found === null ? '' : `${found.name}, `}remote frame, asks for ${bytesText(frame.length)}`;
  } else if (found === null) {
    draft.sentence = () => (frame.length === 0 ? 'no data' : `${bytesText(frame.length)}: ${hexText(frame.data)}`);
  } else {
    decodeSignals(draft, frame, found, dataFrom);
  }
}

/** Names that a signal cannot have. */
const ownNames: ReadonlySet<string> = new Set(['id', 'ext', 'rtr', 'fd', 'brs', 'dlc', 'data', 'stamp', 'short']);

function decodeSignals(draft: FrameDraft, frame: CanFrame, message: DbcMessage, dataFrom: number): void {
  const isShort = frame.data.length < message.length;
  if (isShort) {
    draft.fields.push({ name: 'short', value: true, from: frame.idEnd, to: dataFrom });
  }
  const fields = readSignals(message, frame.data).map((value) => fieldOf(value, dataFrom));
  for (const field of fields) {
    draft.fields.push(field);
  }
  draft.sentence = () => {
    const head = isShort ? `${message.name}, ${frame.data.length} of ${bytesText(message.length)}` : message.name;
    return [head, fieldsText(fields)].filter((text) => text !== '').join(' ');
  };
}

/** Name and place of signals as fields. */
const signalLabels = new WeakMap<DbcSignal, { readonly name: string; readonly place: string }>();

function labelsOf(signal: DbcSignal): { readonly name: string; readonly place: string } {
  let labels = signalLabels.get(signal);
  if (labels === undefined) {
    // Letters, digits and _, beginning with a letter or _: as Find takes names.
    const name = signal.name.replace(/[^\w.]/g, '_').replace(/^(?=[\d.])/, '_');
    const order = signal.isBigEndian ? 'big-endian' : 'little-endian';
    labels = {
      name: ownNames.has(name) ? `signal.${name}` : name,
      place: `bit ${signal.start}, ${signal.size} ${signal.size === 1 ? 'bit' : `bits, ${order}`}`,
    };
    signalLabels.set(signal, labels);
  }
  return labels;
}

function fieldOf({ signal, value, raw, named: label, from, to }: SignalValue, dataFrom: number): DecodedField {
  const { name, place } = labelsOf(signal);
  const field: { -readonly [Key in keyof DecodedField]: DecodedField[Key] } = {
    name,
    value,
    from: dataFrom + from * 2,
    to: dataFrom + to * 2,
    place,
  };
  if (label !== undefined) {
    field.named = label;
  }
  if (signal.unit !== '') {
    field.unit = signal.unit;
  }
  if (signal.scale.how !== null && raw !== null) {
    field.raw = raw;
    field.how = signal.scale.how;
  }
  return field;
}

function bytesText(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`;
}

function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

function readNamedDbc(name: string, bytes: Uint8Array): DbcFile {
  if (bytes.length > dbcLimits.bytes) {
    throw new DecoderError(`${name} is larger than ${dbcLimits.bytes / 1024 / 1024} MiB.`);
  }
  const file = readDbcFile(bytes);
  if (file.messages.length === 0) {
    // The lines of another kind of file are no statements. Naming the first one is no remedy.
    const fault = file.faults.find((one) => one.startsWith('Line ') && !one.endsWith(NO_STATEMENT));
    throw new DecoderError(fault === undefined ? `${name} has no message. Choose a DBC file.` : `${name}: ${fault}`);
  }
  return file;
}

const known = remember<DbcFile>();

export const slcanStep: Step = {
  prepare(decoder, settings) {
    const files = filesOf(decoder, settings, 'dbc').map(({ name, sha256, bytes }) =>
      known(`${name} ${sha256}`, () => readNamedDbc(name, bytes)),
    );
    const find: FindMessage = (id, isExtended) => {
      for (const file of files) {
        const message = file.find(id, isExtended);
        if (message !== null) {
          return message;
        }
      }
      return null;
    };
    return {
      measure: measureLine,
      describeBroken,
      decode: (draft) => decodeLine(draft, find),
      converse: () => new AdapterConversation(settings.answerLimit),
    };
  },
};
