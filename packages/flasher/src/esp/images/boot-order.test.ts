import { describe, expect, it } from 'vitest';
import { appSubtype, bootVectors } from '../../../../devices/src/esp/testing/boot-choices.ts';
import { bootTable, otaBytes } from '../testing/boot-states.ts';
import { bootOrder } from './boot-order.ts';
import { readOtaEntries } from './ota-data.ts';
import { readPartitionTable } from './partition-table.ts';

const subtypes = (slots: number, hasFactory: boolean, entries = otaBytes([null, null]), rollback = true) =>
  bootOrder({
    partitions: readPartitionTable(bootTable(slots, hasFactory)).partitions,
    entries: readOtaEntries(entries),
    rollback,
  }).map(({ subtype }) => subtype);

describe('the order in which a bootloader tries apps', () => {
  it.each(bootVectors)('begins as documented: $when', ({ slots, hasFactory, entries, withRollback, without }) => {
    const firstWith = (rollback: boolean) => subtypes(slots, hasFactory, otaBytes(entries), rollback)[0];
    expect([firstWith(true), firstWith(false)]).toEqual([appSubtype(withRollback), appSubtype(without)]);
  });

  it('goes down from the chosen slot to the factory app, then up', () => {
    expect(subtypes(4, true, otaBytes([[2, 'valid', true], null]))).toEqual([0x11, 0x10, 0x00, 0x12, 0x13]);
    expect(subtypes(3, false)).toEqual([0x10, 0x11, 0x12]);
  });

  it('leaves out slots that the table numbers too high, and ends with the test app', () => {
    const app = { type: 0, size: 0x10000, encrypted: false, readOnly: false };
    const partitions = [
      { ...app, name: 'test', subtype: 0x20, offset: 0x10000 },
      { ...app, name: 'ota_1', subtype: 0x11, offset: 0x20000 },
    ];
    expect(bootOrder({ partitions, entries: [null, null] }).map(({ name }) => name)).toEqual(['test']);
  });

  it('is empty if the OTA data are smaller than two sectors', () => {
    const { partitions } = readPartitionTable(bootTable(2, true));
    const cut = partitions.map((one) => (one.name === 'otadata' ? { ...one, size: 0x1000 } : one));
    expect(bootOrder({ partitions: cut, entries: [null, null] })).toEqual([]);
  });
});
