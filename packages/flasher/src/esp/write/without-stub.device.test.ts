import type { EspFault } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { type FlashRegion, splitIntoRegions } from '../../core/region.ts';
import { program } from '../../testing/program.ts';
import { chipNames } from '../chips/chip-facts.ts';
import { ops } from '../protocol/commands.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

function fullRig(chip: 'esp32' | 'esp8266') {
  const rig = new EspRig({ chip });
  const { flash } = rig.device as unknown as { flash: { size: number; preload(at: number, data: Uint8Array): void } };
  const before = program(flash.size, 3);
  flash.preload(0, before);
  return { rig, before, preload: (at: number, data: Uint8Array) => flash.preload(at, data) };
}

/** Returns the expected flash: `regions` written and nothing else changed. */
function expected(before: Uint8Array, regions: readonly FlashRegion[]) {
  const after = before.slice();
  for (const { offset, bytes } of regions) {
    after.fill(0xff, offset, Math.ceil((offset + bytes.length) / 4_096) * 4_096);
    after.set(bytes, offset);
  }
  return after;
}

/** Returns an index, so that a failure does not print two megabytes. */
function firstDifference(one: Uint8Array, other: Uint8Array): number {
  return one.findIndex((byte, index) => byte !== other[index]);
}

describe('writing without the stub', () => {
  it('sends plain data to every chip whose ROM was not seen to inflate exactly', async () => {
    for (const chip of chipNames) {
      const rig = new EspRig({ chip });
      const board = await rig.connect({ stub: false });
      await rig.run(board.write([{ offset: 0x8000, bytes: program(0x2000) }]));
      expect([chip, rig.device.commands.has(ops.deflBegin)]).toEqual([chip, chip === 'esp32c3']);
    }
  });

  it('leaves alone what is beside a byte that changed', async () => {
    const { rig, before } = fullRig('esp32');
    const board = await rig.connect({ stub: false });
    const regions = [
      { offset: 0x8000, bytes: program(0xc00) },
      { offset: 0xe000, bytes: program(0x2000) },
      { offset: rig.device.flash.size - 0x1000, bytes: program(0x1000) },
    ];
    expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete' });
    expect(firstDifference(rig.flash(0, before.length), expected(before, regions))).toBe(-1);
  });

  it('never reports success when flash beside it has changed', async () => {
    for (const at of [0x7000, 0x9000, 0x1_0ffc]) {
      const { rig, preload } = fullRig('esp32');
      const board = await rig.connect({ stub: false });
      const onEvent = (event: WriteEvent) => {
        if (event.type === 'region') {
          preload(at, Uint8Array.of(0x12, 0x34, 0x56));
        }
      };
      const write = board.write([{ offset: 0x8000, bytes: program(0xc00) }], { onEvent });
      await expect(rig.run(write)).rejects.toMatchObject({
        code: 'neighbour-changed',
        state: 'damaged',
        detail: expect.stringContaining(at < 0x8000 ? '0x0 to 0x7FFF' : '0x9000 to 0x10FFF'),
      });
    }
  });

  it('also looks at files that were the same and lie beside one that is written', async () => {
    const { rig, preload } = fullRig('esp32');
    const board = await rig.connect({ stub: false });
    const table = { offset: 0x8000, bytes: program(0xc00) };
    preload(table.offset, table.bytes);
    const damaged = (event: WriteEvent) => {
      if (event.type === 'region' && event.outcome === 'verified') {
        preload(0x8000, Uint8Array.of(0));
      }
    };
    const write = board.write([table, { offset: 0x9000, bytes: program(0x1000) }], { onEvent: damaged });
    await expect(rig.run(write)).rejects.toMatchObject({ code: 'neighbour-changed' });
  });

  it('tells a ROM in Secure Download Mode the size of flash again after it was reset', async () => {
    const faults: EspFault[] = [{ at: 'flash-data', kind: 'hang', nth: 3 }];
    const rig = new EspRig({ chip: 'esp32c6', security: { secureDownload: true }, faults });
    const board = await rig.connect();
    const bytes = program(10_000);
    const report = await rig.run(board.write([{ offset: 0x30_0000, bytes }]));
    expect(report).toMatchObject({ state: 'unverified', repeated: 1 });
    expect(rig.flash(0x30_0000, bytes.length)).toEqual(bytes);
  });
});

describe('writing an ESP8266 without the stub', () => {
  it('erases no sector beside a region of an odd number of them', async () => {
    for (const sectors of [2, 3, 5, 17, 31]) {
      const { rig, before } = fullRig('esp8266');
      const board = await rig.connect({ stub: false });
      const regions = splitIntoRegions(0x1_2000, program(sectors * 4_096 - 10), 0x1_0000);
      await rig.run(board.write(regions));
      const wrong = firstDifference(rig.flash(0, before.length), expected(before, regions));
      expect([sectors, wrong]).toEqual([sectors, -1]);
    }
  });

  it('refuses a single sector, which it cannot erase without the one behind it', async () => {
    const { rig, before } = fullRig('esp8266');
    const board = await rig.connect({ stub: false });
    const settings = { offset: 0x1_2000, bytes: program(128) };
    await expect(rig.run(board.write([settings]))).rejects.toMatchObject({
      code: 'not-in-rom',
      state: 'unchanged',
      detail: expect.stringContaining('0x13000'),
    });
    expect(firstDifference(rig.flash(0, before.length), before)).toBe(-1);
    const both = [settings, { offset: 0x1_3000, bytes: program(3 * 4_096) }];
    await rig.run(board.write(both));
    expect(firstDifference(rig.flash(0, before.length), expected(before, both))).toBe(-1);
  });

  it('never goes backwards or beyond the whole in what it reports', async () => {
    const rig = new EspRig({ chip: 'esp8266' });
    const board = await rig.connect({ stub: false });
    const done: number[] = [];
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress') {
        done.push(event.done);
      }
    };
    await rig.run(board.write([{ offset: 0, bytes: program(3 * 4_096) }], { onEvent }));
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(done.at(-1)).toBe(3 * 4_096);
  });
});
