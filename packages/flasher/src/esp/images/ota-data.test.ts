import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildOtaData } from '../testing/esp-data.ts';
import { chooseOtaSlot, otaSlotToStart, readOtaData, readOtaEntries } from './ota-data.ts';

const choices = fc.record({
  slots: fc.integer({ min: 1, max: 16 }),
  first: fc.option(fc.integer({ min: 1, max: 200 }), { nil: null }),
  second: fc.option(fc.integer({ min: 1, max: 200 }), { nil: null }),
  slot: fc.nat(15),
});

/** Returns the partition after the sector was written. */
function after(bytes: Uint8Array, { sector }: ReturnType<typeof chooseOtaSlot>): Uint8Array {
  const next = bytes.slice();
  next.set(sector.bytes, sector.offset);
  return next;
}

describe('OTA data', () => {
  it('start the chosen slot, whatever they were before', () => {
    fc.assert(
      fc.property(choices, ({ slots, first, second, slot }) => {
        const bytes = buildOtaData(first, second);
        const data = readOtaData(after(bytes, chooseOtaSlot(bytes, slot % slots, slots)));
        expect(data === null ? null : otaSlotToStart(data, slots)).toBe(slot % slots);
      }),
    );
  });

  it('start the slot from before while the sector is erased or half written', () => {
    fc.assert(
      fc.property(choices, fc.nat(4_095), ({ slots, first, second, slot }, cut) => {
        const bytes = buildOtaData(first, second);
        const { sector } = chooseOtaSlot(bytes, slot % slots, slots);
        const torn = bytes.slice().fill(0xff, sector.offset, sector.offset + 0x1000);
        const before = readOtaData(bytes);
        expect(readOtaData(torn)).toEqual(before);
        torn.set(sector.bytes.subarray(0, cut), sector.offset);
        const seen = readOtaData(torn);
        expect([before?.sequence, chooseOtaSlot(bytes, slot % slots, slots).sequence]).toContain(seen?.sequence);
      }),
    );
  });

  it('give an entry the form that the program itself writes', () => {
    const { before, sequence, sector } = chooseOtaSlot(buildOtaData(5, 4), 1, 2);
    expect([before, sequence, sector.offset]).toEqual([5, 6, 0x1000]);
    expect(sector.bytes).toEqual(buildOtaData(null, 6).subarray(0x1000));
  });

  it('tell the state and the checksum of each entry', () => {
    const bytes = buildOtaData(7, 8, 2);
    bytes[0x1000 + 28] = 0;
    expect(readOtaEntries(bytes)).toEqual([
      { sequence: 7, state: 'valid', isCrcValid: true, isUsable: true },
      { sequence: 8, state: 'valid', isCrcValid: false, isUsable: false },
    ]);
    expect(readOtaEntries(buildOtaData(null, 9, 3))).toEqual([
      null,
      { sequence: 9, state: 'invalid', isCrcValid: true, isUsable: false },
    ]);
  });
});
