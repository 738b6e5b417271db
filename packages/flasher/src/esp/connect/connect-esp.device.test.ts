import type { EspChipName, EspDeviceOptions } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitIntoRegions } from '../../core/region.ts';
import { program } from '../../testing/program.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const chips: readonly (readonly [EspChipName, ChipName, Partial<EspDeviceOptions>])[] = [
  ['esp8266', 'esp8266', {}],
  ['esp8285', 'esp8266', {}],
  ['esp32', 'esp32', {}],
  ['esp32', 'esp32', { crystal: 26 }],
  ['esp32', 'esp32', { stub: 'legacy' }],
  ['esp32s2', 'esp32s2', {}],
  ['esp32s3', 'esp32s3', {}],
  ['esp32s3', 'esp32s3', { connection: 'usb-jtag' }],
  ['esp32c2', 'esp32c2', {}],
  ['esp32c2', 'esp32c2', { crystal: 40 }],
  ['esp32c3', 'esp32c3', {}],
  ['esp32c3', 'esp32c3', { connection: 'usb-jtag' }],
  ['esp32c5', 'esp32c5', {}],
  ['esp32c5', 'esp32c5', { crystal: 40, connection: 'usb-jtag' }],
  ['esp32c6', 'esp32c6', {}],
  ['esp32c6', 'esp32c6', { connection: 'usb-jtag' }],
  ['esp32c61', 'esp32c61', {}],
  ['esp32h2', 'esp32h2', {}],
  ['esp32h2', 'esp32h2', { connection: 'usb-jtag' }],
  ['esp32h4', 'esp32h4', {}],
  ['esp32h4', 'esp32h4', { connection: 'usb-jtag' }],
  ['esp32p4', 'esp32p4', {}],
  ['esp32p4', 'esp32p4', { revision: { major: 3, minor: 1 } }],
];

describe.each(chips)('%s as %s %o', (chip, name, options) => {
  it('is identified, written, verified, read back and started', async () => {
    const rig = new EspRig({ chip, ...options });
    const board = await rig.connect();
    expect(board.info).toMatchObject({
      chip: name,
      mac: rig.device.mac.toLowerCase(),
      flash: { manufacturer: 0xc8, manufacturerName: 'GigaDevice', size: rig.device.flash.size },
      security: { secureDownload: false },
      link: options.connection === 'usb-jtag' ? 'usb-serial-jtag' : 'uart',
    });
    expect(board.runsStub).toBe(true);
    if (options.connection !== 'usb-jtag') {
      expect(board.baudRate).toBe(921_600);
      expect(options.crystal ?? board.info.crystal).toBe(board.info.crystal);
    }
    const image = program(150_000);
    const report = await rig.run(board.write(splitIntoRegions(0x1_0000, image)));
    expect(report).toMatchObject({ state: 'complete', written: image.length, same: 0, repeated: 0 });
    expect(rig.flash(0x1_0000, image.length)).toEqual(image);
    expect(await rig.run(board.read({ offset: 0x1_0000, length: 10_000 }))).toEqual(image.subarray(0, 10_000));
    await rig.run(board.restart());
    await rig.clock.advance(100);
    expect(['booting', 'boot-loop', 'running']).toContain(rig.device.state);
    await rig.run(board.close());
  });

  it('is written and verified without the stub', async () => {
    const rig = new EspRig({ chip, ...options });
    const board = await rig.connect({ stub: false });
    expect(board.runsStub).toBe(false);
    expect(rig.notices).toContainEqual({ kind: 'without-stub', reason: 'chosen' });
    const image = program(70_000);
    const report = await rig.run(board.write(splitIntoRegions(0x1_0000, image, 0x1_0000)));
    expect(rig.flash(0x1_0000, image.length)).toEqual(image);
    // The ESP8266's ROM has no hash command, so these regions stay unverified.
    expect(report.state).toBe(name === 'esp8266' ? 'unverified' : 'complete');
    expect(report.regions.map(({ outcome }) => outcome)).toEqual(
      name === 'esp8266' ? ['unverified', 'unverified'] : ['verified', 'verified'],
    );
    await rig.run(board.close());
  });
});

describe.each(['uart', 'usb-jtag'] as const)('an ESP32-H21 on %s', (connection) => {
  it('is identified, written, verified, read back and started by its ROM: there is no stub for it', async () => {
    const rig = new EspRig({ chip: 'esp32h21', connection });
    const board = await rig.connect();
    expect(board.info).toMatchObject({
      chip: 'esp32h21',
      model: 'ESP32-H21',
      revision: null,
      mac: rig.device.mac.toLowerCase(),
      crystal: 32,
      flash: { manufacturer: 0xc8, size: rig.device.flash.size },
    });
    expect(board.runsStub).toBe(false);
    expect(rig.notices).toContainEqual({ kind: 'without-stub', reason: 'chip-revision' });
    const image = program(70_000);
    const report = await rig.run(board.write(splitIntoRegions(0x1_0000, image, 0x1_0000)));
    expect(report).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
    expect(rig.flash(0x1_0000, image.length)).toEqual(image);
    expect(rig.flash(0, 0x1_0000).every((byte) => byte === 0xff)).toBe(true);
    await rig.run(board.restart());
    await rig.clock.advance(100);
    expect(['booting', 'boot-loop', 'running']).toContain(rig.device.state);
    await rig.run(board.close());
  });
});

describe('an ESP32-C2 of the first revision', () => {
  it('is written without the stub, which does not run on it', async () => {
    const rig = new EspRig({ chip: 'esp32c2', revision: { major: 0, minor: 0 } });
    const board = await rig.connect();
    expect(rig.notices).toContainEqual({ kind: 'without-stub', reason: 'chip-revision' });
    const image = program(9_000);
    await rig.run(board.write([{ offset: 0, bytes: image }]));
    expect(rig.flash(0, image.length)).toEqual(image);
  });
});

describe('an ESP whose eFuses cannot be read', () => {
  it.each(['00:00:00:00:00:00', 'FF:FF:FF:FF:FF:FF'])('has no MAC address instead of %s', async (mac) => {
    const rig = new EspRig({ chip: 'esp32c3', mac });
    const board = await rig.connect();
    expect(board.info).toMatchObject({ chip: 'esp32c3', mac: null });
    await rig.run(board.close());
  });
});
