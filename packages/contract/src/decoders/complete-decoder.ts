/**
 * Fills in the defaults of a decoder that is known to be right, as those of the library are. Pages load it in place of the
 * schema, whose parts they would carry at rest. `library.test.ts` compares it with the schema for each of them.
 */
import type { DecoderContent, DecoderDraft } from './decoder-content.ts';
import { decoderLimits } from './decoder-rules.ts';

const { defaultFrameLength, frameLength } = decoderLimits;

const when = { usb: [], first: [], shortest: 0, longest: frameLength };
/** Silence in ms after which waiting bytes are decided. */
const ms = 1_000;

/** @param draft It must be one that `checkDecoder` accepts. */
export function completeDecoder(draft: DecoderDraft): DecoderContent {
  const complete = {
    order: 'big',
    registers: [],
    steps: [],
    files: [],
    ...draft,
    when: draft.when === undefined ? when : { ...when, longest: defaultFrameLength, ...draft.when },
    framing: framingOf(draft.framing),
    ...(draft.transform !== undefined && { transform: draft.transform.map((one) => ({ from: 0, ...one })) }),
    fields: (draft.fields ?? []).map(fieldOf),
    messages: (draft.messages ?? []).map((message) => ({
      when: [],
      exception: false,
      question: false,
      answers: [],
      ...message,
      fields: (message.fields ?? []).map(fieldOf),
    })),
    ...checksumsOf(draft),
    ...(draft.pairing !== undefined && { pairing: { same: [], limit: 1_000, ...draft.pairing } }),
    ...(draft.sequence !== undefined && { sequence: { per: [], ...draft.sequence } }),
    ...(draft.registers !== undefined && {
      registers: draft.registers.map((register) => ({
        table: 'holding',
        type: 'u16',
        order: 'big',
        length: 1,
        ...register,
      })),
    }),
  };
  return complete as DecoderContent;
}

type ChecksumDraft = NonNullable<DecoderDraft['checksum']>;

const checksumOf = (checksum: ChecksumDraft) => ({ order: 'big', form: 'bytes', from: 0, ...checksum });

function checksumsOf(draft: Pick<DecoderDraft, 'checksum' | 'checksums'>): object {
  const { checksum, checksums } = draft;
  return {
    ...(checksum !== undefined && { checksum: checksumOf(checksum) }),
    ...(checksums !== undefined && { checksums: checksums.map(checksumOf) }),
  };
}

type FramingDraft = DecoderDraft['framing'];

function framingOf(framing: FramingDraft): object {
  const complete = { longest: defaultFrameLength, ms, ...framing };
  if (framing.kind === 'any') {
    return { ...complete, of: framing.of.map((shape) => ({ ...framingOf(shape), ...checksumsOf(shape) })) };
  }
  if (framing.kind === 'lines') {
    return { separator: ',', ...complete };
  }
  if ((framing.kind === 'length' || framing.kind === 'escaped') && typeof framing.length === 'object') {
    const { plus, ...length } = framing.length;
    const more = plus === undefined ? {} : { plus: plus.map((one) => ({ order: 'big', multiply: 1, ...one })) };
    return { ...complete, length: { order: 'big', multiply: 1, add: 0, ...length, ...more } };
  }
  return complete;
}

type FieldDraft = NonNullable<DecoderDraft['fields']>[number];

function fieldOf(field: FieldDraft): object {
  return {
    ...field,
    ...(field.count !== undefined && { count: sizeOf(field.count) }),
    ...(field.length !== undefined && { length: sizeOf(field.length) }),
    ...(field.base !== undefined && { base: sizeOf(field.base) }),
    ...(field.fields !== undefined && { fields: field.fields.map(fieldOf) }),
  };
}

const sizeOf = (size: NonNullable<FieldDraft['count']>) =>
  typeof size === 'object' ? { multiply: 1, add: 0, ...size } : size;
