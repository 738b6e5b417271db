import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildOtaData } from '../testing/esp-data.ts';
import { chooseOtaSlot, type OtaChoice, otaSlotOfSequence, readOtaEntries, selectOtaEntry } from './ota-data.ts';

const sequences = fc.oneof(
  fc.integer({ min: 0, max: 200 }),
  fc.integer({ min: 0xffff_ff00, max: 0xffff_fffe }),
  fc.constant(null),
);
const states = fc.constantFrom(0, 1, 2, 3, 4, 0xffff_ffff);
const choices = fc.record({
  slots: fc.integer({ min: 1, max: 16 }),
  first: sequences,
  second: sequences,
  state: states,
  slot: fc.nat(15),
});

/** Returns the partition after the sector was written. */
function after(bytes: Uint8Array, { sector, erase }: OtaChoice): Uint8Array {
  const next = bytes.slice();
  if (erase !== null) {
    next.fill(0xff, erase.offset, erase.offset + erase.length);
  }
  next.set(sector.bytes, sector.offset);
  return next;
}

/** Returns the slot that starts; null if no entry counts. */
function slotOf(bytes: Uint8Array, slots: number, rollback: boolean): number | null {
  const selected = selectOtaEntry(readOtaEntries(bytes), rollback);
  return typeof selected === 'string' ? null : otaSlotOfSequence(selected.entry.sequence, slots);
}

describe('OTA data', () => {
  it('start the chosen slot, whatever they were before, with and without rollback', () => {
    fc.assert(
      fc.property(choices, ({ slots, first, second, state, slot }) => {
        const bytes = buildOtaData(first, second, state);
        const next = after(bytes, chooseOtaSlot(readOtaEntries(bytes), slot % slots, slots));
        expect([slotOf(next, slots, true), slotOf(next, slots, false)]).toEqual([slot % slots, slot % slots]);
      }),
    );
  });

  it('start the slot from before while the sector is erased or half written', () => {
    fc.assert(
      fc.property(choices, fc.nat(4_095), ({ slots, first, second, state, slot }, cut) => {
        const bytes = buildOtaData(first, second, state);
        const choice = chooseOtaSlot(readOtaEntries(bytes), slot % slots, slots);
        fc.pre(choice.erase === null);
        const { sector } = choice;
        const torn = bytes.slice().fill(0xff, sector.offset, sector.offset + 0x1000);
        const before = slotOf(bytes, slots, true);
        expect(slotOf(torn, slots, true)).toBe(before);
        torn.set(sector.bytes.subarray(0, cut), sector.offset);
        expect([before, slot % slots]).toContain(slotOf(torn, slots, true));
      }),
    );
  });

  it('are read from any bytes without a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 0x1040 }), fc.boolean(), (bytes, rollback) => {
        const entries = readOtaEntries(bytes);
        const selected = selectOtaEntry(entries, rollback);
        expect(typeof selected === 'string' || entries[selected.index] === selected.entry).toBe(true);
      }),
    );
  });

  it('give an entry the form that the program itself writes', () => {
    const { before, sequence, sector, erase } = chooseOtaSlot(readOtaEntries(buildOtaData(5, 4)), 1, 2);
    expect([before, sequence, sector.offset, erase]).toEqual([5, 6, 0x1000, null]);
    expect(sector.bytes).toEqual(buildOtaData(null, 6).subarray(0x1000));
  });

  it('get the new choice in the place of an app that was not confirmed', () => {
    const bytes = buildOtaData(1, 2, 2);
    bytes[0x1000 + 24] = 1;
    expect(chooseOtaSlot(readOtaEntries(bytes), 1, 2)).toMatchObject({ sequence: 2, sector: { offset: 0x1000 } });
  });

  it('begin again when no higher number is left', () => {
    const choice = chooseOtaSlot(readOtaEntries(buildOtaData(0xffff_fffe, 3)), 1, 2);
    expect(choice).toMatchObject({ sequence: 2, sector: { offset: 0 }, erase: { offset: 0x1000, length: 0x1000 } });
  });

  it('tell the state and the checksum of each entry', () => {
    const bytes = buildOtaData(7, 8, 2);
    bytes[0x1000 + 28] = 0;
    expect(readOtaEntries(bytes)).toEqual([
      { sequence: 7, state: 'valid', isCrcValid: true },
      { sequence: 8, state: 'valid', isCrcValid: false },
    ]);
    expect(readOtaEntries(buildOtaData(null, 9, 3))).toEqual([
      null,
      { sequence: 9, state: 'invalid', isCrcValid: true },
    ]);
  });
});
