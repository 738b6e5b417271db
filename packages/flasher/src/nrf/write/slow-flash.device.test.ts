/** Flash that takes as long as the Product Specification allows. A busy board must not count as silent. */
import { type NrfBoardName, nrfFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { createLimit, firstChunkLimit } from '../deadlines.ts';
import { readNrfFirmware } from '../package/read-firmware.ts';
import { NrfRig } from '../testing/nrf-rig.ts';

const SIZE = 40_960;
const boards: readonly NrfBoardName[] = [
  'nrf52832-secure',
  'nrf52840-secure',
  'nrf52840-mcuboot',
  'nrf52840-mcuboot-usb',
  'feather-nrf52832',
  'feather-nrf52840',
];

describe('flash as slow as a data sheet allows', () => {
  it.each(boards)('is written at once: %s', async (name) => {
    const rig = new NrfRig({ board: name, profile: 'slow-flash' });
    const made = nrfFirmware({ board: name, size: SIZE });
    const board = await rig.connect();
    const report = await rig.run(board.write(await readNrfFirmware(made.name, made.bytes)));
    expect(report).toMatchObject({ same: 0, repeated: 0 });
    await rig.clock.advance(2_000);
    expect(rig.holds(made.image)).toBe(true);
  });
});

describe('a deadline', () => {
  it('grows with what is erased', () => {
    expect(createLimit(4_096)).toBeCloseTo(3_089.7);
    expect(createLimit(65_536)).toBeGreaterThan(3_000 + 16 * 89);
    expect(firstChunkLimit(256 * 1_024)).toBe(30_000);
    expect(firstChunkLimit(4_096 * 1_024)).toBeGreaterThan(64 * 2_000);
  });
});
