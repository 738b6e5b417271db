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

/** Returns the schema of bytes as pairs of hex digits: `B5 62`. */
function hexPairs(pattern: RegExp, most: number, message: string) {
  return z
    .string(message)
    .check(z.maxLength(most * 3, `cannot have more than ${most} bytes`), z.regex(pattern, message));
}

/** Bytes of which `x` stands for any hex digit: `B5 62`, `8x`. */
const Marker = hexPairs(
  /^[\dA-Fa-fx]{2}( ?[\dA-Fa-fx]{2})*$/,
  decoderLimits.marker,
  'must be pairs of hex digits, with x for any digit',
);
const oneByte = 'must be two hex digits';
const Byte = hexPairs(/^[\dA-Fa-f]{2}$/, 1, oneByte);
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

/** Text of one line that may have tabs. */
function tabbed(maxLength: number, message: string) {
  const Untabbed = text(maxLength);
  return z.string('must be text').check(
    z.minLength(1, message),
    z.refine((value) => z.safeParse(Untabbed, value.replaceAll('\t', ' ')).success, message),
  );
}

const Separator = tabbed(
  decoderLimits.separators,
  `must be 1 to ${decoderLimits.separators} marks, tabs or blanks`,
).check(z.regex(/^[\t\x20-\x7e]+$/, 'must be marks of ASCII, tabs or blanks'));
const Key = tabbed(decoderLimits.key, `must be 1 to ${decoderLimits.key} characters`);

/** Value of a field → number. */
const Table = entriesOf(whole(0, decoderLimits.frameLength), 'must be an object of numbers').check(
  z.refine(
    (value) => Object.keys(value).length <= decoderLimits.names,
    `cannot have more than ${decoderLimits.names} entries`,
  ),
);

/** A number; the name of a field before it; or the value of a field, multiplied, with an addend. */
const Size = z.union(
  [
    whole(0, decoderLimits.frameLength),
    Reference,
    record({
      field: Reference,
      multiply: z._default(whole(1, 256), 1),
      add: z._default(whole(-decoderLimits.frameLength, decoderLimits.frameLength), 0),
      /** Sizes by the value of the field. Other values have no size. */
      table: z.optional(Table),
    }),
  ],
  'must be a number, the name of a field or { field, multiply, add, table }',
);

/** Power of ten: a number; the name of a field before it; or its value, with the other sign or an addend. */
const Power = z.union(
  [
    whole(-decoderLimits.power, decoderLimits.power),
    Reference,
    record({
      field: Reference,
      multiply: z.optional(z.literal([1, -1], 'must be 1 or -1')),
      add: z.optional(whole(-decoderLimits.power, decoderLimits.power)),
    }),
  ],
  'must be a number, the name of a field or { field, multiply, add }',
);

const conditionValue = z.union([finite, text(decoderLimits.nameMaxLength)], 'must be a number or a text');

const Condition = record({
  /**
   * A field before it; `question.` and a field of the question; `frame.length` (bytes of the content), `frame.parts` (of a
   * text) or `frame.direction` (`sent`, `received`).
   */
  field: Reference,
  /** Value, or list of values, of which the field must have one. Raw numbers, or text. */
  is: z.optional(z.union([conditionValue, list(conditionValue, decoderLimits.names, 1)], 'must be a value or a list')),
  /** Lowest and highest raw value. */
  from: z.optional(finite),
  to: z.optional(finite),
});
const Conditions = list(Condition, decoderLimits.conditions);

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
  /**
   * Number of the part of a text between separators, from 0; negative: from its end. The type is then what the text is read
   * as. With `key`: number of the part behind it, in the same line.
   */
  part: z.optional(whole(-decoderLimits.fields, decoderLimits.fields)),
  /** Text in front of the value, at the beginning of a part: `T:`. Of several, the first that the text has. */
  key: z.optional(z.union([Key, list(Key, decoderLimits.markers, 1)], 'must be a text or a list of them')),
  /** Earlier field of text, hex digits or bytes in which it is read: offsets and parts are those of its value. */
  in: z.optional(Reference),
  /** Marks between the parts of a text, for fields that are `in` it. */
  separator: z.optional(Separator),
  /** Conditions under which the frame has the field. All of them must hold. */
  when: z.optional(Conditions),
  /** Lowest bit of the number that belongs to the field, with `bits`. Bit 0 is the lowest of the number. */
  bit: z.optional(whole(0, 63)),
  bits: z.optional(whole(1, 64)),
  order: z.optional(Order),
  /** Number of elements of a repeated field: `v.0`, `v.1`, …; `rest`: as many as the frame has. */
  count: z.optional(Size),
  /** Conditions of which all hold for the last element of a list. */
  until: z.optional(Conditions),
  /** Number of the first element. */
  first: z.optional(whole(0, 0xffff)),
  /** Bytes of a type that has none of its own; `rest`: all that the frame has. */
  length: z.optional(Size),
  /** value = raw × scale ÷ divide + offset */
  scale: z.optional(finite),
  divide: z.optional(finite.check(z.refine((value) => value !== 0, 'cannot be 0'))),
  offset: z.optional(finite),
  /** value = raw × scale ÷ divide × 10 to the power of it + offset */
  power: z.optional(Power),
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

/**
 * A field; a group of fields that is repeated: `svs.0.gnssId`, `svs.0.cno`, `svs.1.gnssId`, …; or, with `base`, fields by
 * their addresses.
 */
const FieldOrGroup = record({
  ...fieldEntries,
  type: z.optional(fieldEntries.type),
  /**
   * Address of the group's first byte. Its fields then have addresses in `at`, are no list, and keep their own names. Those
   * that are not all there are left out.
   */
  base: z.optional(Size),
  /** Bytes of one address. */
  step: z.optional(whole(1, 8)),
  fields: z.optional(list(Field, decoderLimits.fields, 1)),
});

const line = z.optional(text(decoderLimits.lineMaxLength));

const Message = record({
  /** In words: `read holding registers`, `NAV-PVT`. */
  name: named(decoderLimits.nameMaxLength),
  /** All of them must hold. The first message whose conditions hold is that of the frame. */
  when: z._default(Conditions, []),
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
  /** Names of the messages that it answers. `other.command` is one of another decoder of the line. */
  answers: z._default(list(named(decoderLimits.nameMaxLength), decoderLimits.messages), []),
  /** Fields that it has in common with its question, in place of those of `pairing`. */
  same: z.optional(list(Reference, decoderLimits.conditions)),
});

const lengthNumber = {
  /** Offset from the frame's first byte; in `escaped` from the first byte of the content. */
  at: whole(0, 255),
  type: z.enum(['u8', 'u16', 'u24', 'u32'], 'must be u8, u16, u24 or u32'),
  order: z._default(z.enum(['big', 'little'], 'must be big or little'), 'big'),
  /** Bits of the number that count. The lowest of them is 1. */
  mask: z.optional(whole(1, 0xffff_ffff)),
  multiply: z._default(whole(1, 256), 1),
};

const lengthField = record({
  ...lengthNumber,
  /** Further numbers that are added. */
  plus: z.optional(list(record(lengthNumber), decoderLimits.lengthNumbers, 1)),
  /** Bytes of the frame that the number does not count. */
  add: z._default(whole(-255, decoderLimits.frameLength), 0),
});

/**
 * Silence in ms after which waiting bytes are decided: the rest of a frame that does not come is shown as it is.
 */
const ms = z._default(whole(1, decoderLimits.longestGap), 1_000);

/** Bytes behind the end bytes that belong to the frame. */
const after = z.optional(whole(1, decoderLimits.after));
/** True: the content is the bytes that hex digits stand for. Blanks and line ends may be between them. */
const hex = z.optional(z.boolean('must be true or false'));
const truth = z.optional(z.boolean('must be true or false'));

/** Framings of a single shape: a frame ends after its length, at its end bytes, or after a silence. */
const shapes = {
  length: {
    kind: z.literal('length'),
    /** Bytes that begin a frame: one of these. Without them, frames follow each other. */
    start: z.optional(Markers),
    /** Bytes of the whole frame, or the field that has it. */
    length: z.union([frameLength, lengthField], 'must be a number or { at, type, order, mask, multiply, plus, add }'),
    /** Bytes that end a frame. */
    end: z.optional(Markers),
    longest,
    ms,
  },
  until: {
    kind: z.literal('until'),
    start: z.optional(Markers),
    end: Markers,
    after,
    hex,
    /** Marks between the parts of a text: line ends part it too. */
    separator: z.optional(Separator),
    longest,
    ms,
  },
  /** Ends at a line feed, a carriage return or both. `start` is text: `$`. */
  lines: {
    kind: z.literal('lines'),
    start: z.optional(text(decoderLimits.marker)),
    hex,
    separator: z._default(Separator, ','),
    longest,
    ms,
  },
  /**
   * Bytes that would end or begin a frame are escaped inside of it. The content has no escapes, start or end bytes; its
   * offsets begin behind the start.
   */
  escaped: {
    kind: z.literal('escaped'),
    start: z.optional(Markers),
    /** Bytes that end a frame. One that also begins the next belongs to the frame that it ends. */
    end: z.optional(Markers),
    /** Bytes of the content, in place of end bytes. */
    length: z.optional(
      z.union([frameLength, lengthField], 'must be a number or { at, type, order, mask, multiply, plus, add }'),
    ),
    after,
    escape: Byte,
    /** The byte behind an escape is xor this number; 0: it is as it stands. */
    xor: z.optional(whole(0, 255)),
    /** True: an escape stands for itself if it comes twice. Before any other byte than those of the end it is damage. */
    doubled: truth,
    /** Bytes behind an escape, and what both stand for: `{ "DC": "C0", "DD": "DB" }`. */
    replace: z.optional(
      entriesOf(Byte, 'must be an object of bytes').check(
        z.refine((value) => Object.keys(value).length <= decoderLimits.names, 'cannot have so many bytes'),
        z.refine((value) => Object.keys(value).every((key) => /^[\dA-Fa-f]{2}$/.test(key)), 'must have bytes as keys'),
      ),
    ),
    longest,
    ms,
  },
  /** Consistent Overhead Byte Stuffing: a 0 ends a frame. */
  cobs: { kind: z.literal('cobs'), longest, ms },
  /** RFC 1055: C0 ends a frame. */
  slip: { kind: z.literal('slip'), longest, ms },
  /** A silence of so many ms ends a frame. */
  gap: { kind: z.literal('gap'), longest, ms: whole(1, decoderLimits.longestGap) },
} as const;

const kinds = Object.keys(checksumSizes) as readonly ChecksumKind[];
const offset = whole(-decoderLimits.frameLength, decoderLimits.frameLength);

const Checksum = record({
  kind: choice(kinds),
  /** Parameters of `crc`, as catalogues of CRCs write them: the polynomial is not reversed. */
  width: z.optional(z.literal([8, 16, 24, 32], 'must be 8, 16, 24 or 32')),
  polynomial: z.optional(whole(0, 0xffff_ffff)),
  /** Number before the first byte, of `crc` and of sums. */
  init: z.optional(whole(0, 0xffff_ffff)),
  reflectIn: truth,
  reflectOut: truth,
  /** Number with which the result is xor, of `crc` and of sums: 0xFF makes 0xFF minus an 8 bit sum. */
  xorOut: z.optional(whole(0, 0xffff_ffff)),
  /** True: the result is 0 minus the sum. */
  negate: truth,
  /** Order of the checksum's own bytes. */
  order: z._default(z.enum(['big', 'little'], 'must be big or little'), 'big'),
  /** `hex`: hex digits of either case, as NMEA 0183 has them. */
  form: z._default(z.enum(['bytes', 'hex'], 'must be bytes or hex'), 'bytes'),
  /** Place in the content; negative: from its end. Without it, the last bytes. */
  at: z.optional(offset),
  /** First byte that it covers, and the byte after the last; negative: from the end. Without it, up to itself. */
  from: z._default(offset, 0),
  to: z.optional(offset),
  /** True: places and bytes are those of the frame as it came, with its start, end and escapes. */
  wire: truth,
  /** True: it covers the whole question first. The frame is right only as an answer to it. */
  question: truth,
});
const Checksums = list(Checksum, decoderLimits.checksums);

/** Checksums and direction of one shape of several. */
const shapeEntries = {
  /** Direction of its frames; without it, both. */
  direction: z.optional(z.enum(['sent', 'received'], 'must be sent or received')),
  checksum: z.optional(Checksum),
  checksums: z.optional(Checksums),
};

const { length, until, lines, escaped, cobs, slip, gap } = shapes;

const Framing = oneOf('kind', {
  length: record(length),
  until: record(until),
  lines: record(lines),
  escaped: record(escaped),
  cobs: record(cobs),
  slip: record(slip),
  gap: record(gap),
  /** One of several shapes: the first that fits. */
  any: record({
    kind: z.literal('any'),
    of: list(
      oneOf('kind', {
        length: record({ ...length, ...shapeEntries }),
        until: record({ ...until, ...shapeEntries }),
        lines: record({ ...lines, ...shapeEntries }),
        escaped: record({ ...escaped, ...shapeEntries }),
        cobs: record({ ...cobs, ...shapeEntries }),
        slip: record({ ...slip, ...shapeEntries }),
        gap: record({ ...gap, ...shapeEntries }),
      }),
      decoderLimits.shapes,
      1,
    ),
    longest,
    ms,
  }),
  /** A step measures frames. */
  step: record({ kind: z.literal('step'), longest, ms }),
});

/** Change of bytes of the content, after its checksums: of all from `from` up to `to`. */
const Transform = record({
  from: z._default(offset, 0),
  to: z.optional(offset),
  /** Number that is added to each byte, modulo 256. */
  add: z.optional(whole(-255, 255)),
  xor: z.optional(whole(1, 255)),
  /** Byte that is taken out where it stands behind the bytes `after`. */
  remove: z.optional(Byte),
  after: z.optional(hexPairs(/^[\dA-Fa-f]{2}( ?[\dA-Fa-f]{2})*$/, decoderLimits.marker, 'must be pairs of hex digits')),
});

const Register = record({
  name: Identifier,
  /** Name as people read it, with its spaces: `Total power`. Find takes `name`. */
  title: z.optional(named(decoderLimits.nameMaxLength)),
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
  /** Several, in place of `checksum`: all must be right. One in the header is checked before the length is believed. */
  checksums: z.optional(Checksums),
  transform: z.optional(list(Transform, decoderLimits.transforms)),
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
/** Framing of a single shape, or one of several with its checksums. */
export type DecoderShape = Extract<DecoderFraming, { kind: 'any' }>['of'][number];
export type DecoderPower = NonNullable<DecoderField['power']>;
export type DecoderTransform = NonNullable<DecoderContent['transform']>[number];
export type DecoderChecksum = NonNullable<DecoderContent['checksum']>;
export type DecoderRegister = DecoderContent['registers'][number];
export type DecoderSize = NonNullable<DecoderField['count']>;
