/** Step `mavlink`: frames of MAVLink 1 and 2, whose messages are defined by XML files. */
import type { DecoderContent } from '@wirebench/contract/decoders';
import { bytesCount, fieldsText } from '../frame-text.ts';
import type { DecodedField, FrameLink, FrameSettings } from '../frame-types.ts';
import { DecoderError, filesOf, remember } from '../steps/step-files.ts';
import {
  type BrokenFrame,
  type ConversationFrame,
  type FrameDraft,
  NONE,
  type Step,
  type StepConversation,
  UNDECIDED,
} from '../steps/step-types.ts';
import {
  MavlinkDefinitionFault,
  type MavlinkDefinitions,
  type MavlinkMessage,
  readDefinitions,
} from './definitions.ts';
import {
  type ChecksumState,
  checkFrame,
  checkSignature,
  hasUnannouncedSignature,
  isSignatureLike,
  MAVLINK_1,
  MAVLINK_2,
  type MavlinkHeader,
  readHeader,
  SIGNATURE,
} from './frame.ts';
import { readPayload } from './payload.ts';

const isStart = (byte: number | undefined) => byte === MAVLINK_1 || byte === MAVLINK_2;

/** Finds frames in a stream. */
class FrameFinder {
  readonly #definitions: MavlinkDefinitions;
  /** True: no frame of the line has had a signature without its flag, so none is waited for. */
  #isWithout = false;

  constructor(definitions: MavlinkDefinitions) {
    this.#definitions = definitions;
  }

  /** Measures as `StepParts.measure`. */
  measure(bytes: Uint8Array, from: number, to: number, isLast: boolean): number {
    const header = readHeader(bytes, from, to);
    if (header === null || header === 'more') {
      return header === null || isLast ? NONE : UNDECIDED;
    }
    if (from + header.length > to) {
      return isLast ? NONE : UNDECIDED;
    }
    const state = checkFrame(bytes, from, header, this.#definitions);
    if (state === 'wrong') {
      return -header.length;
    }
    return state === 'right'
      ? this.#withSignature(bytes, from, to, header, isLast)
      : this.#undefinedMessage(bytes, from, to, header, isLast);
  }

  /** Without a definition, only its place tells a frame from bytes that happen to look like one. */
  #undefinedMessage(bytes: Uint8Array, from: number, to: number, { length }: MavlinkHeader, isLast: boolean): number {
    const end = from + length;
    if (end === to && !isLast) {
      return UNDECIDED;
    }
    if (end < to && !isStart(bytes[end])) {
      return NONE;
    }
    const inner = findRight(this.#definitions, bytes, from + 1, end, to);
    return inner === 'more' && !isLast ? UNDECIDED : inner === 'right' ? NONE : length;
  }

  /** Adds 13 bytes of signature that the flags do not announce, if the next frame or a silence follows them. */
  #withSignature(bytes: Uint8Array, from: number, to: number, header: MavlinkHeader, isLast: boolean): number {
    const { length, version, isSigned } = header;
    const end = from + length;
    const rest = to - end;
    if (version === 1 || isSigned) {
      return length;
    }
    if (isLast && rest === SIGNATURE) {
      return isSignatureLike(bytes, end) ? length + SIGNATURE : length;
    }
    if (this.#isWithout || (isLast && rest < SIGNATURE) || (rest > 0 && isStart(bytes[end]))) {
      this.#isWithout ||= rest === 0 || isStart(bytes[end]);
      return length;
    }
    if (rest <= SIGNATURE) {
      return UNDECIDED;
    }
    return isStart(bytes[end + SIGNATURE]) && isSignatureLike(bytes, end) ? length + SIGNATURE : length;
  }
}

/** Looks for a right frame of a defined message that begins before `end`. `more`: one may end behind `to`. */
function findRight(
  definitions: MavlinkDefinitions,
  bytes: Uint8Array,
  from: number,
  end: number,
  to: number,
): 'right' | 'more' | null {
  let isOpen = false;
  for (let at = from; at < end; at++) {
    const header = isStart(bytes[at]) ? readHeader(bytes, at, to) : null;
    if (header !== null && header !== 'more' && isPlausible(definitions, header)) {
      if (at + header.length > to) {
        isOpen = true;
      } else if (checkFrame(bytes, at, header, definitions) === 'right') {
        return 'right';
      }
    }
  }
  return isOpen ? 'more' : null;
}

function isPlausible(definitions: MavlinkDefinitions, header: MavlinkHeader): boolean {
  const message = definitions.messages.get(header.message);
  return message !== undefined && header.unknownFlags === 0 && header.payloadLength <= message.fullLength;
}

/** Link of a frame to the one before it of the same system and component, by their sequence numbers. */
class SequenceConversation implements StepConversation {
  readonly #last = new Map<number, number>();

  add({ bytes, direction }: ConversationFrame): FrameLink {
    const header = readHeader(bytes, 0, bytes.length);
    let missing = 0;
    if (header !== null && header !== 'more') {
      // Systems 0 to 255, components 0 to 255, two directions.
      const sender = (header.system * 256 + header.component) * 2 + (direction === 'sent' ? 1 : 0);
      const last = this.#last.get(sender);
      const jump = last === undefined ? 0 : (header.sequence - last + 255) % 256;
      // A number that comes twice, or goes back by half, is a repetition or a restart.
      missing = jump < 128 ? jump : 0;
      this.#last.set(sender, header.sequence);
    }
    return { role: 'notice', to: null, ms: null, missing, related: [] };
  }
}

/** By the standard, a frame with flags that a receiver does not know is not read. */
function decodeMavlink(draft: FrameDraft, definitions: MavlinkDefinitions, key: Uint8Array | null): void {
  const frame = draft.wire;
  const header = readHeader(frame, 0, frame.length);
  if (header === null || header === 'more') {
    return;
  }
  const message = definitions.messages.get(header.message);
  draft.who = `${header.system}.${header.component}`;
  draft.message = message?.name ?? `message ${header.message}`;
  draft.key = `${draft.who} ${draft.message}`;
  draft.fields.push(...headerFields(header, checkFrame(frame, 0, header, definitions)));
  if (message === undefined) {
    const payload = frame.subarray(header.payloadFrom, header.payloadFrom + header.payloadLength);
    draft.fields.push({ name: 'payload', value: payload, ...payloadPlace(header) });
    draft.sentence = `message ${header.message}, which is not defined, ${payload.length} bytes`;
  } else if (header.unknownFlags !== 0) {
    draft.sentence = `${message.name}, not read: it needs features that this version does not know`;
  } else {
    decodePayload(draft, header, message);
  }
  decodeSignature(draft, header, key);
}

/** @returns null for bytes that are no frame with a wrong checksum. */
function describeBroken(frame: Uint8Array, definitions: MavlinkDefinitions): BrokenFrame | null {
  const header = readHeader(frame, 0, frame.length);
  if (header === null || header === 'more') {
    return null;
  }
  const version = { name: 'frame.version', value: header.version, from: 0, to: 1 };
  if (frame.length < header.length) {
    return { fault: `${bytesCount(frame)}, its end is missing`, fields: [version] };
  }
  if (frame.length > header.length || checkFrame(frame, 0, header, definitions) !== 'wrong') {
    return null;
  }
  const from = header.payloadFrom + header.payloadLength;
  return {
    fault: `${bytesCount(frame)}, wrong checksum`,
    fields: [version, { name: 'crc', value: 'wrong', from, to: from + 2 }],
  };
}

function payloadPlace({ payloadFrom, payloadLength }: MavlinkHeader): { from: number; to: number } {
  return { from: payloadFrom, to: payloadFrom + payloadLength };
}

/** Names that a field of a message cannot have. Those that messages use begin with `frame.` or `signature.` instead. */
const headerNames: ReadonlySet<string> = new Set(['sys', 'comp', 'crc', 'signature']);

function headerFields(header: MavlinkHeader, checksum: ChecksumState): DecodedField[] {
  const is2 = header.version === 2;
  const at = (offset: number, size = 1) => ({ from: offset, to: offset + size });
  const crc = header.payloadFrom + header.payloadLength;
  return [
    { name: 'frame.version', value: header.version, isHeader: true, ...at(0) },
    { name: 'frame.seq', value: header.sequence, isHeader: true, ...at(is2 ? 4 : 2) },
    { name: 'sys', value: header.system, isHeader: true, ...at(is2 ? 5 : 3) },
    { name: 'comp', value: header.component, isHeader: true, ...at(is2 ? 6 : 4) },
    { name: 'frame.id', value: header.message, isHeader: true, ...at(is2 ? 7 : 5, is2 ? 3 : 1) },
    { name: 'crc', value: checksum === 'unknown' ? 'cannot be checked' : checksum, ...at(crc, 2) },
    ...(header.unknownFlags === 0
      ? []
      : [{ name: 'frame.flags', value: header.unknownFlags, isHeader: true, ...at(2) }]),
  ];
}

function decodePayload(draft: FrameDraft, header: MavlinkHeader, message: MavlinkMessage): void {
  const fields = readPayload(draft.wire, header, message, headerNames);
  for (const field of fields) {
    draft.fields.push(field);
  }
  if (header.payloadLength > message.fullLength) {
    const { from, to } = payloadPlace(header);
    const start = from + message.fullLength;
    draft.fields.push({ name: 'payload.rest', value: draft.wire.slice(start, to), from: start, to });
  }
  draft.sentence = () => [message.name, fieldsText(fields)].filter((text) => text !== '').join(' ');
}

function decodeSignature(draft: FrameDraft, header: MavlinkHeader, key: Uint8Array | null): void {
  const signature = checkSignature(draft.wire, header, key);
  if (signature === null) {
    return;
  }
  const { from, link, time, state } = signature;
  const place = hasUnannouncedSignature(draft.wire, header) ? { place: 'without its flag' } : {};
  draft.fields.push(
    { name: 'signature', value: state, from: from + 7, to: from + 13, ...place },
    { name: 'signature.link', value: link, from, to: from + 1 },
    { name: 'signature.time', value: time, unit: '10 µs', from: from + 1, to: from + 7 },
  );
  if (state === 'wrong') {
    const words = draft.sentence;
    draft.sentence = () => `signature wrong, ${typeof words === 'string' ? words : words()}`;
  }
}

const known = remember<MavlinkDefinitions>();

/** Reads the first file of the decoder with all that it includes. */
function definitionsOf(decoder: DecoderContent, settings: FrameSettings): MavlinkDefinitions {
  const files = filesOf(decoder, settings, 'mavlink');
  const [first] = files;
  if (first === undefined) {
    throw new DecoderError(
      `The decoder ${decoder.title} has no message definitions. Add an XML file, such as common.xml.`,
    );
  }
  return known(files.map(({ name, sha256 }) => `${name} ${sha256}`).join(), () => {
    const texts = new Map(files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]));
    try {
      return readDefinitions(first.name, (name) => texts.get(name) ?? null);
    } catch (error) {
      if (error instanceof MavlinkDefinitionFault) {
        throw new DecoderError(error.message, { cause: error });
      }
      throw error;
    }
  });
}

export const mavlinkStep: Step = {
  prepare(decoder, settings) {
    const definitions = definitionsOf(decoder, settings);
    const key = settings.keys?.get(decoder.name) ?? null;
    const finder = new FrameFinder(definitions);
    return {
      firstBytes: [MAVLINK_1, MAVLINK_2],
      describeBroken: (frame) => describeBroken(frame, definitions),
      measure: (bytes, from, to, isLast) => finder.measure(bytes, from, to, isLast),
      decode: (draft) => decodeMavlink(draft, definitions, key),
      converse: () => new SequenceConversation(),
    };
  },
};
