import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { buildIntelHex, buildUf2 } from '../../images/testing/formats.ts';
import { buildLittleFs, buildNvs, buildOtaData, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import {
  buildApp,
  buildBootloader,
  buildImage,
  buildMerged,
  chipIds,
  esp8266Address,
  filler,
} from '../testing/esp-images.ts';
import { placeFiles } from './place-files.ts';
import type { DroppedFile } from './placement.ts';

const s3 = { chipId: chipIds.esp32s3 };
const c3 = { chipId: chipIds.esp32c3 };
const json = (value: unknown) => asciiBytes(JSON.stringify(value));

function placesOf(files: readonly DroppedFile[], options?: Parameters<typeof placeFiles>[1]) {
  return placeFiles(files, options).files.map(({ name, offset }) => [name, offset]);
}

const idfBuild: readonly DroppedFile[] = [
  { name: 'build/bootloader/bootloader.bin', bytes: buildBootloader(s3) },
  { name: 'build/partition_table/partition-table.bin', bytes: buildTable(factoryLayout) },
  { name: 'build/hello.bin', bytes: buildApp(s3) },
];
const flasherArgs = json({
  write_flash_args: ['--flash_mode', 'dio'],
  flash_settings: { flash_mode: 'dio', flash_size: '8MB', flash_freq: '80m' },
  flash_files: {
    '0x0': 'bootloader/bootloader.bin',
    '0x20000': 'hello.bin',
    '0x8000': 'partition_table/partition-table.bin',
  },
  app: { offset: '0x20000', file: 'hello.bin', encrypted: 'false' },
  extra_esptool_args: { chip: 'esp32s3' },
});

describe('files without a list', () => {
  it('go where their contents belong, in the order of addresses, with the reason', () => {
    const { files, chip, conflicts } = placeFiles([
      { name: 'sketch.ino.bin', bytes: buildApp() },
      { name: 'sketch.ino.partitions.bin', bytes: buildTable(otaLayout) },
      { name: 'sketch.ino.bootloader.bin', bytes: buildBootloader() },
      { name: 'boot_app0.bin', bytes: buildOtaData(1) },
      { name: 'sketch.littlefs.bin', bytes: buildLittleFs() },
    ]);
    expect(files.map(({ offset, what, why }) => [offset, what, why])).toEqual([
      [0x1000, 'Bootloader for ESP32, ESP-IDF v5.1.2', 'ESP32 looks for its bootloader here.'],
      [0x8000, 'Partition table, 5 partitions', 'Partition tables go here unless the build says otherwise.'],
      [0xe000, 'OTA data: which app starts', 'Partition "otadata" begins at 0xE000.'],
      [0x10000, 'App blink 1.2.3 for ESP32, ESP-IDF v5.1.2', 'Partition "app0" begins at 0x10000.'],
      [0x290000, 'File system, LittleFS', 'Partition "spiffs" begins at 0x290000.'],
    ]);
    expect([chip, conflicts]).toEqual(['esp32', []]);
  });

  it.each([
    ['esp32', 0x1000],
    ['esp32s2', 0x1000],
    ['esp32s3', 0x0],
    ['esp32c3', 0x0],
    ['esp32c6', 0x0],
    ['esp32p4', 0x2000],
  ] as const)('put the bootloader of an %s at its place', (chip, offset) => {
    expect(placesOf([{ name: 'b.bin', bytes: buildBootloader({ chipId: chipIds[chip] }) }])).toEqual([
      ['b.bin', offset],
    ]);
  });

  it('are placed by their names if their contents are unknown', () => {
    const table = {
      name: 'partitions.bin',
      bytes: buildTable([...otaLayout, { name: 'voices', type: 1, subtype: 6, offset: 0x3f0000, size: 0x10000 }]),
    };
    expect(
      placesOf([
        table,
        { name: 'voices.bin', bytes: filler(100) },
        { name: 'spiffs.bin', bytes: filler(50) },
        { name: 'user-0x3fc000.bin', bytes: filler(20) },
        { name: 'who-knows.bin', bytes: filler(10) },
      ]),
    ).toEqual([
      ['partitions.bin', 0x8000],
      ['spiffs.bin', 0x290000],
      ['voices.bin', 0x3f0000],
      ['user-0x3fc000.bin', 0x3fc000],
      ['who-knows.bin', null],
    ]);
  });

  it('are placed by their usual names if they are encrypted or erased', () => {
    const places = placesOf(
      [
        { name: 'bootloader.bin', bytes: filler(100) },
        { name: 'partition-table.bin', bytes: filler(100) },
        { name: 'firmware.bin', bytes: filler(100) },
        { name: 'ota_data_initial.bin', bytes: new Uint8Array(0x2000).fill(0xff) },
      ],
      { chip: 'esp32p4' },
    );
    expect(places).toEqual([
      ['bootloader.bin', 0x2000],
      ['partition-table.bin', 0x8000],
      ['ota_data_initial.bin', 0xe000],
      ['firmware.bin', 0x10000],
    ]);
  });

  it('go to the place for which the partition table is made, behind a large bootloader', () => {
    const matter = [
      { name: 'esp_secure_cert', type: 0x3f, subtype: 6, offset: 0xd000, size: 0x2000 },
      { name: 'nvs', type: 1, subtype: 2, offset: 0x10000, size: 0xc000 },
      { name: 'ota_0', type: 0, subtype: 0x10, offset: 0x20000, size: 0x1e0000 },
    ];
    const placesOf = (table: typeof matter) =>
      placeFiles([
        { name: 'partition-table.bin', bytes: buildTable(table) },
        { name: 'light.bin', bytes: buildApp() },
      ]).files.map(({ offset }) => offset);
    expect(placesOf(matter)).toEqual([0xc000, 0x20000]);
    expect(placesOf(matter.slice(2))).toEqual([0x8000, 0x20000]);
  });

  it('go to the usual places without a partition table', () => {
    expect(
      placesOf([
        { name: 'app.bin', bytes: buildApp() },
        { name: 'settings.bin', bytes: buildNvs() },
        { name: 'data.bin', bytes: buildLittleFs() },
      ]),
    ).toEqual([
      ['settings.bin', 0x9000],
      ['app.bin', 0x10000],
      ['data.bin', null],
    ]);
    const program = buildImage({ chipId: null, segments: [{ address: esp8266Address, data: filler(100) }] });
    expect(
      placesOf([
        {
          name: 'esp8266.bin',
          bytes: buildMerged([
            [0, program],
            [0x1000, program],
          ]),
        },
      ]),
    ).toEqual([['esp8266.bin', 0]]);
  });

  it.each([
    ['app.bin', '<!DOCTYPE html><html></html>', 'Web page, not firmware', '"app.bin" is a web page, not firmware.'],
    [
      'firmware.bin',
      '404: Not Found',
      'Answer of a web server, not firmware',
      '"firmware.bin" is the answer of a web server, not firmware.',
    ],
  ])('are reported if they are not firmware: %s', (name, text, what, sentence) => {
    const { files, conflicts } = placeFiles([{ name, bytes: asciiBytes(text) }]);
    expect(files.map((file) => [file.name, file.what])).toEqual([[name, what]]);
    expect(conflicts.map((conflict) => [conflict.code, conflict.what])).toEqual([['not-firmware', sentence]]);
    expect(conflicts[0]?.remedy).toMatch(/ownload/);
  });

  it('may be text for a data partition', () => {
    const data = { name: 'certs', type: 1, subtype: 6, offset: 0x110000, size: 0x10000 };
    const { files, conflicts } = placeFiles([
      { name: 'partitions.bin', bytes: buildTable([...factoryLayout, data]) },
      { name: 'certs.bin', bytes: asciiBytes('-----BEGIN CERTIFICATE-----') },
    ]);
    expect([files.map(({ offset }) => offset), conflicts]).toEqual([[0x8000, 0x110000], []]);
  });

  it('leave out unneeded files, and report them', () => {
    const { files, leftOut } = placeFiles([
      { name: 'build/hello.elf', bytes: filler(10) },
      { name: 'build/hello.map', bytes: filler(10) },
      ...idfBuild,
    ]);
    expect(files).toHaveLength(3);
    expect(leftOut.map(({ name }) => name)).toEqual(['build/hello.elf', 'build/hello.map']);
  });

  it('are reported as a conflict if they are for different chips or for one place', () => {
    const { chip, conflicts } = placeFiles([
      { name: 'one.bin', bytes: buildApp(s3) },
      { name: 'other.bin', bytes: buildApp(c3) },
    ]);
    expect(chip).toBeNull();
    expect(conflicts.map(({ code, what }) => [code, what])).toEqual([
      ['chips-differ', 'The files were built for different chips, ESP32-S3 and ESP32-C3: "one.bin", "other.bin".'],
      ['same-place', '"one.bin" and "other.bin" both go to 0x10000.'],
    ]);
  });
});

describe('files with the list of their build', () => {
  it('are placed by flasher_args.json, with its settings', () => {
    const placement = placeFiles([
      ...idfBuild,
      { name: 'build/flasher_args.json', bytes: flasherArgs },
      { name: 'build/ota_data_initial.bin', bytes: buildOtaData(null) },
    ]);
    expect(placement.files.map(({ name, offset }) => [name, offset])).toEqual([
      ['build/bootloader/bootloader.bin', 0],
      ['build/partition_table/partition-table.bin', 0x8000],
      ['build/hello.bin', 0x20000],
    ]);
    expect(placement).toMatchObject({
      chip: 'esp32s3',
      list: 'build/flasher_args.json',
      settings: { mode: 'dio', frequency: 80, size: 8 * 1_048_576 },
      leftOut: [{ name: 'build/ota_data_initial.bin', why: 'Not listed in flasher_args.json.' }],
      conflicts: [],
    });
  });

  it('may lie flat beside each other', () => {
    const flat = idfBuild.map(({ name, bytes }) => ({ name: name.split('/').at(-1) ?? '', bytes }));
    expect(placesOf([...flat, { name: 'flasher_args.json', bytes: flasherArgs }]).map(([, offset]) => offset)).toEqual([
      0, 0x8000, 0x20000,
    ]);
  });

  it('are found by the end of their paths among files of the same name', () => {
    const list = json({ flash_files: { '0x0': 'bootloader/main.bin', '0x10000': 'main.bin' } });
    expect(
      placesOf([
        { name: 'out/main.bin', bytes: buildApp(s3) },
        { name: 'out/bootloader/main.bin', bytes: buildBootloader(s3) },
        { name: 'out/flasher_args.json', bytes: list },
      ]),
    ).toEqual([
      ['out/bootloader/main.bin', 0],
      ['out/main.bin', 0x10000],
    ]);
  });

  it('are not taken if the folders do not tell them apart, and are named', () => {
    const list = json({ flash_files: { '0x0': 'a/main.bin', '0x10000': 'b/main.bin' } });
    const given = [buildBootloader(s3), buildApp(s3)];
    for (const folders of [
      ['', ''],
      ['one/', 'two/'],
    ]) {
      const names = folders.map((folder) => `${folder}main.bin`);
      const files = given.map((bytes, index) => ({ name: names[index] ?? '', bytes }));
      const { files: placed, conflicts, leftOut } = placeFiles([...files, { name: 'flasher_args.json', bytes: list }]);
      expect(placed).toEqual([]);
      expect(conflicts.map(({ code, what }) => [code, what])).toEqual(
        ['a/main.bin', 'b/main.bin'].map((path) => [
          'listed-file-open',
          `flasher_args.json lists "${path}", and the folders do not tell which of the 2 files it is: ${names.join(', ')}.`,
        ]),
      );
      expect(leftOut.map(({ name }) => name)).toEqual(names);
    }
  });

  it('are reported if they are missing', () => {
    const { conflicts } = placeFiles([...idfBuild.slice(1), { name: 'flasher_args.json', bytes: flasherArgs }]);
    expect(conflicts).toMatchObject([
      { code: 'listed-file-missing', what: 'flasher_args.json lists "bootloader.bin", which is not among the files.' },
    ]);
  });

  it('follow flash_args of ESP-IDF', () => {
    const list = asciiBytes(
      '--flash_mode qio --flash_freq 40m --flash_size 2MB\n0x0 bootloader/bootloader.bin\n0x10000 hello.bin\n',
    );
    const placement = placeFiles([...idfBuild, { name: 'build/flash_args', bytes: list }]);
    expect(placement.files.map(({ offset }) => offset)).toEqual([0, 0x10000]);
    expect(placement.settings).toEqual({ mode: 'qio', frequency: 40, size: 2 * 1_048_576 });
  });

  it('follow idedata.json of PlatformIO, whose paths are of another machine', () => {
    const list = json({
      prog_path: '/home/me/project/.pio/build/esp32dev/firmware.elf',
      extra: {
        application_offset: '0x10000',
        flash_images: [
          { offset: '0x1000', path: 'C:\\pio\\bootloader.bin' },
          { offset: '0x8000', path: '/home/me/project/.pio/build/esp32dev/partitions.bin' },
        ],
      },
    });
    expect(
      placesOf([
        { name: 'firmware.bin', bytes: buildApp() },
        { name: 'partitions.bin', bytes: buildTable(otaLayout) },
        { name: 'bootloader.bin', bytes: buildBootloader() },
        { name: 'idedata.json', bytes: list },
      ]),
    ).toEqual([
      ['bootloader.bin', 0x1000],
      ['partitions.bin', 0x8000],
      ['firmware.bin', 0x10000],
    ]);
  });

  it('follow the build of a manifest that is for the chip', () => {
    const manifest = {
      name: 'manifest.json',
      bytes: json({
        name: 'Blink',
        builds: [
          { chipFamily: 'ESP32', parts: [{ path: 'esp32.bin', offset: 65536 }] },
          { chipFamily: 'ESP32-S3', parts: [{ path: 's3.bin', offset: 131072 }] },
        ],
      }),
    };
    const files = [manifest, { name: 'esp32.bin', bytes: buildApp() }, { name: 's3.bin', bytes: buildApp(s3) }];
    expect(placesOf(files, { chip: 'esp32s3' })).toEqual([['s3.bin', 0x20000]]);
    expect(placeFiles(files).conflicts.map(({ code }) => code)).toContain('no-build-for-chip');
    expect(placesOf([manifest, files[1] ?? manifest])).toEqual([['esp32.bin', 0x10000]]);
  });

  it('are placed by their contents if the list is unreadable, which is reported', () => {
    const { files, conflicts } = placeFiles([...idfBuild, { name: 'flasher_args.json', bytes: asciiBytes('{') }]);
    expect(files.map(({ offset }) => offset)).toEqual([0, 0x8000, 0x10000]);
    expect(conflicts).toMatchObject([
      {
        code: 'list-unreadable',
        what: '"flasher_args.json" could not be read. Line 1, column 2: This file is not valid JSON.',
      },
    ]);
  });

  it('never throw for any list', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.constantFrom('flasher_args.json', 'idedata.json', 'manifest.json', 'flash_args'),
        (text, name) => {
          const list = { name, bytes: new TextEncoder().encode(text) };
          expect(placeFiles([list, ...idfBuild]).conflicts.length).toBeLessThan(10);
        },
      ),
    );
  });
});

describe('files that contain other files', () => {
  it('are unpacked and placed like files that were dropped one by one', () => {
    const build = Object.fromEntries(idfBuild.map(({ name, bytes }) => [name, bytes]));
    const zip = zipSync({ ...build, 'build/flasher_args.json': flasherArgs, 'README.md': strToU8('Flash me') });
    const { files, chip, leftOut, conflicts } = placeFiles([{ name: 'release.zip', bytes: zip }]);
    expect(files.map(({ name, offset }) => [name, offset])).toEqual([
      ['release.zip/build/bootloader/bootloader.bin', 0],
      ['release.zip/build/partition_table/partition-table.bin', 0x8000],
      ['release.zip/build/hello.bin', 0x20000],
    ]);
    expect([chip, leftOut.map(({ name }) => name), conflicts]).toEqual(['esp32s3', ['release.zip/README.md'], []]);
  });

  it('are placed by their own addresses', () => {
    // Family IDs from `chip-facts.ts`.
    const [esp32, esp32S3] = [0x1c5f21b0, 0xc47e5767];
    const app = buildApp();
    const hex = buildIntelHex([
      { address: 0x9000, bytes: filler(40) },
      { address: 0x10000, bytes: app },
    ]);
    expect(placesOf([{ name: 'all.hex', bytes: hex }])).toEqual([
      ['all.hex (0x9000)', 0x9000],
      ['all.hex (0x10000)', 0x10000],
    ]);
    expect(placesOf([{ name: 'app.uf2', bytes: buildUf2({ address: 0, bytes: app }, esp32) }])).toEqual([
      ['app.uf2', 0x10000],
    ]);
    const merged = buildMerged([
      [0, buildBootloader(s3)],
      [0x8000, buildTable(factoryLayout)],
    ]);
    expect(placesOf([{ name: 'all.uf2', bytes: buildUf2({ address: 0, bytes: merged }, esp32S3) }])).toEqual([
      ['all.uf2', 0],
    ]);
  });

  it('have parts for other chips left out and reported', () => {
    const [esp32, esp32S3, rp2040, unknown] = [0x1c5f21b0, 0xc47e5767, 0xe48bff56, 0x12345678];
    const app = buildUf2({ address: 0x10000, bytes: buildApp() }, esp32S3);
    const other = (family: number) => buildUf2({ address: 0x1000_0000, bytes: filler(256) }, family);
    const placed = (...parts: readonly Uint8Array[]) =>
      placeFiles([{ name: 'all.uf2', bytes: Uint8Array.from(parts.flatMap((part) => [...part])) }]);
    for (const parts of [
      [app, other(rp2040)],
      [other(rp2040), app],
    ]) {
      const { files, leftOut, conflicts } = placed(...parts);
      expect(files).toMatchObject([{ name: 'all.uf2', offset: 0x10000 }]);
      const why = 'It also holds 256 bytes for RP2040: this part is left out.';
      expect(leftOut).toMatchObject([{ name: 'all.uf2', why }]);
      expect(conflicts).toEqual([]);
    }
    expect(placed(app, other(unknown)).leftOut).toMatchObject([{ why: expect.stringContaining('0x12345678') }]);
    // The input does not say which of the two is for the board.
    expect(placed(app, buildUf2({ address: 0x10000, bytes: buildApp() }, esp32)).conflicts).toMatchObject([
      { code: 'file-unreadable', what: expect.stringMatching(/ESP32-S3.*ESP32/) },
    ]);
    for (const foreign of [rp2040, unknown]) {
      expect(placed(other(foreign))).toMatchObject({ files: [], conflicts: [{ code: 'file-unreadable' }] });
    }
  });

  it('are reported with the reason if they are unreadable', () => {
    const { files, conflicts } = placeFiles([
      { name: 'release.zip', bytes: strToU8('PK\x03\x04 and no more') },
      ...idfBuild,
    ]);
    expect(files).toHaveLength(3);
    expect(conflicts).toMatchObject([
      { code: 'file-unreadable', what: '"release.zip" could not be read. This is not a zip archive.' },
    ]);
  });
});

describe('a partition with room', () => {
  const KB = 1_024;
  const app = (name: string, offset: number, size: number, subtype: number) => ({
    name,
    type: 0,
    subtype,
    offset,
    size,
  });
  const data = (name: string, offset: number, size: number, subtype: number) => ({
    ...app(name, offset, size, subtype),
    type: 1,
  });
  const table = (...partitions: readonly ReturnType<typeof app>[]) => ({
    name: 'partitions.bin',
    bytes: buildTable(partitions),
  });
  const tasmota = table(
    app('safeboot', 0x10000, 832 * KB, 0),
    app('app0', 0xe0000, 2_688 * KB, 0x10),
    data('spiffs', 0x380000, 320 * KB, 0x82),
  );
  const last = (files: readonly DroppedFile[]) =>
    placeFiles(files).files.flatMap(({ part, offset, why }) =>
      part.kind === 'partition-table' ? [] : [[offset, why]],
    );

  it('is chosen for an app that is larger than the factory app before it', () => {
    expect(last([tasmota, { name: 'tasmota32.bin', bytes: buildApp({ size: 1_900 * KB }) }])).toEqual([
      [0xe0000, 'Partition "app0" begins at 0xE0000. It is too large for "safeboot" (832 KB).'],
    ]);
  });

  it('is chosen by name for the small app, and each app has its own', () => {
    const files = [
      tasmota,
      { name: 'tasmota32.bin', bytes: buildApp({ size: 1_900 * KB }) },
      { name: 'tasmota32-safeboot.bin', bytes: buildApp({ size: 700 * KB }) },
    ];
    expect(last(files).map(([offset]) => offset)).toEqual([0x10000, 0xe0000]);
  });

  it('is chosen among slots of different sizes', () => {
    const slots = table(
      data('otadata', 0xe000, 8 * KB, 0),
      app('app0', 0x10000, 1_024 * KB, 0x10),
      app('app1', 0x110000, 2_048 * KB, 0x11),
    );
    expect(last([slots, { name: 'node.bin', bytes: buildApp({ size: 1_500 * KB }) }])[0]?.[0]).toBe(0x110000);
  });

  it('is reported as the largest if there is none with room', () => {
    expect(last([tasmota, { name: 'node.bin', bytes: buildApp({ size: 3_000 * KB }) }])).toMatchObject([
      [0x10000, expect.stringMatching(/^No partition has room for 2.9 MB. The largest of its kind, "app0", holds 2.6/)],
    ]);
  });

  it.each([
    ['is the only one that is large enough', 300 * KB, 0x340000],
    ['has the size of the image', 64 * KB, 0x300000],
  ])('is chosen for a file system: %s', (_, size, offset) => {
    const two = table(
      app('factory', 0x10000, 1_024 * KB, 0),
      data('www', 0x300000, 64 * KB, 0x82),
      data('storage', 0x340000, 512 * KB, 0x82),
    );
    const image = new Uint8Array(size).fill(0xff);
    image.set(buildLittleFs().subarray(0, size));
    expect(last([two, { name: 'data.bin', bytes: image }])[0]?.[0]).toBe(offset);
  });

  it('is chosen for settings', () => {
    const two = table(data('nvs', 0x9000, 4 * KB, 2), data('nvs2', 0x20000, 64 * KB, 2));
    expect(last([two, { name: 'settings.bin', bytes: buildNvs() }])[0]?.[0]).toBe(0x20000);
  });
});
