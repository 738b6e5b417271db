import { gzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { noise as anyNoise } from '../../testing/program.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import { buildLittleFs, buildOtaData, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds, filler } from '../testing/esp-images.ts';
import { board, codesOf, file, flashOf, MIB, plan } from '../testing/plans.ts';

const page = asciiBytes('<!DOCTYPE html><html><head><title>Sign in</title></head><body></body></html>');
const certificate = asciiBytes(`-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(30)}\n-----END CERTIFICATE-----\n`);
const withData = { name: 'certs', type: 1, subtype: 6, offset: 0x110000, size: 0x10000 };
const dataBoard = board({ table: readPartitionTable(buildTable([...factoryLayout, withData])) });

/** Returns noise that begins like an image only if `first` says so. */
function noise(size: number, first = 0x5a): Uint8Array {
  const bytes = anyNoise(size);
  bytes[0] = first;
  return bytes;
}

describe('a file that is no firmware', () => {
  it.each([
    ['a web page', 0x10000, page],
    ['a web page in place of the bootloader', 0x1000, page],
    ['a web page in place of the partition table', 0x8000, page],
    ['a certificate in place of the app', 0x10000, certificate],
    ['a compressed app', 0x10000, gzipSync(buildApp())],
    ['a zip', 0x10000, zipSync({ 'app.bin': buildApp() })],
    ['a program of an STM32', 0x10000, stmProgram()],
  ])('is refused without an override at the place of a program: %s', async (_, offset, bytes) => {
    const made = await plan({ files: [file('app.bin', offset, bytes)], overrides: ['not-firmware'] });
    expect(made.refusals).toMatchObject([{ code: 'not-firmware', files: ['app.bin'], overridable: false }]);
  });

  it('is refused before a board is connected', async () => {
    const made = await plan({ files: [file('app.bin', 0x10000, page)], board: null });
    expect(made.refusals).toMatchObject([
      { what: '"app.bin" is a web page, not firmware.', remedy: expect.stringContaining('needed a sign-in') },
    ]);
  });

  it.each([
    ['a data partition', 0x110000, dataBoard],
    ['flash without a partition', 0x200000, board()],
    ['flash of a board without a table', 0x200000, board({ table: 'none' })],
  ])('may be data for %s with an override', async (_, offset, connected) => {
    const input = { files: [file('ca.bin', offset, certificate)], board: connected };
    expect((await plan(input)).refusals).toMatchObject([{ code: 'not-firmware', overridable: true }]);
    expect((await plan({ ...input, overrides: ['not-firmware'] })).refusals).toEqual([]);
  });

  it('is refused without an override in an OTA slot of the table, at any offset', async () => {
    const connected = board({ table: readPartitionTable(buildTable(otaLayout)) });
    const made = await plan({ files: [file('app.bin', 0x150000, page)], board: connected });
    expect(made.refusals).toMatchObject([{ code: 'not-firmware', overridable: false }]);
  });

  it('is refused until confirmed if all its bytes are equal, at the place of a program', async () => {
    for (const value of [0xff, 0]) {
      const input = { files: [file('blank.bin', 0x10000, new Uint8Array(9_000).fill(value))] };
      expect((await plan(input)).refusals).toMatchObject([{ code: 'not-firmware', overridable: true }]);
      expect((await plan({ ...input, overrides: ['not-firmware'] })).refusals).toEqual([]);
      const elsewhere = [file('blank.bin', 0x200000, new Uint8Array(9_000).fill(value))];
      expect(codesOf(await plan({ files: elsewhere }))).toEqual([[], []]);
    }
  });
});

describe('a file with only the start of an image', () => {
  it.each([0x1000, 0x10000, 0x200000])(
    'may be encrypted, and can be written to 0x%x with an override',
    async (offset) => {
      const input = { files: [file('app.bin', offset, noise(5_000, 0xe9))] };
      expect((await plan(input)).refusals).toMatchObject([
        { code: 'not-an-image', overridable: true, what: expect.stringContaining('may be encrypted') },
      ]);
      expect((await plan({ ...input, overrides: ['not-an-image'] })).refusals).toEqual([]);
    },
  );

  it('needs no override in a data partition, nor beside the one about encryption', async () => {
    const files = [file('data.bin', 0x110000, noise(5_000, 0xe9))];
    expect(codesOf(await plan({ files, board: dataBoard }))).toEqual([[], []]);
    const security = { secureBoot: false, flashEncryption: true, secureDownload: false };
    const encrypted = await plan({
      files: [file('app.bin', 0x10000, noise(5_000, 0xe9))],
      board: board({ info: { security } }),
    });
    expect(codesOf(encrypted)).toEqual([['flash-encryption'], []]);
  });

  it('counts as damage inside a merged image only at an app or a bootloader', async () => {
    const layout = [...factoryLayout, withData];
    const files = [
      file(
        'all.bin',
        0,
        buildMerged([
          [0x1000, buildBootloader()],
          [0x8000, buildTable(layout)],
          [0x10000, buildApp()],
          [0x110000, noise(5_000, 0xe9)],
        ]),
      ),
    ];
    expect(codesOf(await plan({ files }))[0]).toEqual([]);
  });

  it('is still reported as damaged if its header is that of an image', async () => {
    for (const bytes of [buildApp().subarray(0, 500), buildApp({ size: 5_000 }).subarray(0, 40)]) {
      const made = await plan({ files: [file('app.bin', 0x10000, bytes)], overrides: ['not-an-image'] });
      expect(made.refusals).toMatchObject([{ code: 'image-damaged', overridable: false }]);
    }
  });
});

describe('data at the place of something else', () => {
  const chips = [
    ['esp32', 0x1000],
    ['esp32s2', 0x1000],
    ['esp32s3', 0],
    ['esp32c3', 0],
    ['esp32p4', 0x2000],
    ['esp8266', 0],
  ] as const;

  it.each(chips)('causes a warning at the bootloader of an %s', async (chip, offset) => {
    const connected = board({ info: { chip, flash: flashOf(4 * MIB) }, table: 'none' });
    const made = await plan({ files: [file('random.bin', offset, noise(300))], board: connected });
    expect(codesOf(made)).toEqual([[], ['not-a-bootloader']]);
  });

  it.each([
    ['begins in front of the bootloader and covers it', 0, noise(0x1800), 'not-a-bootloader'],
    ['is a file system at the bootloader', 0x1000, buildLittleFs(0x2000), 'not-a-bootloader'],
    ['is at the partition table', 0x8000, noise(300), 'not-a-table'],
    ['is at the app of the usual tables', 0x10000, noise(300), 'not-an-app'],
  ])('causes a warning when it %s of an ESP32 without a table', async (_, offset, bytes, code) => {
    const made = await plan({ files: [file('data.bin', offset, bytes)], board: board({ table: 'none' }) });
    expect(codesOf(made)).toEqual([[], [code]]);
  });

  it('causes a warning in an app partition and in the one that selects the app', async () => {
    const connected = board({ table: readPartitionTable(buildTable(otaLayout)) });
    const files = [file('one.bin', 0x150000, noise(300)), file('two.bin', 0xe000, noise(300))];
    const made = await plan({ files, board: connected });
    expect(made.warnings.map(({ code, what }) => [code, what])).toEqual([
      [
        'not-an-app',
        '"one.bin" is at 0x150000, in app partition "app1", and is not an app: nothing would start from there.',
      ],
      ['not-ota-data', '"two.bin" is in partition "otadata", which selects the app to start, and is not OTA data.'],
    ]);
  });

  it('causes no warning where it belongs', async () => {
    const connected = board({ table: readPartitionTable(buildTable(otaLayout)) });
    const files = [
      file('boot_app0.bin', 0xe000, buildOtaData(1)),
      file('app.bin', 0x10000, buildApp()),
      file('spiffs.bin', 0x290000, noise(300)),
      file('bootloader.bin', 0, buildMerged([[0x1000, buildBootloader()]])),
    ];
    expect(codesOf(await plan({ files, board: connected }))).toEqual([[], []]);
    const s3 = board({ info: { chip: 'esp32s3' }, table: 'none' });
    const data = [
      file('bootloader.bin', 0, buildBootloader({ chipId: chipIds.esp32s3 })),
      file('d.bin', 0x1000_00, noise(300)),
    ];
    expect(codesOf(await plan({ files: data, board: s3 }))).toEqual([[], []]);
  });

  it('may be firmware on a board whose flash is encrypted', async () => {
    const security = { secureBoot: false, flashEncryption: true, secureDownload: false };
    const made = await plan({ files: [file('b.bin', 0x1000, noise(300))], board: board({ info: { security } }) });
    expect(codesOf(made)).toEqual([['flash-encryption'], []]);
  });
});

function stmProgram(): Uint8Array {
  const bytes = filler(1_024);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x2000_5000, true);
  for (const at of [4, 8, 12]) {
    view.setUint32(at, 0x0800_0101, true);
  }
  return bytes;
}
