/**
 * What is in the content of a JKit of type `chip`: a device on an I2C or SPI bus as its data sheet describes it. Only the forms of
 * the parts; how they fit together is checked in `check-chip.ts`. Unknown entries are refused: a slip of the pen must not pass
 * for a description that says less.
 */
import * as z from 'zod/mini';
import { chipCategories, chipLimits } from './chip-rules.ts';
import { formulaKinds } from './formula.ts';

/** Control characters, and those that change the direction of writing, take no room, or are tags: what one reads is what is there. */
const deceiving = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

function text(maxLength: number) {
  return z.string('must be text').check(
    z.maxLength(maxLength, `cannot exceed ${maxLength} characters`),
    z.refine((value) => value.isWellFormed() && !deceiving.test(value), 'contains invisible or control characters'),
  );
}

function named(maxLength: number) {
  return text(maxLength).check(
    z.refine((value) => value.trim() !== '' && value === value.trim(), 'must be text without spaces around it'),
  );
}

/** A name in formulas: ASCII, so that no two look alike. */
const Identifier = z
  .string('must be a name')
  .check(
    z.maxLength(chipLimits.identifierMaxLength, `cannot exceed ${chipLimits.identifierMaxLength} characters`),
    z.regex(/^[A-Za-z_]\w*$/, 'must be letters, digits and _, beginning with a letter'),
  );

/** A JSON number, or text such as `0x76`, which is easier to compare with a data sheet. */
function whole(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  const Hex = z.string(message).check(z.regex(/^0x[\dA-Fa-f]{1,8}$/, message));
  return z.pipe(
    z.pipe(
      z.union([z.number(message), Hex], message),
      z.transform((value) => Number(value)),
    ),
    z.int(message).check(z.minimum(minimum, message), z.maximum(maximum, message)),
  );
}

/** An object with these entries and no others. */
function record<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownEntry(issue.keys) : 'must be an object'),
  });
}

/** Names the entry where its name is one that could have been meant. */
function unknownEntry([key = '']: readonly string[]): string {
  return /^\w{1,32}$/.test(key) ? `has an unknown entry: ${key}` : 'has an unknown entry';
}

function list<Item extends z.core.$ZodType>(item: Item, most: number, least = 0) {
  const message = least === 0 ? `must be a list of at most ${most}` : `must be a list of ${least} to ${most}`;
  return z.array(item, message).check(z.minLength(least, message), z.maxLength(most, message));
}

const description = z.optional(text(chipLimits.textMaxLength));
const word = whole(0, 0xffff_ffff);
const bit = whole(0, 31);

/** Microseconds waited for before it. */
const delay = z._default(whole(0, chipLimits.delay), 0);

const Field = record({
  name: Identifier,
  /** Highest and lowest bit; the lowest of a register is 0. */
  high: bit,
  low: bit,
  description,
  /** What some of its values mean. */
  values: z.optional(list(record({ value: word, name: named(chipLimits.nameMaxLength) }), chipLimits.fieldValues)),
});

const Register = record({
  name: Identifier,
  address: whole(0, 0xffff),
  /** Bytes of the answer before it, where the chip gives several numbers at one address. */
  offset: z._default(whole(0, chipLimits.transferBytes - 1), 0),
  /** Bits. */
  width: z._default(z.literal([8, 16, 24, 32], 'must be 8, 16, 24 or 32'), 8),
  order: z._default(z.enum(['big', 'little'], 'must be big or little'), 'big'),
  signed: z._default(z.boolean('must be true or false'), false),
  access: z._default(z.enum(['r', 'w', 'rw'], 'must be r, w or rw'), 'r'),
  /** Microseconds between sending its address and reading it, which are one transfer each then: a measurement. */
  wait: z._default(whole(0, chipLimits.delay), 0),
  /** What it holds after a reset. */
  reset: z.optional(word),
  description,
  fields: z._default(list(Field, chipLimits.fields), []),
});

const Bytes = z
  .string('must be pairs of hex digits')
  .check(
    z.maxLength(chipLimits.transferBytes * 3, `cannot have more than ${chipLimits.transferBytes} bytes`),
    z.regex(/^[\dA-Fa-f]{2}( ?[\dA-Fa-f]{2})*$/, 'must be pairs of hex digits'),
  );

/** Either a value for a register, or bytes as they are. */
const InitWrite = record({
  register: z.optional(Identifier),
  value: z.optional(word),
  bytes: z.optional(Bytes),
  delay,
  description,
});

const Kind = z._default(z.enum(formulaKinds, `must be ${formulaKinds.join(' or ')}`), 'double');
const Formula = z
  .string('must be a formula')
  .check(z.maxLength(chipLimits.formulaMaxLength, `cannot exceed ${chipLimits.formulaMaxLength} characters`));

const finite = z.number('must be a number');

const Reading = record({
  name: named(chipLimits.nameMaxLength),
  kind: Kind,
  formula: Formula,
  /** The result of the formula is divided by it, so that integers can stand for parts of a unit. */
  divisor: z._default(finite.check(z.positive('must be greater than 0')), 1),
  unit: z._default(text(chipLimits.unitMaxLength), ''),
  /** What the chip can measure; values outside are shown and marked. */
  minimum: z.optional(finite),
  maximum: z.optional(finite),
  decimals: z._default(whole(0, chipLimits.decimals), 0),
});

export const ChipContent = record({
  /** As its maker calls the part. */
  name: named(chipLimits.nameMaxLength),
  manufacturer: z.optional(named(chipLimits.nameMaxLength)),
  /** The document that the description follows. */
  source: z.optional(text(chipLimits.textMaxLength)),
  category: z.enum(chipCategories, `must be one of ${chipCategories.join(', ')}`),
  bus: z.enum(['i2c', 'spi'], 'must be i2c or spi'),
  /** 7 bits each, without the bit for reading. */
  addresses: z._default(list(whole(chipLimits.lowestAddress, chipLimits.highestAddress), chipLimits.addresses), []),
  /** SPI only. `readBit` is set in a register's address to read and cleared to write; 0 where an address already says which. */
  spi: z.optional(
    record({
      mode: z._default(whole(0, 3), 0),
      readBit: z._default(z.literal([0, 0x40, 0x80], 'must be 0, 64 or 128'), 0x80),
    }),
  ),
  /** Bits of a register's address on the wire, high byte first; 0 for a chip that has none and is read and written as it is. */
  pointer: z._default(z.literal([0, 8, 16], 'must be 0, 8 or 16'), 8),
  /** Whether one reading can go on into the next address. */
  increments: z._default(z.boolean('must be true or false'), true),
  /** All of them have to hold. None: the chip has nothing to be recognised by. */
  identification: z._default(
    list(
      record({
        register: Identifier,
        mask: z.optional(word),
        value: word,
        /** Further values that the data sheet lists, such as those of samples. */
        others: z._default(list(word, chipLimits.otherValues), []),
      }),
      chipLimits.identification,
    ),
    [],
  ),
  registers: list(Register, chipLimits.registers, 1),
  /** Registers that are read once, before the first readings. */
  calibration: z._default(list(Identifier, chipLimits.calibration), []),
  init: z._default(list(InitWrite, chipLimits.init), []),
  /** Named steps on the way to the readings, each from registers and the steps before it. */
  values: z._default(list(record({ name: Identifier, kind: Kind, formula: Formula }), chipLimits.values), []),
  readings: z._default(list(Reading, chipLimits.readings), []),
  /** Milliseconds after which the chip has something new to tell. */
  interval: z._default(whole(chipLimits.shortestInterval, chipLimits.longestInterval), 1_000),
});

/** A description with every default filled in. */
export type ChipContent = z.output<typeof ChipContent>;
/** As it is written down. */
export type ChipDraft = z.input<typeof ChipContent>;
export type ChipRegister = ChipContent['registers'][number];
export type ChipReading = ChipContent['readings'][number];
