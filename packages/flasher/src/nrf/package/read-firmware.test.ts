import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { buildApp } from '../../esp/testing/esp-images.ts';
import { buildElf } from '../../images/testing/formats.ts';
import { noise, program } from '../../testing/program.ts';
import {
  initPacketOf,
  legacyInitPacketOf,
  legacyPackage,
  mcubootImageOf,
  securePackage,
  zipOf,
} from '../testing/packages.ts';
import { PackageError, packageFaultText } from './package-fault.ts';
import { readNrfFirmware } from './read-firmware.ts';

const image = noise(5_000);

describe('a package of nrfutil', () => {
  it('gives its image with the fields of the init packet', async () => {
    const firmware = await readNrfFirmware(
      'app.zip',
      securePackage(image, { firmwareVersion: 7, softdevices: [0x100] }),
    );
    expect(firmware).toMatchObject({ format: 'secure-package', hardwareVersion: 52, deviceRevision: null });
    expect(firmware.images).toMatchObject([
      {
        kind: 'application',
        name: 'app.bin',
        version: '7',
        signed: true,
        softdevices: [0x100],
        parts: { softdevice: 0, bootloader: 0, application: 5_000 },
      },
    ]);
    expect(firmware.images[0]?.bytes).toEqual(image);
    expect(firmware.images[0]?.hash).toMatch(/^[\da-f]{64}$/);
  });

  it('has SoftDevice and bootloader before the application', async () => {
    const system = noise(9_000, 2);
    const fields = { type: 3, softdeviceSize: 8_000, bootloaderSize: 1_000 };
    const zip = zipOf({
      'manifest.json': {
        manifest: {
          application: { bin_file: 'app.bin', dat_file: 'app.dat' },
          softdevice_bootloader: {
            bin_file: 'sd_bl.bin',
            dat_file: 'sd_bl.dat',
            info_read_only_metadata: { sd_size: 8_000, bl_size: 1_000 },
          },
        },
      },
      'app.bin': image,
      'app.dat': initPacketOf(image),
      'sd_bl.bin': system,
      'sd_bl.dat': initPacketOf(system, fields),
    });
    const { images } = await readNrfFirmware('all.zip', zip);
    expect(images.map(({ kind }) => kind)).toEqual(['softdevice-bootloader', 'application']);
    expect(images[0]?.parts).toEqual({ softdevice: 8_000, bootloader: 1_000, application: 0 });
  });
});

describe('a package of adafruit-nrfutil', () => {
  it('gives its image with its CRC, device type and version', async () => {
    const firmware = await readNrfFirmware('app.zip', legacyPackage(image, { deviceRevision: 52_840, version: 3 }));
    expect(firmware).toMatchObject({ format: 'legacy-package', hardwareVersion: 0x52, deviceRevision: 52_840 });
    expect(firmware.images).toMatchObject([{ kind: 'application', version: '3', hash: null, signed: false }]);
    expect(firmware.images[0]?.crc16).toBeTypeOf('number');
  });
});

describe('an MCUboot image', () => {
  it('gives version, hash and whether it is signed', async () => {
    const bytes = mcubootImageOf(image, { counter: true });
    const firmware = await readNrfFirmware('zephyr.signed.bin', bytes);
    expect(firmware).toMatchObject({ format: 'mcuboot-image', hardwareVersion: null });
    expect(firmware.images).toMatchObject([{ kind: 'mcuboot', version: '1.2.3+4', signed: true, imageNumber: 0 }]);
    expect((await readNrfFirmware('a.bin', mcubootImageOf(image, { signed: false }))).images[0]?.signed).toBe(false);
  });

  it('comes in packages of nRF Connect SDK, one for each core', async () => {
    const [app, radio] = [mcubootImageOf(image), mcubootImageOf(noise(900, 4), { version: [0, 0, 1, 0] })];
    const zip = zipOf({
      'manifest.json': {
        'format-version': 1,
        files: [
          { file: 'ipc_radio.bin', size: radio.length, image_index: '1', soc: 'nrf5340' },
          { file: 'app.bin', size: app.length, image_index: '0', slot_index_primary: '1' },
        ],
      },
      'app.bin': app,
      'ipc_radio.bin': radio,
    });
    const firmware = await readNrfFirmware('dfu_application.zip', zip);
    expect(firmware.format).toBe('mcuboot-package');
    expect(firmware.images.map(({ name, imageNumber }) => [name, imageNumber])).toEqual([
      ['app.bin', 0],
      ['ipc_radio.bin', 1],
    ]);
  });

  it('is the one of the first slot in a build for either slot', async () => {
    const zip = zipOf({
      'manifest.json': {
        files: [
          { file: 'first.bin', image_index: '0', slot: '0' },
          { file: 'second.bin', image_index: '0', slot: '1' },
        ],
      },
      'first.bin': mcubootImageOf(image),
      'second.bin': mcubootImageOf(noise(10)),
    });
    expect((await readNrfFirmware('dfu.zip', zip)).images.map(({ name }) => name)).toEqual(['first.bin']);
  });
});

/** Builds a package with some parts replaced. */
function zipWith(parts: Readonly<Record<string, Uint8Array | object>>): Uint8Array {
  const manifest = { manifest: { application: { bin_file: 'app.bin', dat_file: 'app.dat' } } };
  return zipOf({ 'manifest.json': manifest, 'app.bin': image, 'app.dat': initPacketOf(image), ...parts });
}

const other = noise(5_000, 9);
const damaged = mcubootImageOf(image);
damaged[100] = (damaged[100] ?? 0) ^ 1;
const cut = securePackage(image);

describe('firmware that cannot be written', () => {
  it('says what a Universal Hex is and where it goes', async () => {
    const file = asciiBytes(':020000040000FA\n:0400000A9900C0DEBB\n:01000000FF00\n:00000001FF\n');
    await expect(readNrfFirmware('microbit.hex', file)).rejects.toMatchObject({
      message: 'This is a Universal Hex for a BBC micro:bit: it holds a program for each version of the board.',
      remedy: 'Connect the micro:bit over USB, and copy the file to its drive, MICROBIT.',
    });
  });

  it.each([
    ['not-a-package', asciiBytes('hello')],
    ['not-firmware', asciiBytes('<!DOCTYPE html><html></html>')],
    ['not-firmware', asciiBytes('404: Not Found')],
    ['not-firmware', gzipSync(other)],
    ['not-firmware', buildApp()],
    ['plain-hex', asciiBytes('; made by a tool\n:0400000001020304F2\n:00000001FF\n')],
    ['not-a-package', zipOf({ 'readme.txt': asciiBytes('hello') })],
    ['package-damaged', cut.subarray(0, cut.length - 30)],
    ['manifest-damaged', zipOf({ 'manifest.json': asciiBytes('{') })],
    ['manifest-damaged', zipOf({ 'manifest.json': [] })],
    ['manifest-damaged', zipOf({ 'manifest.json': { manifest: { application: { bin_file: 'app.bin' } } } })],
    ['manifest-damaged', zipOf({ 'manifest.json': { something: 1 } })],
    ['no-images', zipOf({ 'manifest.json': { manifest: {} } })],
    ['no-images', zipOf({ 'manifest.json': { files: [] } })],
    ['file-missing', zipOf({ 'manifest.json': { files: [{ file: 'gone.bin' }] } })],
    ['image-empty', zipWith({ 'app.bin': new Uint8Array() })],
    ['size-mismatch', zipWith({ 'app.bin': image.subarray(1) })],
    ['hash-mismatch', zipWith({ 'app.bin': other })],
    ['init-packet-damaged', zipWith({ 'app.dat': asciiBytes('x') })],
    ['init-packet-type', zipWith({ 'app.dat': initPacketOf(image, { type: 2, bootloaderSize: image.length }) })],
    ['crc-mismatch', zipWith({ 'app.dat': legacyInitPacketOf(other) })],
    [
      'size-mismatch',
      zipOf({ 'manifest.json': { files: [{ file: 'a.bin', size: 7 }] }, 'a.bin': mcubootImageOf(image) }),
    ],
    ['not-mcuboot', zipOf({ 'manifest.json': { files: [{ file: 'a.bin' }] }, 'a.bin': image })],
    ['hash-mismatch', damaged],
    ['mcuboot-damaged', mcubootImageOf(image).subarray(0, 5_020)],
    ['plain-hex', asciiBytes(':020000040000FA\r\n:0400000000010203F6\r\n:00000001FF\r\n')],
    ['plain-elf', buildElf([{ address: 0x2_6000, bytes: program(64) }])],
    ['plain-bin', Uint8Array.of(0, 0, 1, 0x20, 1, 2, 0, 0, 3, 2, 0, 0, 5, 2, 0, 0, 0)],
  ] as const)('is refused as %s', async (code, bytes) => {
    const refusal = await readNrfFirmware('file', bytes).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PackageError);
    expect(refusal).toMatchObject({ code });
  });

  it('is described with its usual origin if it is another kind of file', async () => {
    await expect(readNrfFirmware('app.zip', asciiBytes('<!DOCTYPE html><html></html>'))).rejects.toMatchObject({
      message: 'This is a web page, not firmware.',
      remedy: expect.stringContaining('needed a sign-in'),
    });
  });

  it('is refused with the name of the faulty file in the package', async () => {
    await expect(readNrfFirmware('a.zip', zipWith({ 'app.bin': other }))).rejects.toMatchObject({
      where: 'app.bin',
      message: 'app.bin: An image does not match its hash.',
    });
  });

  it('is explained if it is for the drive of the board', async () => {
    const uf2 = new Uint8Array(512);
    uf2.set([0x55, 0x46, 0x32, 0x0a, 0x57, 0x51, 0x5d, 0x9e]);
    await expect(readNrfFirmware('app.uf2', uf2)).rejects.toMatchObject({ code: 'uf2-file' });
    expect(packageFaultText['uf2-file'].remedy).toContain('INFO_UF2.TXT');
  });

  it('includes an image without a hash: no bootloader would start it', async () => {
    const bytes = mcubootImageOf(image).slice(0, 32 + image.length + 4);
    bytes.set([4, 0], 32 + image.length + 2);
    await expect(readNrfFirmware('a.bin', bytes)).rejects.toMatchObject({ code: 'mcuboot-no-hash' });
  });
});
