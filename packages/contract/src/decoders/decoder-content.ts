/**
 * Schema of the content of a JKit of type `decoder`: how bytes are cut into frames, and how a frame becomes named
 * values. It checks each part by itself; `check-decoder.ts` checks how the parts fit together. Unknown entries are
 * refused.
 */
import * as z from 'zod/mini';
import { choice, entriesOf, list, named, oneOf, record, text, whole } from '../strict-content.ts';
import {
  byteOrders,
  type ChecksumKind,
  checksumSizes,
  decoderFileUses,
  decoderLimits,
  decoderSteps,
  fieldTypes,
  registerTables,
  registerTypes,
} from './decoder-rules.ts';

/** A name in Find, rules and templates. ASCII only, so that no two names look alike. */
const Identifier = z
  .string('must be a name')
  .check(
    z.maxLength(decoderLimits.identifierMaxLength, `cannot exceed ${decoderLimits.identifierMaxLength} characters`),
    z.regex(/^[A-Za-z_]\w*$/, 'must be letters, digits and _, beginning with a letter'),
  );

/** Name of a field in a condition or size; `svs.gnssId` is a field of a group. */
const Reference = z
  .string('must be the name of a field')
  .check(
    z.maxLength(2 * decoderLimits.identifierMaxLength + 1, 'is too long for the name of a field'),
    z.regex(/^[A-Za-z_]\w*(\.\w+)?$/, 'must be the name of a field'),
  );

const description = z.optional(text(decoderLimits.textMaxLength));
const finite = z.number('must be a number');

const hexText = 'must be pairs of hex digits';
/** Bytes as pairs of hex digits: `B5 62`. */
const Marker = z
  .string(hexText)
  .check(
    z.maxLength(decoderLimits.marker * 3, `cannot have more than ${decoderLimits.marker} bytes`),
    z.regex(/^[\dA-Fa-f]{2}( ?[\dA-Fa-f]{2})*$/, hexText),
  );
const Markers = list(Marker, decoderLimits.markers, 1);

const frameLength = whole(1, decoderLimits.frameLength);
const longest = z._default(frameLength, decoderLimits.defaultFrameLength);

const Order = choice(byteOrders);

/** Names of numbers: `{ "0": "off", "1": "on" }`. */
function names(pattern: RegExp, message: string) {
  return entriesOf(named(decoderLimits.nameMaxLength), 'must be an object of names').check(
    z.refine(
      (value) => Object.keys(value).length <= decoderLimits.names,
      `cannot have more than ${decoderLimits.names} names`,
    ),
    z.refine((value) => Object.keys(value).every((key) => pattern.test(key)), message),
  );
}

/** A number; the name of a field before it; or the value of a field, multiplied, with an addend. */
const Size = z.union(
  [
    whole(0, decoderLimits.frameLength),
    Reference,
    record({
      field: Reference,
      multiply: z._default(whole(1, 256), 1),
      add: z._default(whole(-decoderLimits.frameLength, decoderLimits.frameLength), 0),
    }),
  ],
  'must be a number, the name of a field or { field, multiply, add }',
);

const fieldEntries = {
  name: Identifier,
  type: choice(fieldTypes),
  /**
   * Offset in the content of the frame; negative: from its end; `previous`: where the field before it begins, for bits
   * of one number. Without it, the field follows the previous one.
   */
  at: z.optional(
    z.union(
      [z.literal('previous'), whole(-decoderLimits.frameLength, decoderLimits.frameLength)],
      'must be an offset or previous',
    ),
  ),
  /** Number of the part of a text line between separators, from 0. The type is then what the text is read as. */
  part: z.optional(whole(0, decoderLimits.fields)),
  /** Lowest bit of the number that belongs to the field, with `bits`. Bit 0 is the lowest of the number. */
  bit: z.optional(whole(0, 63)),
  bits: z.optional(whole(1, 64)),
  order: z.optional(Order),
  /** Number of elements of a repeated field: `v.0`, `v.1`, …; `rest`: as many as the frame has. */
  count: z.optional(Size),
  /** Number of the first element. */
  first: z.optional(whole(0, 0xffff)),
  /** Bytes of a `text`, `bytes` or `bcd`; `rest`: all that the frame has. */
  length: z.optional(Size),
  /** value = raw × scale ÷ divide + offset */
  scale: z.optional(finite),
  divide: z.optional(finite.check(z.refine((value) => value !== 0, 'cannot be 0'))),
  offset: z.optional(finite),
  unit: z.optional(text(decoderLimits.unitMaxLength)),
  /** Names of raw values. */
  values: z.optional(names(/^-?\d{1,20}$/, 'must have whole numbers as keys')),
  /** Names of bits of the raw value. */
  flags: z.optional(names(/^([0-9]|[1-5]\d|6[0-3])$/, 'must have the numbers of bits, 0 to 63, as keys')),
  /** True: it says which frame it is or how long, and is no measured value: it makes no curve. */
  header: z.optional(z.boolean('must be true or false')),
  description,
};

const Field = record(fieldEntries);

/** A field, or a group of fields that is repeated: `svs.0.gnssId`, `svs.0.cno`, `svs.1.gnssId`, … */
const FieldOrGroup = record({
  ...fieldEntries,
  type: z.optional(fieldEntries.type),
  fields: z.optional(list(Field, decoderLimits.fields, 1)),
});

const conditionValue = z.union([finite, text(decoderLimits.nameMaxLength)], 'must be a number or a text');

const Condition = record({
  /** A field before it; or `frame.length` (bytes of the content) or `frame.direction` (`sent`, `received`). */
  field: Reference,
  /** Value, or list of values, of which the field must have one. Raw numbers, or text. */
  is: z.optional(z.union([conditionValue, list(conditionValue, decoderLimits.names, 1)], 'must be a value or a list')),
  /** Lowest and highest raw value. */
  from: z.optional(finite),
  to: z.optional(finite),
});

const line = z.optional(text(decoderLimits.lineMaxLength));

const Message = record({
  /** In words: `read holding registers`, `NAV-PVT`. */
  name: named(decoderLimits.nameMaxLength),
  /** All of them must hold. The first message whose conditions hold is that of the frame. */
  when: z._default(list(Condition, decoderLimits.conditions), []),
  /** Fields after those of the decoder. */
  fields: z._default(list(FieldOrGroup, decoderLimits.fields), []),
  /** Line in words, with places such as `{speed}`. Without it, all fields stand in it. */
  line,
  /** Key of the overview. Without it, who and the message's name. */
  key: line,
  /** True: the frame refuses what was asked for. */
  exception: z._default(z.boolean('must be true or false'), false),
  /** True: it waits for an answer. */
  question: z._default(z.boolean('must be true or false'), false),
  /** Names of the messages that it answers. */
  answers: z._default(list(named(decoderLimits.nameMaxLength), decoderLimits.messages), []),
});

const lengthField = record({
  /** Offset from the frame's first byte. */
  at: whole(0, 255),
  type: z.enum(['u8', 'u16', 'u24', 'u32'], 'must be u8, u16, u24 or u32'),
  order: z._default(z.enum(['big', 'little'], 'must be big or little'), 'big'),
  multiply: z._default(whole(1, 256), 1),
  /** Bytes of the frame that the number does not count. */
  add: z._default(whole(-255, decoderLimits.frameLength), 0),
});

/**
 * Silence in ms after which waiting bytes are decided: the rest of a frame that does not come is shown as it is.
 */
const ms = z._default(whole(1, decoderLimits.longestGap), 1_000);

/** A frame ends after its length, at its end bytes, after a silence, or where a step says. */
const Framing = oneOf('kind', {
  length: record({
    kind: z.literal('length'),
    /** Bytes that begin a frame: one of these. Without them, frames follow each other. */
    start: z.optional(Markers),
    /** Bytes of the whole frame, or the field that has it. */
    length: z.union([frameLength, lengthField], 'must be a number or { at, type, order, multiply, add }'),
    /** Bytes that end a frame. */
    end: z.optional(Markers),
    longest,
    ms,
  }),
  until: record({ kind: z.literal('until'), start: z.optional(Markers), end: Markers, longest, ms }),
  /** Ends at a line feed, a carriage return or both. `start` is text: `$`. */
  lines: record({
    kind: z.literal('lines'),
    start: z.optional(text(decoderLimits.marker)),
    separator: z._default(text(1), ','),
    longest,
    ms,
  }),
  /** Consistent Overhead Byte Stuffing: a 0 ends a frame. */
  cobs: record({ kind: z.literal('cobs'), longest, ms }),
  /** RFC 1055: C0 ends a frame. */
  slip: record({ kind: z.literal('slip'), longest, ms }),
  /** A silence of so many ms ends a frame. */
  gap: record({ kind: z.literal('gap'), longest, ms: whole(1, decoderLimits.longestGap) }),
  /** A step measures frames. */
  step: record({ kind: z.literal('step'), longest, ms }),
});

const kinds = Object.keys(checksumSizes) as readonly ChecksumKind[];
const offset = whole(-decoderLimits.frameLength, decoderLimits.frameLength);

const Checksum = record({
  kind: choice(kinds),
  /** Parameters of `crc`, as catalogues of CRCs write them: the polynomial is not reversed. */
  width: z.optional(z.literal([8, 16, 24, 32], 'must be 8, 16, 24 or 32')),
  polynomial: z.optional(whole(0, 0xffff_ffff)),
  init: z.optional(whole(0, 0xffff_ffff)),
  reflectIn: z.optional(z.boolean('must be true or false')),
  reflectOut: z.optional(z.boolean('must be true or false')),
  xorOut: z.optional(whole(0, 0xffff_ffff)),
  /** Order of the checksum's own bytes. */
  order: z._default(z.enum(['big', 'little'], 'must be big or little'), 'big'),
  /** `hex`: hex digits of either case, as NMEA 0183 has them. */
  form: z._default(z.enum(['bytes', 'hex'], 'must be bytes or hex'), 'bytes'),
  /** Place in the content; negative: from its end. Without it, the last bytes. */
  at: z.optional(offset),
  /** First byte that it covers, and the byte after the last; negative: from the end. Without it, up to itself. */
  from: z._default(offset, 0),
  to: z.optional(offset),
});

const Register = record({
  name: Identifier,
  /** Address of the Modbus unit; without it, all units. */
  device: z.optional(whole(0, 255)),
  table: z._default(choice(registerTables), 'holding'),
  /** Address as it is sent: the first register is 0. */
  address: whole(0, 0xffff),
  type: z._default(choice(registerTypes), 'u16'),
  order: z._default(Order, 'big'),
  /** Registers of a `text`. */
  length: z._default(whole(1, 125), 1),
  scale: z.optional(finite),
  offset: z.optional(finite),
  unit: z.optional(text(decoderLimits.unitMaxLength)),
  values: fieldEntries.values,
  flags: fieldEntries.flags,
});

const usbId = z.string('must be text').check(z.regex(/^[\dA-Fa-f]{4}(:[\dA-Fa-f]{4})?$/, 'must be like 0403:6001'));

export const DecoderContent = record({
  /** Name in Find: `modbus` in `modbus.unit:7`. */
  name: Identifier,
  title: named(decoderLimits.nameMaxLength),
  /** Standard or document that it follows. */
  source: z.optional(text(decoderLimits.textMaxLength)),
  description,
  /** Frames and ports that it applies to. */
  when: z._default(
    record({
      /** Vendor, or vendor and product, of the USB adapter. */
      usb: z._default(list(usbId, decoderLimits.names), []),
      /** First bytes of a frame's content: one of these. */
      first: z._default(list(Marker, decoderLimits.markers), []),
      /** Bytes of a frame's content. */
      shortest: z._default(whole(0, decoderLimits.frameLength), 0),
      longest,
    }),
    { usb: [], first: [], shortest: 0, longest: decoderLimits.frameLength },
  ),
  framing: Framing,
  /** Order of numbers whose field names none. */
  order: z._default(Order, 'big'),
  checksum: z.optional(Checksum),
  /** Fields of every frame. */
  fields: z._default(list(FieldOrGroup, decoderLimits.fields), []),
  messages: z._default(list(Message, decoderLimits.messages), []),
  /** Device, unit or talker: `{unit}`. */
  who: line,
  line,
  key: line,
  /** Fields that a question and its answer have in common, and the time for an answer in ms. */
  pairing: z.optional(
    record({
      same: z._default(list(Reference, decoderLimits.conditions), []),
      limit: z._default(whole(1, decoderLimits.longestAnswer), 1_000),
    }),
  ),
  /** Field that counts frames up, by each of some other fields. A jump means that frames are missing. */
  sequence: z.optional(record({ field: Reference, per: z._default(list(Reference, decoderLimits.conditions), []) })),
  registers: z._default(list(Register, decoderLimits.registers), []),
  steps: z._default(list(choice(decoderSteps), decoderLimits.steps), []),
  files: z._default(
    list(
      record({
        use: choice(decoderFileUses),
        name: named(decoderLimits.nameMaxLength),
        sha256: z.string('must be text').check(z.regex(/^[\da-f]{64}$/, 'must be 64 hex digits')),
      }),
      decoderLimits.files,
    ),
    [],
  ),
});

/** A decoder with every default filled in. */
export type DecoderContent = z.output<typeof DecoderContent>;
/** A decoder as it is written: entries with a default may be missing. */
export type DecoderDraft = z.input<typeof DecoderContent>;
export type DecoderField = z.output<typeof Field>;
export type DecoderFieldOrGroup = DecoderContent['fields'][number];
export type DecoderMessage = DecoderContent['messages'][number];
export type DecoderCondition = DecoderMessage['when'][number];
export type DecoderFraming = DecoderContent['framing'];
export type DecoderChecksum = NonNullable<DecoderContent['checksum']>;
export type DecoderRegister = DecoderContent['registers'][number];
export type DecoderSize = NonNullable<DecoderField['count']>;
