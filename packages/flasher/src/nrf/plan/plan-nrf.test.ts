import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { buildApp } from '../../esp/testing/esp-images.ts';
import { noise } from '../../testing/program.ts';
import type { NrfInfo, NrfSlot } from '../nrf-board.ts';
import type { NrfFirmware } from '../package/nrf-firmware.ts';
import { readNrfFirmware } from '../package/read-firmware.ts';
import { initPacketOf, legacyPackage, mcubootImageOf, securePackage, zipOf } from '../testing/packages.ts';
import { planNrf } from './plan-nrf.ts';

const image = noise(40_000);
const secure = (fields = {}) => readNrfFirmware('app.zip', securePackage(image, fields));

const slot = (name: string, version: string, hash: string | null = null): NrfSlot => ({
  name,
  version,
  hash,
  state: [],
  imageNumber: 0,
  address: null,
  length: null,
});

const secureBoard: NrfInfo = {
  bootloader: 'secure-dfu',
  link: 'uart',
  part: 'nRF52840',
  flashSize: 1_048_576,
  ramSize: 262_144,
  slots: [slot('bootloader', '1'), slot('application', '3')],
  room: 900_000,
  canTest: false,
  unfinished: null,
};
const legacyBoard: NrfInfo = { ...secureBoard, bootloader: 'adafruit-dfu', part: null, slots: [], room: null };
const mcubootBoard: NrfInfo = { ...secureBoard, bootloader: 'mcuboot', part: null, slots: [], room: 100_000 };

const codes = (firmware: NrfFirmware, info: NrfInfo | null, options = {}) => {
  const { refusals, warnings } = planNrf(firmware, info, options);
  return { refusals: refusals.map(({ code }) => code), warnings: warnings.map(({ code }) => code) };
};

describe('the plan for a Nordic board', () => {
  it('reports bytes and time, without warnings, for firmware that fits', async () => {
    const plan = planNrf(await secure({ firmwareVersion: 4 }), secureBoard);
    expect(plan).toMatchObject({ refusals: [], warnings: [], bytes: 40_000 });
    // 40,000 bytes at 11,520 bytes per second, and ten pages of flash.
    expect(plan.time).toBeGreaterThan(4_000);
    expect(plan.time).toBeLessThan(6_000);
    expect(planNrf(await secure(), secureBoard, { baudRate: null }).time).toBeLessThan(plan.time);
  });

  it('refuses a package for another bootloader first', async () => {
    expect(codes(await secure(), mcubootBoard)).toEqual({ refusals: ['wrong-bootloader'], warnings: [] });
    const { refusals } = planNrf(await secure(), legacyBoard);
    expect(refusals[0]?.what).toBe(
      "This is for the secure bootloader of the nRF5 SDK. The board has Adafruit's bootloader.",
    );
  });

  it('refuses firmware for another series, and warns if the board does not report its own', async () => {
    expect(codes(await secure({ firmwareVersion: 4, hardwareVersion: 51 }), secureBoard).refusals).toEqual([
      'wrong-hardware',
    ]);
    expect(codes(await secure({ firmwareVersion: 4, hardwareVersion: 7 }), secureBoard).refusals).toEqual([]);
    const silent = { ...secureBoard, part: null };
    expect(codes(await secure({ firmwareVersion: 4 }), silent).warnings).toEqual(['hardware-not-known']);
  });

  it('refuses another board than that of the release, unless it is overridden', async () => {
    const firmware = await secure({ firmwareVersion: 4 });
    const guard = { model: 'nrf52833', flashSize: 2_097_152 };
    expect(planNrf(firmware, secureBoard, { guard }).refusals).toMatchObject([
      { code: 'guard-model', what: 'This firmware is meant for nRF52833. This board has nRF52840.', overridable: true },
      {
        code: 'guard-flash',
        what: 'This firmware is meant for boards with at least 2 MB of flash. This board has 1 MB.',
        overridable: true,
      },
    ]);
    expect(codes(firmware, secureBoard, { guard, overrides: ['guard-model', 'guard-flash'] }).refusals).toEqual([]);
    expect(codes(firmware, secureBoard, { guard: { model: 'nrf52', flashSize: 1_048_576 } }).refusals).toEqual([]);
    const silent = { ...secureBoard, part: null, flashSize: null };
    expect(codes(firmware, silent, { guard }).refusals).toEqual([]);
  });

  it('refuses an application whose SoftDevice the board reports as missing', async () => {
    const needy = await secure({ firmwareVersion: 4, softdevices: [0x100, 0x101] });
    const withSlot = (version: string) => ({
      ...secureBoard,
      slots: [...secureBoard.slots, slot('softdevice', version)],
    });
    expect(codes(needy, withSlot('257')).refusals).toEqual([]);
    expect(codes(needy, withSlot('258')).refusals).toEqual(['wrong-softdevice']);
    expect(planNrf(needy, secureBoard).refusals[0]?.what).toBe(
      '"app.bin" runs with SoftDevice S140 7.2.0 (0x0100) or S132 7.2.0 (0x0101). The board has none.',
    );
    expect(planNrf(needy, withSlot('2457')).refusals[0]?.what).toContain(
      'The board has 0x0999 (not in the published list of 2023-01-16).',
    );
    expect(codes(needy, { ...secureBoard, slots: [] }).refusals).toEqual([]);
  });

  it('refuses firmware larger than the room that the board reports', async () => {
    const plan = planNrf(await secure({ firmwareVersion: 4 }), { ...secureBoard, room: 39_999 });
    expect(plan.refusals).toMatchObject([
      { code: 'too-large', files: ['app.bin'], overridable: false, what: expect.stringContaining('39,999 bytes') },
    ]);
    const mcuboot = await readNrfFirmware('a.bin', mcubootImageOf(noise(100_000)));
    expect(codes(mcuboot, mcubootBoard).refusals).toEqual(['too-large']);
  });

  it('warns of a lower and of the same version', async () => {
    expect(codes(await secure({ firmwareVersion: 2 }), secureBoard).warnings).toEqual(['downgrade']);
    expect(codes(await secure({ firmwareVersion: 3 }), secureBoard).warnings).toEqual(['same-version']);
    const board = { ...mcubootBoard, slots: [slot('slot 0', '1.2.4')] };
    const mcuboot = await readNrfFirmware('a.bin', mcubootImageOf(image));
    expect(codes(mcuboot, board).warnings).toEqual(['downgrade']);
    expect(codes(mcuboot, { ...mcubootBoard, slots: [slot('slot 0', '1.2.3.4')] }).warnings).toEqual(['same-version']);
    expect(codes(mcuboot, { ...mcubootBoard, slots: [slot('slot 0', '1.2.3')] }).warnings).toEqual([]);
  });

  it('leaves out images that the board has by their hash', async () => {
    const mcuboot = await readNrfFirmware('a.bin', mcubootImageOf(image));
    const hash = mcuboot.images[0]?.hash ?? '';
    const plan = planNrf(mcuboot, { ...mcubootBoard, slots: [slot('slot 0', '1.2.3.4', hash)] });
    expect(plan).toMatchObject({ bytes: 0, time: 0, warnings: [{ code: 'already-there' }] });
  });

  it('warns of an unsigned application and refuses an unsigned bootloader', async () => {
    expect(codes(await secure({ firmwareVersion: 4, signature: null }), secureBoard).warnings).toEqual(['unsigned']);
    const fields = { type: 2, bootloaderSize: image.length, signature: null, firmwareVersion: 2 };
    const zip = zipOf({
      'manifest.json': { manifest: { bootloader: { bin_file: 'boot.bin', dat_file: 'boot.dat' } } },
      'boot.bin': image,
      'boot.dat': initPacketOf(image, fields),
    });
    expect(codes(await readNrfFirmware('boot.zip', zip), secureBoard)).toEqual({
      refusals: ['unsigned-bootloader'],
      warnings: ['replaces-bootloader'],
    });
  });

  it('refuses firmware that Adafruit’s bootloader would refuse without an answer', async () => {
    const good = await readNrfFirmware('app.zip', legacyPackage(image));
    expect(codes(good, legacyBoard)).toEqual({ refusals: [], warnings: ['cannot-resume', 'no-proof'] });
    const nobody = await readNrfFirmware('app.zip', legacyPackage(image, { deviceType: 0xffff }));
    expect(codes(nobody, legacyBoard).refusals).toEqual(['wrong-hardware']);
    const odd = await readNrfFirmware('app.zip', legacyPackage(noise(4_098)));
    expect(codes(odd, legacyBoard).refusals).toEqual(['not-whole-words']);
    const large = await readNrfFirmware('app.zip', legacyPackage(noise(1_048_576)));
    expect(codes(large, legacyBoard).refusals).toEqual(['too-large']);
  });

  it('mentions no board before one is connected', async () => {
    const other = await readNrfFirmware('app.zip', legacyPackage(noise(4_098), { deviceType: 0x53 }));
    expect(planNrf(other, null).refusals.map(({ what }) => what)).toEqual([
      '"app.bin" was built for device type 0x0053, not for device type 0x0052.',
      '"app.bin" has 4,098 bytes: Adafruit\'s bootloader accepts only multiples of 4.',
    ]);
  });

  it('keeps demo firmware from real boards', async () => {
    const demo = Uint8Array.from([...asciiBytes('wirebench-boot-text:hello'), ...image]);
    const firmware = await readNrfFirmware('a.zip', securePackage(demo, { firmwareVersion: 4 }));
    expect(codes(firmware, secureBoard).refusals).toEqual(['demo-firmware']);
    expect(codes(firmware, secureBoard, { isDemo: true }).refusals).toEqual([]);
  });

  it.each([
    ['a web page', asciiBytes(`<!DOCTYPE html>${'<p>Sign in</p>'.repeat(40)}`)],
    ['an image for an Espressif chip', buildApp()],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...noise(400))],
  ])('refuses %s that was made into a package', async (_, bytes) => {
    const padded = Uint8Array.from([...bytes, ...new Array<number>((4 - (bytes.length % 4)) % 4).fill(0x20)]);
    const firmware = await readNrfFirmware('a.zip', securePackage(padded, { firmwareVersion: 4 }));
    expect(codes(firmware, secureBoard).refusals).toEqual(['not-firmware']);
  });

  it('covers the firmware alone before a board is connected', async () => {
    expect(planNrf(await secure(), null)).toMatchObject({ refusals: [], warnings: [], bytes: 40_000 });
  });
});
