/** Limits and words of decoders (docs/behaviour.md, "Decoders"). Every list, text and number is limited. */

/** Lengths in UTF-16 code units, sizes in bytes, unless a comment says otherwise. */
export const decoderLimits = {
  nameMaxLength: 48,
  textMaxLength: 240,
  /** Length of the name of a decoder or field, as Find takes it. */
  identifierMaxLength: 32,
  unitMaxLength: 12,
  /** Text of a line in words, with its `{field}` places. */
  lineMaxLength: 240,
  /** Fields of one list. */
  fields: 256,
  /** Values of one frame, repeated ones included. Further ones have no value. */
  frameValues: 4_096,
  /** Elements of one repeated field. */
  count: 4_096,
  messages: 256,
  conditions: 8,
  /** Names of values or flags of one field, and values of one condition. */
  names: 128,
  /** Longest frame. The longest of the ready decoders is that of UBX: 65,535 bytes of payload and 8 around it. */
  frameLength: 65_543,
  /** Longest frame of a decoder that names no other. */
  defaultFrameLength: 4_096,
  /** Bytes that begin or end a frame. */
  marker: 16,
  markers: 8,
  /** Bytes behind the end bytes of a frame. */
  after: 16,
  /** Further numbers in one length. */
  lengthNumbers: 4,
  /** Shapes of the frames of one decoder. */
  shapes: 16,
  checksums: 4,
  transforms: 4,
  /** Marks that separate the parts of a text. */
  separators: 8,
  /** Characters in front of a value. */
  key: 32,
  /** Highest power of ten by which a number is scaled. */
  power: 30,
  /** Time without a byte in ms. */
  longestGap: 10_000,
  /** Time for an answer in ms. */
  longestAnswer: 600_000,
  registers: 1_000,
  /** ArduPilot's messages are 9 files of XML. */
  files: 16,
  steps: 8,
  decimals: 12,
  faults: 12,
} as const;

/** Types of numbers, with their size in bytes. */
export const numberSizes = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u24: 3,
  i24: 3,
  u32: 4,
  i32: 4,
  u64: 8,
  i64: 8,
  f32: 4,
  f64: 8,
} as const;
export type NumberType = keyof typeof numberSizes;

/**
 * Types of fields. `bcd`: two decimal digits in each of `length` bytes; in order `little` the last byte has the highest.
 * `int` and `uint`: of 1 to 8 bytes. `bits7`: 7 bits of each of up to 7 bytes. `number`: decimal digits of a text, with a
 * sign, a fraction, an exponent, and a unit. `unit`: the unit behind such a number. `hex`: bytes as pairs of hex digits.
 */
export const fieldTypes = [
  'u8',
  'i8',
  'u16',
  'i16',
  'u24',
  'i24',
  'u32',
  'i32',
  'u64',
  'i64',
  'f32',
  'f64',
  'bcd',
  'int',
  'uint',
  'bits7',
  'number',
  'unit',
  'hex',
  'text',
  'bytes',
] as const satisfies readonly (NumberType | SizedType)[];
export type FieldType = (typeof fieldTypes)[number];

/** Types of fields whose `length` is given. */
export const sizedTypes = ['bcd', 'int', 'uint', 'bits7', 'number', 'unit', 'hex', 'text', 'bytes'] as const;
export type SizedType = (typeof sizedTypes)[number];

/**
 * Orders of the bytes of a number. The letters are the order of the bytes on the line: `abcd` is big-endian, `dcba`
 * little-endian, `cdab` swaps the words of a big-endian number, `badc` the bytes of each word.
 */
export const byteOrders = ['big', 'little', 'abcd', 'cdab', 'badc', 'dcba'] as const;
export type ByteOrder = (typeof byteOrders)[number];

/** Checksums by name, with their size in bytes. `crc` is given by its parameters. */
export const checksumSizes = {
  sum8: 1,
  /** Two's complement of the sum. */
  lrc: 1,
  xor8: 1,
  sum16: 2,
  /** Two sums modulo 256 (RFC 1145), the first one first. */
  fletcher8: 2,
  crc8: 1,
  'crc8-maxim': 1,
  'crc16-modbus': 2,
  'crc16-arc': 2,
  'crc16-ccitt-false': 2,
  'crc16-xmodem': 2,
  'crc16-kermit': 2,
  'crc16-x25': 2,
  'crc16-mcrf4xx': 2,
  'crc16-usb': 2,
  crc32: 4,
  crc32c: 4,
  'crc32-mpeg2': 4,
  crc: 0,
} as const;
export type ChecksumKind = keyof typeof checksumSizes;

/** Checksums of which `init`, `xorOut` and `negate` are given. */
export const sumKinds = ['sum8', 'lrc', 'xor8', 'sum16'] as const satisfies readonly ChecksumKind[];

/** Steps in code that a decoder may select, because data cannot say what they do. `packages/frames` has their code. */
export const decoderSteps = ['at', 'dmx', 'mavlink', 'modbus', 'nmea', 'slcan', 'ubx'] as const;
export type DecoderStep = (typeof decoderSteps)[number];

/** Framings of steps that read bytes at places of their own. Steps that are not in it take any. */
export const stepFramings: Readonly<Partial<Record<DecoderStep, string>>> = {
  at: 'step',
  dmx: 'length',
  mavlink: 'step',
  modbus: 'step',
  nmea: 'step',
  slcan: 'step',
  ubx: 'length',
};

/** Uses of a file beside a decoder. */
export const decoderFileUses = ['dbc', 'mavlink', 'registers'] as const;
export type DecoderFileUse = (typeof decoderFileUses)[number];

export const registerTables = ['coil', 'discrete', 'input', 'holding'] as const;
export type RegisterTable = (typeof registerTables)[number];

export const registerTypes = [
  'u16',
  'i16',
  'u32',
  'i32',
  'u64',
  'i64',
  'f32',
  'f64',
  'bits',
  'text',
] as const satisfies readonly (NumberType | 'bits' | 'text')[];
