import type { LibraryChip } from '@wirebench/contract/chip-library';
import { type ChipContent, checkChip, chipLimits } from '@wirebench/contract/chips';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describedChip } from './chip-jkit.ts';

type ChipDraft = LibraryChip['content'];

function checked(draft: ChipDraft): ChipContent {
  const { content, faults } = checkChip(JSON.stringify(draft));
  expect(faults).toEqual([]);
  if (content === null) {
    throw new Error('no description');
  }
  return content;
}

const draft: ChipDraft = {
  name: 'ZX-41',
  category: 'Sensors',
  bus: 'i2c',
  addresses: [0x5a, 0x5b],
  registers: [
    { name: 'id', address: 0x00, width: 16 },
    { name: 'status', address: 0x02, access: 'rw', fields: [{ name: 'high', high: 7, low: 4 }] },
    { name: 'little', address: 0x04, width: 24, order: 'little', signed: true, access: 'rw' },
    { name: 'start', address: 0x10, access: 'w', width: 32 },
  ],
  identification: [{ register: 'id', mask: 0xff00, value: 0x4100 }],
  init: [
    { register: 'start', value: 0x01020304 },
    { bytes: 'AA bb', delay: 500 },
  ],
  values: [
    { name: 'bad', formula: '1 / status' },
    { name: 'worse', formula: 'bad + 1' },
    { name: 'good', kind: 'integer', formula: 'little << 1' },
  ],
  readings: [
    { name: 'Field', formula: 'status.high' },
    { name: 'Bad', formula: 'worse' },
    { name: 'Good', kind: 'integer', formula: 'good', divisor: 4, minimum: -10, maximum: 10 },
  ],
};

describe('a described chip', () => {
  it('is reached at the addresses that it lists and nowhere else', () => {
    const content = checked(draft);
    expect(describedChip(content, 0x5b).identify.transfers[0]?.address).toBe(0x5b);
    for (const address of [0x5c, 0, 0x7f, null]) {
      expect(() => describedChip(content, address)).toThrow(expect.objectContaining({ code: 'wrong-address' }));
    }
  });

  it('is identified by each of the values that its data sheet lists', () => {
    const content = checked({
      ...draft,
      identification: [{ register: 'id', value: 0x4100, others: [0x4101, 0x4203] }],
    });
    const { identify } = describedChip(content, 0x5a);
    const answers = [0x4100, 0x4101, 0x4203, 0x4202].map((id) => Uint8Array.of(id >> 8, id & 0xff));
    expect(answers.map((answer) => identify.value([answer]))).toEqual([
      'identified',
      'identified',
      'identified',
      'unlikely',
    ]);
  });

  it('gives no reading while a register that it needs holds its value after a reset', () => {
    const content = checked({
      ...draft,
      registers: [
        { name: 'raw', address: 0x20, width: 16, reset: 0x8000 },
        { name: 'level', address: 0x22, width: 8, reset: 0 },
      ],
      identification: [],
      init: [],
      values: [{ name: 'half', formula: 'raw / 2' }],
      readings: [
        { name: 'Half', formula: 'half' },
        { name: 'Level', formula: 'level' },
      ],
    });
    const cycle = describedChip(content, 0x5a).cycle(new Map());
    const results = (raw: number, level: number) =>
      cycle
        // Both registers are adjacent, so one transfer reads them.
        .value([Uint8Array.of(raw >> 8, raw & 0xff, level)])
        .map((result) => ('value' in result ? result.value : result.failure));
    expect(results(0x8000, 0)).toEqual(['not-measured', 0]);
    expect(results(0x8002, 7)).toEqual([0x4001, 7]);
  });

  it('gives no reading of a value after a reset on an SPI bus either', () => {
    const content = checked({
      name: 'T1',
      category: 'Sensors',
      bus: 'spi',
      registers: [{ name: 'raw', address: 0x20, width: 16, reset: 0x8000 }],
      readings: [{ name: 'Raw', formula: 'raw' }],
    });
    const { transfers, value } = describedChip(content, null).cycle(new Map());
    expect(transfers).toEqual([{ address: null, write: Uint8Array.of(0xa0), read: 2, delay: 0 }]);
    expect(value([Uint8Array.of(0x80, 0x00)])[0]).toMatchObject({ failure: 'not-measured' });
    expect(value([Uint8Array.of(0x80, 0x01)])[0]).toMatchObject({ value: 0x8001 });
  });

  it('knows whether it holds what sets it up', () => {
    const registers: ChipDraft['registers'] = [
      { name: 'id', address: 0x00 },
      { name: 'mode', address: 0x01, access: 'rw' },
      { name: 'start', address: 0x10, access: 'w' },
    ];
    const withInit = (init: ChipDraft['init']) => {
      const content = checked({ ...draft, registers, identification: [], values: [], readings: [], init });
      return describedChip(content, 0x5a).isInitialised;
    };
    const set = withInit([
      { register: 'mode', value: 1 },
      { register: 'start', value: 1 },
      { register: 'mode', value: 3 },
    ]);
    expect(set.transfers).toHaveLength(1);
    expect([3, 1, 0].map((held) => set.value([Uint8Array.of(held)]))).toEqual([true, false, false]);
    expect(withInit([{ bytes: 'AA' }]).value([])).toBeNull();
    expect(withInit([]).value([])).toBe(true);
  });

  it('is identified by its registers', () => {
    const { identify } = describedChip(checked(draft), 0x5a);
    expect(identify.transfers).toEqual([{ address: 0x5a, write: Uint8Array.of(0), read: 2, delay: 0 }]);
    expect(identify.value([Uint8Array.of(0x41, 0x99)])).toBe('identified');
    expect(identify.value([Uint8Array.of(0x42, 0x00)])).toBe('unlikely');
  });

  it('is set up by registers and by bytes', () => {
    expect(describedChip(checked(draft), 0x5a).initialise).toEqual([
      { address: 0x5a, write: Uint8Array.of(0x10, 1, 2, 3, 4), read: 0, delay: 0 },
      { address: 0x5a, write: Uint8Array.of(0xaa, 0xbb), read: 0, delay: 500 },
    ]);
  });

  it('reads what its readings need, and a failure takes one reading with it', () => {
    const cycle = describedChip(checked(draft), 0x5a).cycle(new Map());
    expect(cycle.transfers.map(({ write, read }) => [...write, read])).toEqual([
      [0x02, 1],
      [0x04, 3],
    ]);
    const results = cycle.value([Uint8Array.of(0), Uint8Array.of(0xfe, 0xff, 0xff)]);
    expect(results).toMatchObject([
      { value: 0, isOutside: false },
      { failure: 'division-by-zero' },
      { value: -1, isOutside: false },
    ]);
    expect(cycle.value([Uint8Array.of(0xf0), Uint8Array.of(0, 1, 0)])).toMatchObject([
      { value: 15 },
      { value: 1 / 240 + 1 },
      { value: 128, isOutside: true },
    ]);
  });

  it.each([
    ['too few', [Uint8Array.of(0)]],
    ['short', [Uint8Array.of(0), Uint8Array.of(0, 0)]],
    ['long', [Uint8Array.of(0, 0), Uint8Array.of(0, 0, 0)]],
  ])('refuses answers that are %s', (_case, answers) => {
    const cycle = describedChip(checked(draft), 0x5a).cycle(new Map());
    expect(() => cycle.value(answers)).toThrow(expect.objectContaining({ code: 'wrong-answer' }));
  });

  it('reads and writes single registers, as far as they allow it', () => {
    const chip = describedChip(checked(draft), 0x5a);
    expect(chip.read(['status', 'id', 'status']).value([Uint8Array.of(1, 2, 3)])).toEqual(
      new Map([
        ['id', 0x0102n],
        ['status', 3n],
      ]),
    );
    expect([...chip.write('little', -2n).write]).toEqual([0x04, 0xfe, 0xff, 0xff]);
    for (const refused of [() => chip.read(['start']), () => chip.write('id', 1n), () => chip.read(['__proto__'])]) {
      expect(refused).toThrow(expect.objectContaining({ code: 'not-described' }));
    }
  });
});

describe('any description', () => {
  const register = fc.record({
    address: fc.integer({ min: 0, max: 120 }),
    offset: fc.integer({ min: 0, max: 20 }),
    width: fc.constantFrom(8 as const, 16 as const, 24 as const, 32 as const),
    order: fc.constantFrom('big' as const, 'little' as const),
    signed: fc.boolean(),
    wait: fc.constantFrom(0, 0, 1_000),
  });
  const description = fc.record({
    increments: fc.boolean(),
    pointer: fc.constantFrom(8 as const, 16 as const),
    registers: fc.array(register, { minLength: 1, maxLength: 40 }),
  });
  /** Content of the chip: a byte for each address, and other bytes behind one address. */
  const byteAt = (address: number) => (address * 37 + 11) & 0xff;

  it('becomes short transfers to its own address, which read no byte that no register has', () => {
    fc.assert(
      fc.property(description, ({ increments, pointer, registers }) => {
        const named = registers.map((one, index) => ({
          ...one,
          name: `r${index}`,
          // In a sequence the byte behind an address is the next register.
          offset: increments ? 0 : one.offset,
        }));
        const content = checked({ ...draft, ...{ increments, pointer, registers: named }, ...none });
        const job = describedChip(content, 0x5a).read(named.map(({ name }) => name));
        let at = 0;
        const covered = new Set(
          named.flatMap(({ address, width }) => Array.from({ length: width / 8 }, (_, index) => address + index)),
        );
        const answers = job.transfers.map(({ address, write, read }) => {
          expect(address).toBe(0x5a);
          expect(Math.max(read, write.length)).toBeLessThanOrEqual(chipLimits.transferBytes);
          at = write.length === 0 ? at : write.reduce((sum, byte) => sum * 256 + byte, 0);
          const places = Array.from({ length: read }, (_, index) => at + index);
          if (increments) {
            expect(places.every((place) => covered.has(place))).toBe(true);
          }
          return Uint8Array.from(places, byteAt);
        });
        const values = job.value(answers);
        for (const { name, address, offset, width, order, signed } of named) {
          const bytes = Array.from({ length: width / 8 }, (_, index) => byteAt(address + offset + index));
          const high = order === 'little' ? bytes.toReversed() : bytes;
          const value = high.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
          expect(values.get(name)).toBe(signed ? BigInt.asIntN(width, value) : value);
        }
      }),
      { numRuns: 300 },
    );
  });

  const none = { identification: [], init: [], values: [], readings: [] };
});
