/** Flash that takes as long as the data sheet allows. A busy part must not count as silent. */
import { stmPartNames, stmUsbPartNames } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { stmEntries } from '../an3155/entry.ts';
import { eraseAllLimit, eraseLimit, writeLimit } from '../deadlines.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmBoard } from '../stm-board.ts';
import { StmRig, StmUsbRig } from '../testing/stm-rig.ts';

const content = [{ address: flashStart, data: noise(9_000) }];
const image = noise(6_000, 5);
const regions = [{ offset: flashStart, bytes: image }];

/** Writes, erases a sector, erases everything; nothing may fail or be repeated. */
async function useSlow(rig: StmRig | StmUsbRig, board: StmBoard): Promise<void> {
  expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete', repeated: 0 });
  expect(rig.flash(0, image.length)).toEqual(image);
  const last = board.info.sectors.at(-1);
  await rig.run(board.erase([{ offset: last?.offset ?? flashStart, length: 1 }]));
  const begun = board.info.erasedValue;
  await rig.run(board.erase(null));
  expect(rig.flash(0, image.length).every((byte) => byte === begun)).toBe(true);
}

describe('flash as slow as a data sheet allows', () => {
  it.each(stmPartNames)('is written and erased over a UART: %s', async (part) => {
    const rig = new StmRig({ part, profile: 'slow-flash', content });
    await useSlow(rig, await rig.connect());
  });

  it.each(stmUsbPartNames)('is written and erased over USB: %s', async (part) => {
    const rig = new StmUsbRig({ part, profile: 'slow-flash', content });
    await useSlow(rig, await rig.connect());
  });

  it('is waited for when an erase is cancelled on a board that nothing resets', async () => {
    const uart = new StmRig({
      part: 'stm32h743',
      profile: 'slow-flash',
      content,
      wiring: 'by-hand',
      powerUp: 'bootloader',
    });
    const usb = new StmUsbRig({ part: 'stm32h743', profile: 'slow-flash', content });
    for (const rig of [uart, usb]) {
      const board = await (rig === uart ? uart.connect({ entry: stmEntries.manual }) : usb.connect());
      const abort = new AbortController();
      const erase = board.erase([{ offset: flashStart, length: 0x4_0000 }], { signal: abort.signal });
      const ended = erase.catch((error: unknown) => error);
      await rig.clock.advance(500);
      abort.abort();
      expect(await rig.run(ended)).toMatchObject({ code: 'cancelled' });
      expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete', repeated: 0 });
    }
  });
});

describe('a deadline', () => {
  it('grows with what a command erases or writes', () => {
    const kib = 1_024;
    expect(eraseLimit([2 * kib])).toBe(5_000);
    expect(eraseLimit([2 * kib, 2 * kib])).toBe(5_100);
    expect(eraseLimit([256 * kib])).toBe(9_000);
    expect(eraseAllLimit(64 * kib)).toBe(35_000);
    expect(eraseAllLimit(2_048 * kib)).toBe(67_000);
    expect(eraseAllLimit(0)).toBe(67_000);
    expect(writeLimit(2 * kib)).toBeGreaterThan(512 * 3.94 + 900);
  });
});
