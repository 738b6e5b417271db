import { md5 } from '@wirebench/flasher/core';
import { chooseOtaSlot, otaSlotOfSequence, parsePartitionCsv, readOtaEntries } from '@wirebench/flasher/esp';
import { describe, expect, it } from 'vitest';
import { testBoard } from '../../../../testing/families.ts';
import { planSlot, slotFault } from './otadata-view.tsx';

const [otadata, factory, first, second] = parsePartitionCsv(`
otadata,data,ota,,8K
factory,app,factory,,1M
ota_0,app,ota_0,,1M
ota_1,app,ota_1,,1M`) as [never, never, never, never];

const contents = new Uint8Array(0x2000).fill(0xff);
contents.set(chooseOtaSlot([null, null], 0, 2).sector.bytes, 0);
const choice = {
  partition: otadata,
  contents,
  md5: md5(contents),
  app: 'weather-node 1.3.1',
  slots: 2,
  before: 'ota_0',
};

describe('a planned slot', () => {
  it('writes one sector and leaves the copy that counts now', () => {
    const planned = planSlot({ ...choice, slot: second });
    expect(planned).toMatchObject({
      title: 'Start ota_1: weather-node 1.3.1',
      entries: ['starts ota_0 → ota_1', 'sequence 1 → 2'],
      draft: { slot: 1 },
    });
    const { writes, erases, basis } = planned.change;
    expect([erases, basis, writes.map(({ offset, bytes }) => [offset, bytes.length])]).toEqual([
      [],
      choice.md5,
      [[0xa000, 0x1000]],
    ]);
    const after = contents.slice();
    after.set(writes[0]?.bytes ?? [], 0x1000);
    expect(readOtaEntries(after).map((entry) => entry && otaSlotOfSequence(entry.sequence, 2))).toEqual([0, 1]);
    expect(readOtaEntries(after).map((entry) => entry?.sequence)).toEqual([1, 2]);
  });

  it('erases both copies for the factory app, the current one last', () => {
    const { change } = planSlot({ ...choice, slot: factory });
    expect(change.erases).toEqual([
      { offset: 0xa000, length: 0x1000 },
      { offset: 0x9000, length: 0x1000 },
    ]);
  });
});

describe('a slot that would not start', () => {
  const board = testBoard();
  const image = { chip: 'esp32' } as never;
  it.each([
    ['none' as const, 'ota_0 holds no app.'],
    [{ image, faults: ['image-hash'] as const, app: null }, 'its SHA-256 does not match'],
    [{ image: { chip: 'esp32s3' } as never, faults: [], app: null }, 'was built for ESP32-S3'],
    [{ image, faults: [], app: null }, null],
  ])('says why', (check, sentence) => {
    const fault = slotFault(check, first, board);
    expect(sentence === null ? fault : fault?.includes(sentence)).toBe(sentence === null ? null : true);
  });
});
