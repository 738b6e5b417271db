import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { buildIntelHex } from '../../images/testing/formats.ts';
import { buildLittleFs, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds } from '../testing/esp-images.ts';
import { placeFiles } from './place-files.ts';
import type { DroppedFile } from './placement.ts';
import { buildsAmong } from './several-builds.ts';

const s3 = { chipId: chipIds.esp32s3 };
const c3 = { chipId: chipIds.esp32c3 };
const json = (value: unknown) => asciiBytes(JSON.stringify(value));
const file = (name: string, bytes: Uint8Array): DroppedFile => ({ name, bytes });

function idf(folder: string, chip: { chipId: number }): DroppedFile[] {
  return [
    file(`${folder}/bootloader/bootloader.bin`, buildBootloader(chip)),
    file(`${folder}/partition_table/partition-table.bin`, buildTable(factoryLayout)),
    file(`${folder}/hello.bin`, buildApp(chip)),
  ];
}
const idfList = (folder: string, chip: string, name = 'flasher_args.json') =>
  file(
    `${folder}/${name}`,
    json({ flash_files: { '0x0': 'bootloader/bootloader.bin', '0x20000': 'hello.bin' }, extra_esptool_args: { chip } }),
  );
const platformio = (environment: string, chip: { chipId: number }) => [
  file(`.pio/build/${environment}/firmware.bin`, buildApp(chip)),
  file(`.pio/build/${environment}/bootloader.bin`, buildBootloader(chip)),
  file(`.pio/build/${environment}/partitions.bin`, buildTable(otaLayout)),
];
const merged = (chip: { chipId: number }) =>
  buildMerged([
    [0, buildBootloader(chip)],
    [0x8000, buildTable(factoryLayout)],
    [0x10000, buildApp(chip)],
  ]);

const found = (files: readonly DroppedFile[]) => buildsAmong(files).map(({ name, chip }) => [name, chip]);

describe('builds that came together', () => {
  it.each<[string, readonly DroppedFile[], readonly (readonly [string, string | null])[]]>([
    [
      'two boards of one chip, each with a list',
      [
        ...idf('out/board-a', s3),
        idfList('out/board-a', 'esp32s3'),
        ...idf('out/board-b', s3),
        idfList('out/board-b', 'esp32s3'),
      ],
      [
        ['board-a', 'esp32s3'],
        ['board-b', 'esp32s3'],
      ],
    ],
    [
      'two boards whose lists are in folders of the same name',
      [...idf('a/build', s3), idfList('a/build', 'esp32s3'), ...idf('b/build', c3), idfList('b/build', 'esp32c3')],
      [
        ['a', 'esp32s3'],
        ['b', 'esp32c3'],
      ],
    ],
    [
      'two boards without lists',
      [...idf('board-a', s3), ...idf('board-b', c3)],
      [
        ['board-a', 'esp32s3'],
        ['board-b', 'esp32c3'],
      ],
    ],
    [
      'environments of PlatformIO',
      [...platformio('s3', s3), ...platformio('c3', c3)],
      [
        ['s3', 'esp32s3'],
        ['c3', 'esp32c3'],
      ],
    ],
    [
      'an app in each of two folders',
      [file('kitchen/firmware.bin', buildApp(s3)), file('garage/firmware.bin', buildApp(s3))],
      [
        ['kitchen', 'esp32s3'],
        ['garage', 'esp32s3'],
      ],
    ],
    [
      'merged images in one folder',
      [file('fw/kitchen.factory.bin', merged(s3)), file('fw/garage.factory.bin', merged(s3))],
      [
        ['kitchen.factory.bin', 'esp32s3'],
        ['garage.factory.bin', 'esp32s3'],
      ],
    ],
    [
      'two chips in one folder',
      [file('fw/node-s3.bin', buildApp(s3)), file('fw/node-c3.bin', buildApp(c3))],
      [
        ['ESP32-S3', 'esp32s3'],
        ['ESP32-C3', 'esp32c3'],
      ],
    ],
    [
      'folders within a folder',
      [
        file('eu/a/firmware.bin', buildApp(s3)),
        file('eu/b/firmware.bin', buildApp(s3)),
        file('us/a/firmware.bin', buildApp(s3)),
      ],
      [
        ['eu/a', 'esp32s3'],
        ['eu/b', 'esp32s3'],
        ['us/a', 'esp32s3'],
      ],
    ],
    [
      'HEX files in two folders',
      [
        file('a/all.hex', buildIntelHex([{ address: 0x1000, bytes: buildBootloader(s3) }])),
        file('b/all.hex', buildIntelHex([{ address: 0x1000, bytes: buildBootloader(s3) }])),
      ],
      [
        ['a', null],
        ['b', null],
      ],
    ],
    [
      'builds of a manifest',
      [
        file('web/node-s3.bin', merged(s3)),
        file('web/node-c3.bin', merged(c3)),
        file(
          'web/manifest.json',
          json({
            builds: [
              { chipFamily: 'ESP32-S3', parts: [{ path: 'node-s3.bin', offset: 0 }] },
              { chipFamily: 'ESP32-C3', parts: [{ path: 'node-c3.bin', offset: 0 }] },
            ],
          }),
        ),
      ],
      [
        ['ESP32-S3', 'esp32s3'],
        ['ESP32-C3', 'esp32c3'],
      ],
    ],
  ])('are told apart: %s', (_, files, builds) => {
    expect(found(files)).toEqual(builds);
  });

  it.each<[string, readonly DroppedFile[]]>([
    ['a build of ESP-IDF', idf('build', s3)],
    [
      'a build with lists of its parts',
      [...idf('build', s3), idfList('build', 'esp32s3'), idfList('build/bootloader', 'esp32s3')],
    ],
    [
      'a build with two lists',
      [
        ...idf('build', s3),
        idfList('build', 'esp32s3'),
        file('build/flash_args', asciiBytes('0x0 bootloader/bootloader.bin')),
      ],
    ],
    ['an environment of PlatformIO', platformio('s3', s3)],
    [
      'a loader and its app',
      [
        file(
          'fw/partitions.bin',
          buildTable([
            { name: 'safeboot', type: 0, subtype: 0, offset: 0x10000, size: 0xd0000 },
            { name: 'app0', type: 0, subtype: 0x10, offset: 0xe0000, size: 0x2a0000 },
          ]),
        ),
        file('fw/safe/safeboot.bin', buildApp(s3)),
        file('fw/main/main.bin', buildApp(s3)),
      ],
    ],
    ['a build and data', [...idf('build', s3), file('data/storage.bin', buildLittleFs())]],
  ])('are one: %s', (_, files) => {
    expect(buildsAmong(files)).toHaveLength(1);
  });

  it('share the files that are in none of their folders', () => {
    const shared = file('fw/storage.bin', buildLittleFs());
    const files = [...idf('fw/a', s3), ...idf('fw/b', s3), shared];
    expect(buildsAmong(files).map((build) => build.files.includes(shared))).toEqual([true, true]);
  });
});

describe('placing an archive with several builds', () => {
  const archive = (...files: readonly DroppedFile[]) =>
    file('weather.zip', zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]))));
  const twoChips = archive(...idf('board-a', s3), ...idf('board-b', c3), file('README.md', strToU8('Two boards')));

  it('takes the one for the chip, and says which', () => {
    const { files, leftOut, conflicts, chip } = placeFiles([twoChips], { chip: 'esp32c3' });
    expect(files.map(({ name }) => name)).toEqual([
      'weather.zip/board-b/bootloader/bootloader.bin',
      'weather.zip/board-b/partition_table/partition-table.bin',
      'weather.zip/board-b/hello.bin',
    ]);
    expect([conflicts, chip]).toEqual([[], 'esp32c3']);
    expect(leftOut.find(({ name }) => name.endsWith('board-a/hello.bin'))?.why).toBe(
      '"board-b" is the build for this chip.',
    );
  });

  it('takes none without a chip, and names the folders', () => {
    const { files, conflicts } = placeFiles([twoChips]);
    expect(files).toEqual([]);
    expect(conflicts.map(({ code, what, remedy }) => [code, what, remedy])).toEqual([
      ['several-builds', 'There are 2 builds: "board-a", "board-b".', 'Choose the one for your board.'],
    ]);
  });

  it('takes none of two boards with the same chip', () => {
    const { conflicts, files } = placeFiles([archive(...idf('board-a', s3), ...idf('board-b', s3))], {
      chip: 'esp32s3',
    });
    expect([files.length, conflicts[0]?.code]).toEqual([0, 'several-builds']);
  });

  it('says that none is for the chip', () => {
    const { conflicts } = placeFiles([twoChips], { chip: 'esp32h2' });
    expect(conflicts.map(({ what }) => what)).toEqual(['None of the builds is for ESP32-H2: "board-a", "board-b".']);
  });
});
