/**
 * Schema of the content of a JKit of type `chip`: a device on an I2C or SPI bus as its data sheet describes it. It
 * checks each part by itself; `check-chip.ts` checks how the parts fit together. Unknown entries are refused, so that
 * a misspelled key is not silently ignored.
 */
import * as z from 'zod/mini';
import { list, named, record, text, whole } from '../strict-content.ts';
import { chipCategories, chipLimits } from './chip-rules.ts';
import { formulaKinds } from './formula.ts';

/** A name in formulas. ASCII only, so that no two names look alike. */
const Identifier = z
  .string('must be a name')
  .check(
    z.maxLength(chipLimits.identifierMaxLength, `cannot exceed ${chipLimits.identifierMaxLength} characters`),
    z.regex(/^[A-Za-z_]\w*$/, 'must be letters, digits and _, beginning with a letter'),
  );

const description = z.optional(text(chipLimits.textMaxLength));
const word = whole(0, 0xffff_ffff);
const bit = whole(0, 31);

/** Wait before this write, in microseconds. */
const delay = z._default(whole(0, chipLimits.delay), 0);

const Field = record({
  name: Identifier,
  /** Highest and lowest bit of the field. Bit 0 is the register's lowest. */
  high: bit,
  low: bit,
  description,
  /** Names of single values of the field. */
  values: z.optional(list(record({ value: word, name: named(chipLimits.nameMaxLength) }), chipLimits.fieldValues)),
});

const Register = record({
  name: Identifier,
  address: whole(0, 0xffff),
  /** Bytes of the answer to skip before this register, for chips that return several numbers at one address. */
  offset: z._default(whole(0, chipLimits.transferBytes - 1), 0),
  /** Size in bits. */
  width: z._default(z.literal([8, 16, 24, 32], 'must be 8, 16, 24 or 32'), 8),
  order: z._default(z.enum(['big', 'little'], 'must be big or little'), 'big'),
  signed: z._default(z.boolean('must be true or false'), false),
  access: z._default(z.enum(['r', 'w', 'rw'], 'must be r, w or rw'), 'r'),
  /**
   * Microseconds to wait between sending the register's address and reading it, for instance while the chip measures.
   * Above 0, both are separate transfers.
   */
  wait: z._default(whole(0, chipLimits.delay), 0),
  /** Value after a reset. */
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

/** One write of the set-up: either a value for a register, or raw bytes. */
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
  /** The result of the formula is divided by this, so that an integer formula can express fractions of the unit. */
  divisor: z._default(finite.check(z.positive('must be greater than 0')), 1),
  unit: z._default(text(chipLimits.unitMaxLength), ''),
  /** The chip's measuring range. Values outside it are shown and marked. */
  minimum: z.optional(finite),
  maximum: z.optional(finite),
  decimals: z._default(whole(0, chipLimits.decimals), 0),
});

export const ChipContent = record({
  /** The part's name as its manufacturer writes it. */
  name: named(chipLimits.nameMaxLength),
  manufacturer: z.optional(named(chipLimits.nameMaxLength)),
  /** Document that the description follows, such as a data sheet. */
  source: z.optional(text(chipLimits.textMaxLength)),
  category: z.enum(chipCategories, `must be one of ${chipCategories.join(', ')}`),
  bus: z.enum(['i2c', 'spi'], 'must be i2c or spi'),
  /** 7-bit addresses, without the read/write bit. */
  addresses: z._default(list(whole(chipLimits.lowestAddress, chipLimits.highestAddress), chipLimits.addresses), []),
  /**
   * SPI only. `readBit` is set in a register's address for a read and cleared for a write. 0: the address itself says
   * which.
   */
  spi: z.optional(
    record({
      mode: z._default(whole(0, 3), 0),
      readBit: z._default(z.literal([0, 0x40, 0x80], 'must be 0, 64 or 128'), 0x80),
    }),
  ),
  /**
   * Bits of a register's address on the wire, high byte first. 0: the chip has no register addresses and is read and
   * written directly.
   */
  pointer: z._default(z.literal([0, 8, 16], 'must be 0, 8 or 16'), 8),
  /** True: one transfer may read consecutive addresses, because the chip increments its address. */
  increments: z._default(z.boolean('must be true or false'), true),
  /** Register values that identify the chip; all of them must match. Empty: the chip cannot be identified. */
  identification: z._default(
    list(
      record({
        register: Identifier,
        mask: z.optional(word),
        value: word,
        /** Further accepted values from the data sheet, such as those of engineering samples. */
        others: z._default(list(word, chipLimits.otherValues), []),
      }),
      chipLimits.identification,
    ),
    [],
  ),
  registers: list(Register, chipLimits.registers, 1),
  /** Registers that are read once, before the first reading cycle. */
  calibration: z._default(list(Identifier, chipLimits.calibration), []),
  init: z._default(list(InitWrite, chipLimits.init), []),
  /** Named intermediate results. Each uses registers and earlier entries of this list. */
  values: z._default(list(record({ name: Identifier, kind: Kind, formula: Formula }), chipLimits.values), []),
  readings: z._default(list(Reading, chipLimits.readings), []),
  /** Milliseconds until the chip has a new measurement. */
  interval: z._default(whole(chipLimits.shortestInterval, chipLimits.longestInterval), 1_000),
});

/** A description with every default filled in. */
export type ChipContent = z.output<typeof ChipContent>;
/** A description as it is written: entries with a default may be missing. */
export type ChipDraft = z.input<typeof ChipContent>;
export type ChipRegister = ChipContent['registers'][number];
export type ChipReading = ChipContent['readings'][number];
