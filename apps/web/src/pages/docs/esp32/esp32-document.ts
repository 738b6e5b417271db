/** Guide of the ESP32 bench: its texts, and what they take from code. */

import {
  type ChipContent,
  type ChipReading,
  type ChipRegister,
  chipCategories,
  chipLimits,
} from '@wirebench/contract/chips';
import { labFailureText } from '@wirebench/lab';
import { labBaudRates } from '../../../protocol/lab-protocol.ts';
import type { DocsDocument } from '../docs-model.ts';
import { failureRows, sharedValues, topicTitles } from '../docs-values.ts';
import { guide } from './guide.md?guide';

const fieldRows = (fields: Readonly<Record<string, readonly [value: string, meaning: string]>>) =>
  Object.entries(fields).map(([name, [value, meaning]]) => [name, value, meaning] as const);

/** Value, and what it is for. */
type Rows<Entry> = Readonly<Record<keyof Entry & string, readonly [value: string, meaning: string]>>;

const { addresses, registers, identification, calibration, init, values, readings, transferBytes } = chipLimits;

/** The entries of a chip's description, for the guide's tables. The compiler names one that is missing. */
const chipFields: Rows<ChipContent> = {
  name: [`text of 1 to ${chipLimits.nameMaxLength} characters`, 'the part, as its maker calls it'],
  manufacturer: ['text', 'its maker'],
  source: [`text of at most ${chipLimits.textMaxLength} characters`, 'the document that the description follows'],
  category: [`one of ${chipCategories.join(', ')}`, 'what the chip is for'],
  bus: ['"i2c" or "spi"', 'the bus that it is on'],
  addresses: [
    `1 to ${addresses} numbers from 0x08 to 0x77`,
    'its I2C addresses, 7 bits each; nothing else is talked to',
  ],
  spi: [
    'an object with mode and readBit',
    'SPI only: the mode (0 to 3), and the bit of a register’s address that reads',
  ],
  pointer: ['0, 8 (default) or 16', 'bits of a register’s address on the wire; 0 where the chip has none'],
  increments: ['true (default) or false', 'whether one reading goes on into the next address'],
  identification: [
    `at most ${identification} objects with register, value, mask and others`,
    'what has to be in registers for the chip to be identified; all of them have to hold. others: at most 8 further values of the same register, such as those of samples',
  ],
  registers: [`1 to ${registers} objects`, 'the registers that may be read or written, by name'],
  calibration: [`at most ${calibration} names of registers`, 'read once, before the first readings'],
  init: [`at most ${init} objects with register and value, or bytes; delay in µs`, 'the set-up, written in this order'],
  values: [`at most ${values} objects with name, kind and formula`, 'steps on the way to the readings'],
  readings: [`at most ${readings} objects`, 'the numbers that people see'],
  interval: [
    `${chipLimits.shortestInterval} to ${chipLimits.longestInterval.toLocaleString('en')} ms (default 1,000)`,
    'after how long the chip has something new',
  ],
};

const registerFields: Rows<ChipRegister> = {
  name: ['letters, digits and _', 'the name in formulas'],
  address: ['0 to 0xFFFF', 'its address in the chip'],
  offset: [
    `0 to ${transferBytes - 1} bytes (default 0)`,
    'where it begins, if several numbers are read at one address',
  ],
  width: ['8 (default), 16, 24 or 32', 'its bits'],
  order: ['"big" (default) or "little"', 'which byte comes first'],
  signed: ['true or false (default)', 'whether it is in two’s complement'],
  access: ['"r" (default), "w" or "rw"', 'what may be done with it'],
  wait: ['0 to 1,000,000 µs (default 0)', 'the time between sending its address and reading it'],
  reset: ['a number', 'what it holds after a reset'],
  description: ['text', 'what it is for'],
  fields: [
    `at most ${chipLimits.fields} objects with name, high, low, description and values`,
    'its bits, with names for some of their values',
  ],
};

const readingFields: Rows<ChipReading> = {
  name: ['text', 'what people see'],
  kind: ['"double" (default) or "integer"', 'the kind of numbers in the formula; integers have 64 bits, as in C'],
  formula: [`at most ${chipLimits.formulaMaxLength} characters`, 'the value, from registers, their fields and values'],
  divisor: ['a number above 0 (default 1)', 'the result is divided by it'],
  unit: [`text of at most ${chipLimits.unitMaxLength} characters`, 'shown behind the value'],
  minimum: ['a number', 'the least that the chip can measure; below it, the value is marked'],
  maximum: ['a number', 'the most that the chip can measure'],
  decimals: [`0 (default) to ${chipLimits.decimals}`, 'digits behind the point'],
};

export const esp32Document: DocsDocument = {
  ...guide,
  values: {
    ...sharedValues,
    ...topicTitles,
    'link.baudRate': labBaudRates.at(-1)?.toLocaleString('en') ?? '',
  },
  rows: {
    chipFields: fieldRows(chipFields),
    failures: failureRows(labFailureText),
    readingFields: fieldRows(readingFields),
    registerFields: fieldRows(registerFields),
  },
};
