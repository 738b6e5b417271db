import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkChip } from './check-chip.ts';
import type { ChipDraft } from './chip-content.ts';
import { chipLimits } from './chip-rules.ts';
import { allChips } from './library/all-chips.ts';

const draft: ChipDraft = {
  name: 'ZX-41',
  category: 'Sensors',
  bus: 'i2c',
  addresses: [0x5a],
  registers: [
    { name: 'id', address: '0x0F' },
    { name: 'raw', address: 0x10, width: 16, access: 'rw', fields: [{ name: 'low', high: 3, low: 0 }] },
    { name: 'start', address: 0x20, access: 'w' },
  ],
};

const faultsOf = (changes: object) => checkChip(JSON.stringify({ ...draft, ...changes })).faults;

describe('the description of a chip', () => {
  it('fills in what is not said, and takes hex as text', () => {
    const { content, faults } = checkChip(JSON.stringify(draft));
    expect(faults).toEqual([]);
    expect(content).toMatchObject({ pointer: 8, increments: true, readings: [], interval: 1_000 });
    expect(content?.registers[0]).toEqual({
      name: 'id',
      address: 15,
      offset: 0,
      width: 8,
      order: 'big',
      signed: false,
      access: 'r',
      wait: 0,
      fields: [],
    });
  });

  it.each(allChips.map((chip) => [chip.name, chip] as const))(
    '%s comes with the product and has no fault',
    (_name, chip) => {
      expect(checkChip(JSON.stringify(chip.content)).faults).toEqual([]);
      expect(chip.content.source).toBeTypeOf('string');
      expect(chip.description).toMatch(/^[A-Z].{40,}\.$/s);
      expect(chip.tags.length).toBeGreaterThanOrEqual(4);
    },
  );

  it.each<readonly [string, object, string]>([
    ['no address', { addresses: [] }, 'A chip on an I2C bus needs at least one address'],
    ['nine addresses', { addresses: [8, 9, 10, 11, 12, 13, 14, 15, 16] }, 'Addresses must be a list of at most 8'],
    ['an address twice', { addresses: [0x5a, '0x5a'] }, 'An address is listed twice'],
    [
      'another category',
      { category: 'Toys' },
      'Category must be one of Power Management, Sensors, Displays, Motor Control, Audio, Storage, Custom ICs',
    ],
    ['addresses on SPI', { bus: 'spi' }, 'A chip on an SPI bus cannot have addresses'],
    [
      'an offset whose bytes are another register',
      { registers: [{ name: 'a', address: 0, offset: 2 }] },
      'Register a cannot have an offset unless increments is false',
    ],
    ['no registers', { registers: [] }, `Registers must be a list of 1 to ${chipLimits.registers}`],
    [
      'a register twice',
      {
        registers: [
          { name: 'a', address: 0 },
          { name: 'a', address: 1 },
        ],
      },
      'The name a is taken',
    ],
    ['a register called as a function', { registers: [{ name: 'abs', address: 0 }] }, 'The name abs is taken'],
    [
      'an odd width',
      { registers: [{ name: 'a', address: 0, width: 12 }] },
      'Register 1, width must be 8, 16, 24 or 32',
    ],
    [
      'an address beyond the pointer',
      { registers: [{ name: 'a', address: 256 }] },
      'The address of register a does not fit into 8 bits',
    ],
    [
      'an answer that is too long',
      { increments: false, registers: [{ name: 'a', address: 0, offset: 30, width: 16 }] },
      'Register a ends beyond the 31 bytes of one transfer',
    ],
    [
      'a field beyond its register',
      { registers: [{ name: 'a', address: 0, fields: [{ name: 'f', high: 8, low: 0 }] }] },
      'Field a.f must be bits 7 to 0, the highest first',
    ],
    [
      'a field upside down',
      { registers: [{ name: 'a', address: 0, fields: [{ name: 'f', high: 0, low: 3 }] }] },
      'Field a.f must be bits 7 to 0, the highest first',
    ],
    [
      'an unknown field entry',
      { registers: [{ name: 'a', address: 0, fields: [{ name: 'f', high: 1, low: 0, bits: 2 }] }] },
      'Register 1, field 1 has an unknown entry: bits',
    ],
    [
      'identification by nothing',
      { identification: [{ register: 'who', value: 1 }] },
      'Identification needs a register that can be read: who',
    ],
    [
      'identification by what can only be written',
      { identification: [{ register: 'start', value: 1 }] },
      'Identification needs a register that can be read: start',
    ],
    [
      'an ID that is too large',
      { identification: [{ register: 'id', value: 256 }] },
      'The identification value of id does not fit into 8 bits',
    ],
    [
      'an ID outside of its mask',
      { identification: [{ register: 'id', mask: 0xf0, value: 0x61 }] },
      'The identification value of id has bits outside of its mask',
    ],
    ['calibration twice', { calibration: ['id', 'id'] }, 'Calibration reads id twice'],
    ['a write without a value', { init: [{ register: 'raw' }] }, 'Write 1 needs a register and a value, or bytes'],
    [
      'a write of both kinds',
      { init: [{ register: 'raw', value: 1, bytes: '00' }] },
      'Write 1 needs a register and a value, or bytes',
    ],
    [
      'a write to what can only be read',
      { init: [{ register: 'id', value: 1 }] },
      'Write 1 needs a register that can be written: id',
    ],
    [
      'a write that is too large',
      { init: [{ register: 'raw', value: 65_536 }] },
      'The value of write 1 does not fit into 16 bits',
    ],
    ['32 bytes', { init: [{ bytes: '00'.repeat(32) }] }, 'Write 1 has more than 31 bytes'],
    ['half a byte', { init: [{ bytes: '0' }] }, 'Write 1, bytes must be pairs of hex digits'],
    [
      'waits without end',
      { init: Array.from({ length: 6 }, () => ({ bytes: '00', delay: 1_000_000 })) },
      'All waits together cannot exceed 5 s',
    ],
    [
      'a value before what it needs',
      {
        values: [
          { name: 'a', formula: 'b' },
          { name: 'b', formula: 'raw' },
        ],
      },
      'Value a: The formula uses a name that is not defined before it: b',
    ],
    [
      'a reading of what can only be written',
      { readings: [{ name: 'x', formula: 'start' }] },
      'Reading x: The formula uses a name that is not defined before it: start',
    ],
    [
      'two readings of one name',
      {
        readings: [
          { name: 'x', formula: 'raw' },
          { name: 'x', formula: 'id' },
        ],
      },
      'There are two readings x',
    ],
    [
      'an empty range',
      { readings: [{ name: 'x', formula: 'raw', minimum: 1, maximum: 1 }] },
      'The range of reading x must go from a smaller to a greater number',
    ],
    [
      'a divisor of nothing',
      { readings: [{ name: 'x', formula: 'raw', divisor: 0 }] },
      'Reading 1, divisor must be greater than 0',
    ],
    [
      'too many readings',
      { readings: Array.from({ length: 25 }, (_, index) => ({ name: `r${index}`, formula: 'raw' })) },
      'Readings must be a list of at most 24',
    ],
  ])('cannot have %s', (_case, changes, fault) => {
    expect(faultsOf(changes)).toContain(fault);
  });

  it('is never an exception, whatever the text is, and never has more faults than are shown', () => {
    const keys = fc.constantFrom(
      ...Object.keys(draft),
      '__proto__',
      'constructor',
      'toString',
      'init',
      'values',
      'readings',
    );
    const document = fc.dictionary(keys, fc.jsonValue());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          document.map((value) => JSON.stringify({ ...draft, ...value })),
        ),
        (text) => {
          const { content, faults } = checkChip(text);
          expect(content === null).toBe(faults.length > 0);
          expect(faults.length).toBeLessThanOrEqual(chipLimits.faults);
          expect(faults.every((fault) => fault.length < 300)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('does not look at thousands of faulty entries one by one', () => {
    const registers = Array.from({ length: 80 }, () => ({ fields: Array.from({ length: 256 }, () => ({})) }));
    const text = JSON.stringify({ registers });
    expect(text.length).toBeLessThan(65_536);
    expect(checkChip(text)).toEqual({
      content: null,
      faults: ['The description must be smaller: it has more than 3000 lists and objects'],
    });
  });
});
