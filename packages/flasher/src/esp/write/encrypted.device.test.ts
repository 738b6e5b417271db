import { beforeAll, describe, expect, it } from 'vitest';
import type { FlashRegion } from '../../core/region.ts';
import { program } from '../../testing/program.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const security = { flashEncryption: 'development' } as const;
const image = program(70_010);
const data = program(5_000).map((byte) => byte ^ 0x55);
const regions: readonly FlashRegion[] = [
  { offset: 0x1_0000, bytes: image.subarray(0, 65_536), encrypted: true },
  { offset: 0x2_0000, bytes: image.subarray(65_536), encrypted: true },
  { offset: 0x2_2000, bytes: data },
];

describe.each([
  ['esp32', true],
  ['esp32s3', true],
  ['esp32c3', false],
] as const)('flash encryption of a simulated %s, with stub %s', (chip, stub) => {
  it('encrypts the marked regions, leaves the others plain, and claims no more than it knows', async () => {
    const rig = new EspRig({ chip, security });
    const board = await rig.connect({ stub });
    const report = await rig.run(board.write(regions, { secured: true }));
    expect(report).toMatchObject({
      state: 'unverified',
      written: image.length + data.length,
      same: 0,
      regions: [
        { offset: 0x1_0000, outcome: 'unverified', proof: null },
        { offset: 0x2_0000, outcome: 'unverified', proof: null },
        { offset: 0x2_2000, outcome: 'verified' },
      ],
    });
    expect(rig.flash(0x2_2000, data.length)).toEqual(data);
    expect(rig.flash(0x1_0000, image.length)).not.toEqual(image);
    expect(rig.device.decrypted(0x1_0000, image.length)).toEqual(image);
    // A second write compares only what is plain.
    expect(await rig.run(board.write(regions, { secured: true }))).toMatchObject({
      same: data.length,
      written: image.length,
    });
    await rig.run(board.close());
  });
});

describe('the ROM of an ESP32', () => {
  it('cannot encrypt, so nothing is written', async () => {
    const rig = new EspRig({ chip: 'esp32', security });
    const board = await rig.connect({ stub: false });
    await expect(rig.run(board.write(regions, { secured: true }))).rejects.toMatchObject({
      code: 'not-in-rom',
      state: 'unchanged',
    });
    await rig.run(board.close());
  });
});

describe('an encrypted write', () => {
  it('is sent again from the start of its run after a damaged block', async () => {
    const rig = new EspRig({ chip: 'esp32s3', security, faults: [{ at: 'flash-data', kind: 'drop-answer', nth: 2 }] });
    const board = await rig.connect();
    const report = await rig.run(board.write(regions, { secured: true }));
    expect(report.state).toBe('unverified');
    expect(report.repeated).toBeGreaterThan(0);
    expect(rig.device.decrypted(0x1_0000, image.length)).toEqual(image);
    await rig.run(board.close());
  });
});
