import { describe, expect, it } from 'vitest';
import { buildImage } from '../../file-systems/index.ts';
import { buildIntelHex, buildUf2Blocks, type Stretch, uf2Blocks } from '../../images/testing/formats.ts';
import { checkBuild } from '../../release/check-build.ts';
import { binaryReading, readBuildFile } from '../../release/read-build-file.ts';
import { readFirmware } from '../../release/read-firmware.ts';
import { expandFiles } from '../build-output/expand-files.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import {
  type BuiltPartition,
  buildNvs,
  buildOtaData,
  buildTable,
  factoryLayout,
  otaLayout,
} from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds, filler } from '../testing/esp-images.ts';
import { board, file, flashOf, MIB, plan } from '../testing/plans.ts';
import type { EspPlan, EspPlanFile } from './esp-plan-types.ts';

type Placed = readonly [offset: number, bytes: Uint8Array];

const esp32 = { deviceFamily: 'esp', deviceModel: 'esp32', label: 'ESP32' } as const;
const bootloader = buildBootloader();
const app = buildApp();
const littleFs = (size: number) => buildImage('littlefs', size, [{ path: '/index.html', bytes: filler(2_000) }]);
const spiffs = (size: number) => buildImage('spiffs', size, [{ path: '/index.html', bytes: filler(2_000) }]);
const fat = (size: number) => buildImage('fat', size, [{ path: '/index.txt', bytes: filler(2_000) }]);

/** The forms in which a build comes: single files, a merged image, Intel HEX, UF2. */
const forms: readonly (readonly [string, (parts: readonly Placed[]) => EspPlanFile[]])[] = [
  ['single files', (parts) => parts.map(([offset, bytes], index) => file(`${index}.bin`, offset, bytes))],
  ['a merged image', (parts) => [file('all.bin', 0, buildMerged(parts))]],
  ['Intel HEX', (parts) => expanded('all.hex', buildIntelHex(stretches(parts)))],
  ['UF2', (parts) => expanded('all.uf2', uf2Of(parts))],
];

function stretches(parts: readonly Placed[]): Stretch[] {
  return parts.map(([address, bytes]) => ({ address, bytes }));
}

/** Family of the ESP32 in UF2 files. */
const uf2Family = 0x1c5f_21b0;

function uf2Of(parts: readonly Placed[]): Uint8Array {
  const counts = parts.map(([, bytes]) => Math.ceil(bytes.length / 256));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let first = 0;
  return buildUf2Blocks(
    stretches(parts).flatMap((stretch, index) => {
      const blocks = uf2Blocks(stretch, { family: uf2Family, payload: 256, first, total });
      first += counts[index] ?? 0;
      return blocks;
    }),
  );
}

function expanded(name: string, bytes: Uint8Array): EspPlanFile[] {
  return expandFiles([{ name, bytes }]).files.map((one) => file(one.name, one.address ?? 0, one.bytes));
}

const blankBoard = board({ table: 'none', info: { flash: flashOf(16 * MIB) } });
const codes = ({ refusals, warnings }: EspPlan) => [...refusals, ...warnings].map(({ code }) => code);

async function planned(files: readonly EspPlanFile[], on = blankBoard): Promise<EspPlan> {
  return plan({ files, board: on });
}

async function released(files: readonly EspPlanFile[], device = esp32): Promise<string[]> {
  const read = files.map(async ({ name, offset, bytes }) => ({
    name,
    reading: binaryReading(name, { offset, size: bytes.length, reading: await readFirmware(bytes) }),
  }));
  const { refusals, damage, warnings } = checkBuild(await Promise.all(read), device);
  return [...refusals, ...damage, ...warnings].map(({ code }) => code);
}

const laterApp = [
  { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x5000 },
  { name: 'otadata', type: 1, subtype: 0, offset: 0xe000, size: 0x2000 },
  { name: 'app0', type: 0, subtype: 0x10, offset: 0x20000, size: 0x100000 },
  { name: 'app1', type: 0, subtype: 0x11, offset: 0x120000, size: 0x100000 },
  { name: 'spiffs', type: 1, subtype: 0x82, offset: 0x220000, size: 0x20000 },
];

describe.each(forms)('a build as %s', (_form, filesOf) => {
  const whole = (layout: readonly BuiltPartition[], ...parts: readonly Placed[]) =>
    filesOf([[0x1000, bootloader], [0x8000, buildTable(layout)], ...parts]);

  it.each<[string, EspPlanFile[], string]>([
    ['has its app where the table has none', whole(laterApp, [0x10000, app]), 'not-at-a-partition'],
    [
      'has an app larger than its slot',
      whole(laterApp, [0x20000, buildApp({ size: 0x100000 })]),
      'larger-than-partition',
    ],
    [
      'has LittleFS inside the second slot',
      whole(laterApp, [0x20000, app], [0x130000, littleFs(0x20000)]),
      'not-an-app',
    ],
    ['has OTA data inside NVS', whole(laterApp, [0x9000, buildOtaData(1)], [0x20000, app]), 'data-misplaced'],
    ['has NVS where the OTA data belong', whole(laterApp, [0xe000, buildNvs(0x2000)], [0x20000, app]), 'not-ota-data'],
    [
      'has a file system in the partition of settings',
      whole(laterApp, [0x9000, littleFs(0x5000)], [0x20000, app]),
      'data-misplaced',
    ],
    [
      'selects a slot without an app',
      filesOf([
        [0x1000, bootloader],
        [0x8000, buildTable(laterApp)],
        [0xe000, buildOtaData(2)],
        [0x20000, app],
        [0x220000, littleFs(0x20000)],
      ]),
      'selects-no-app|other-app-starts',
    ],
    [
      'has SPIFFS that is shorter than its partition',
      whole(laterApp, [0x20000, app], [0x220000, spiffs(0x10000)]),
      'file-system-shorter',
    ],
    [
      'has LittleFS that is shorter than its partition',
      whole(laterApp, [0x20000, app], [0x220000, littleFs(0x10000)]),
      'file-system-shorter',
    ],
    [
      'has FAT with wear levelling that is shorter than its partition',
      whole(laterApp, [0x20000, app], [0x220000, fat(0x1c000)]),
      'file-system-shorter',
    ],
    [
      'has SPIFFS that is larger than its partition',
      whole(laterApp, [0x20000, app], [0x220000, spiffs(0x40000)]),
      'larger-than-partition',
    ],
    [
      'has a table beyond the flash size in the header of its bootloader',
      whole([...laterApp, { name: 'big', type: 1, subtype: 0x82, offset: 0x400000, size: 0xc00000 }], [0x20000, app]),
      'partitions-beyond-setting',
    ],
  ])('is warned of or refused if it %s', async (_what, files, wanted) => {
    const isWanted = (code: string) => wanted.split('|').includes(code);
    expect(codes(await planned(files)).filter(isWanted)).not.toEqual([]);
    expect((await released(files)).filter(isWanted)).not.toEqual([]);
  });

  it('has no warning when all parts are in their places', async () => {
    const files = whole(laterApp, [0xe000, buildOtaData(1)], [0x20000, app], [0x220000, spiffs(0x20000)]);
    expect(codes(await planned(files))).toEqual([]);
    expect(await released(files)).toEqual([]);
  });
});

describe('a program at a place without a start', () => {
  it.each([
    ['esp32', 0x0],
    ['esp32', 0x1000],
    ['esp32s2', 0x1000],
    ['esp32s3', 0x0],
    ['esp32c3', 0x0],
    ['esp32p4', 0x0],
    ['esp32p4', 0x2000],
  ] as const)('causes a warning on an %s at 0x%x, in the plan and in the release', async (chip, offset) => {
    const files = [file('app.bin', offset, buildApp({ chipId: chipIds[chip], size: 20_000 }))];
    const on = board({ table: 'none', info: { chip, revision: { major: 1, minor: 0 } } });
    const { warnings, start } = await planned(files, on);
    expect(warnings.map(({ code }) => code)).toContain('app-misplaced');
    expect(start?.result).toBe('no');
    expect(await released(files, { ...esp32, deviceModel: chip } as unknown as typeof esp32)).toContain(
      'app-misplaced',
    );
  });

  it('has its effect and its remedy explained', async () => {
    const [warning] = (await planned([file('app.bin', 0, app)])).warnings;
    expect(warning?.what).toBe('"app.bin" is an app, and at 0x0 an ESP32 starts no app: the board would not start.');
    expect(warning?.remedy).toContain('usually 0x10000');
  });

  it.each([
    ['a bootloader at the place of the app', 0x10000, bootloader],
    ['a bootloader at the place of another chip', 0x0, bootloader],
    ['a bootloader at the place of an ESP32-P4', 0x2000, bootloader],
  ])('causes a warning as %s', async (_what, offset, bytes) => {
    const { warnings, start } = await planned([file('bootloader.bin', offset, bytes)]);
    expect(warnings.map(({ code }) => code)).toContain('bootloader-misplaced');
    expect(start?.result).toBe('no');
  });

  it('may be a second bootloader in a partition for one', async () => {
    const layout = [...factoryLayout, { name: 'recovery', type: 2, subtype: 2, offset: 0x200000, size: 0x8000 }];
    const on = board({ table: readPartitionTable(buildTable(layout)) });
    expect(codes(await planned([file('bootloader.bin', 0x200000, bootloader)], on))).toEqual([]);
  });
});

describe('flash size in the header', () => {
  const large = [...factoryLayout, { name: 'data', type: 1, subtype: 0x82, offset: 0x110000, size: 0xef0000 }];
  const filesWith = (sizeAndFrequency: number) => [
    file('bootloader.bin', 0x1000, buildBootloader({ sizeAndFrequency })),
    file('partitions.bin', 0x8000, buildTable(large)),
    file('app.bin', 0x10000, app),
  ];

  it('makes the start check say no for 8 MB with a table up to 16 MB', async () => {
    const { start, warnings } = await planned(filesWith(0x30));
    expect(warnings.map(({ what }) => what)).toEqual([
      '"bootloader.bin" is set up for 8 MB of flash, and partition "data" ends beyond that: the bootloader refuses the table, and the board would not start.',
    ]);
    expect([start?.result, start?.why]).toEqual(['no', 'Set the flash size to what the board has.']);
    expect(await released(filesWith(0x30))).toEqual(['partitions-beyond-setting']);
  });

  it('counts as written, so that a detected size makes the image start', async () => {
    const settings = { mode: 'keep', frequency: 'keep', size: 'detect' } as const;
    const made = await plan({ files: filesWith(0x30), board: blankBoard, settings });
    expect([codes(made), made.start?.result]).toEqual([[], 'yes']);
    const smaller = await plan({ files: filesWith(0x40), board: blankBoard, settings: { ...settings, size: 4 * MIB } });
    expect(smaller.start?.result).toBe('no');
  });

  it('may end exactly where the last partition does', async () => {
    expect(codes(await planned(filesWith(0x40)))).toEqual([]);
  });

  it('is checked in a merged image of a release', async () => {
    const parts = filesWith(0x30).map(({ offset, bytes }) => [offset, bytes] as const);
    expect(await released([file('all.bin', 0, buildMerged(parts))])).toEqual(['partitions-beyond-setting']);
  });

  it('causes a warning for a size or frequency that no chip has', async () => {
    expect(codes(await planned(filesWith(0x47)))).toEqual(['flash-setting-unknown']);
    expect(codes(await planned(filesWith(0x4f)))).toEqual([]);
  });
});

describe('start check of a plan', () => {
  const on = board({ table: readPartitionTable(buildTable(laterApp)) });

  it('depends on the place of the app', async () => {
    const answers = [0x20000, 0x120000, 0x10000].map(async (offset) => {
      const { start } = await planned([file('app.bin', offset, app)], on);
      return [start?.result, start?.why];
    });
    expect(await Promise.all(answers)).toEqual([
      ['yes', 'app.bin fits the chip, and the board asks for nothing more.'],
      ['yes', 'app.bin fits the chip, and the board asks for nothing more.'],
      ['no', 'Set the offset of an app partition, or add the partition table that belongs to the app.'],
    ]);
  });

  it('does not depend on a file system that is too large', async () => {
    const files = [file('app.bin', 0x20000, app), file('spiffs.bin', 0x220000, spiffs(0x40000))];
    const { start, refusals } = await planned(files, on);
    expect([start?.result, refusals.map(({ code }) => code)]).toEqual(['yes', ['larger-than-partition']]);
  });
});

describe('an app that is too large for its slot', () => {
  it('is refused with the slot in which it fits', async () => {
    const safeboot = [
      { name: 'safeboot', type: 0, subtype: 0, offset: 0x10000, size: 0xd0000 },
      { name: 'app0', type: 0, subtype: 0x10, offset: 0xe0000, size: 0x2a0000 },
    ];
    const on = board({ table: readPartitionTable(buildTable(safeboot)) });
    const { refusals } = await planned([file('tasmota32.bin', 0x10000, buildApp({ size: 1_900_000 }))], on);
    expect(refusals.map(({ remedy }) => remedy)).toEqual([
      'It fits in partition "app0": change its offset to 0xE0000.',
    ]);
  });
});

describe('contents that stay on the board', () => {
  const large = [...factoryLayout, { name: 'data', type: 1, subtype: 0x82, offset: 0x110000, size: 0xef0000 }];
  const table = [file('partitions.bin', 0x8000, buildTable(large))];
  const on = (headerSize: number) => board({ headerSize, info: { flash: flashOf(16 * MIB) } });

  it('can be a bootloader that refuses a new table beyond its flash size', async () => {
    expect((await planned(table, on(4 * MIB))).warnings.map(({ what }) => what)).toEqual([
      'The bootloader on the board is set up for 4 MB of flash, and partition "data" ends beyond that: the bootloader refuses the table, and the board would not start.',
    ]);
    expect(codes(await planned(table, on(16 * MIB)))).toEqual([]);
  });

  it('are empty when everything is erased and the files have no bootloader', async () => {
    const made = await plan({ files: [file('app.bin', 0x10000, app)], board: board(), erase: 'all' });
    expect(made.warnings.map(({ what }) => what)).toEqual([
      'What the board starts with is erased, and there is no bootloader and no partition table among the files: the board would not start.',
    ]);
    expect(made.start?.result).toBe('no');
  });
});

describe('overlapping parts', () => {
  const on = board({ table: readPartitionTable(buildTable(otaLayout)) });

  it.each<[string, string, number, Uint8Array]>([
    ['a bootloader that runs into the table', 'covers-table', 0x1000, buildBootloader({ size: 0x7800 })],
    ['data over the table', 'covers-table', 0x7000, filler(0x2000)],
    ['an app over two slots', 'larger-than-partition', 0x10000, buildApp({ size: 0x150000 })],
    ['data beyond the end of the last partition', 'beyond-partition', 0x290000, filler(0x161000)],
    ['data over part of another partition', 'covers-partitions', 0xd000, filler(0x1800)],
  ])('are found: %s', async (_what, code, offset, bytes) => {
    expect(codes(await plan({ files: [file('data.bin', offset, bytes)], board: on, keepNvs: false }))).toContain(code);
  });
});

describe('data in front of a partition', () => {
  it('causes a warning if it runs into that partition', async () => {
    const on = board({ table: readPartitionTable(buildTable(laterApp)) });
    const { warnings } = await planned([file('data.bin', 0x1f000, filler(0x3000))], on);
    expect(warnings.map(({ what }) => what)).toEqual([
      '"data.bin" begins in front of partition "app0" and is written over it.',
    ]);
  });
});

describe('a table elsewhere than 0x8000', () => {
  const matter = [
    { name: 'esp_secure_cert', type: 0x3f, subtype: 6, offset: 0xd000, size: 0x2000, flags: 1 },
    { name: 'nvs', type: 1, subtype: 2, offset: 0x10000, size: 0xc000 },
    { name: 'nvs_keys', type: 1, subtype: 4, offset: 0x1c000, size: 0x1000, flags: 1 },
    { name: 'otadata', type: 1, subtype: 0, offset: 0x1d000, size: 0x2000 },
    { name: 'phy_init', type: 1, subtype: 1, offset: 0x1f000, size: 0x1000 },
    { name: 'ota_0', type: 0, subtype: 0x10, offset: 0x20000, size: 0x1e0000 },
    { name: 'ota_1', type: 0, subtype: 0x11, offset: 0x200000, size: 0x1e0000 },
    { name: 'fctry', type: 1, subtype: 2, offset: 0x3e0000, size: 0x6000 },
  ];
  const on = board({ table: readPartitionTable(buildTable(matter)), tableOffset: 0xc000 });

  it('is the board’s, so that an app alone leaves its settings alone', async () => {
    const made = await planned([file('app.bin', 0x20000, app)], on);
    expect(codes(made)).toEqual([]);
    const wrong = await planned([file('app.bin', 0x10000, app)], on);
    expect(codes(wrong)).toContain('nvs-in-file');
  });

  it('keeps the settings that a merged image of the same layout would overwrite', async () => {
    const all = buildMerged([
      [0x1000, buildBootloader({ size: 0x9000 })],
      [0xc000, buildTable(matter)],
      [0x20000, app],
    ]);
    const made = await planned([file('all.bin', 0, all)], on);
    expect(codes(made)).toEqual([]);
    const touched = made.regions.filter(({ offset, bytes }) => offset < 0x1d000 && offset + bytes.length > 0x10000);
    expect(touched).toEqual([]);
    expect(made.map.find(({ name }) => name === 'nvs')?.fate).toBe('kept');
    expect(await released([file('all.bin', 0, all)])).toEqual([]);
  });

  it('is not reported as misplaced at the place it is made for', async () => {
    const files = [
      file('bootloader.bin', 0x1000, buildBootloader({ size: 0x9000 })),
      file('partition-table.bin', 0xc000, buildTable(matter)),
      file('app.bin', 0x20000, app),
    ];
    expect(codes(await planned(files))).toEqual([]);
    expect(await released(files)).toEqual([]);
    const alone = [file('partition-table.bin', 0xc000, buildTable(matter))];
    expect(codes(await planned(alone, board()))).toContain('table-misplaced');
  });

  it('is reported if it is not found before a write that is to keep the settings', async () => {
    const unknown = board({ table: 'none', isBlank: false });
    expect(codes(await planned([file('all.bin', 0, buildMerged([[0x1000, bootloader]]))], unknown))).toContain(
      'settings-not-found',
    );
    const empty = board({ table: 'none', isBlank: true });
    expect(codes(await planned([file('app.bin', 0x10000, app)], empty))).not.toContain('settings-not-found');
  });
});

describe('published layouts', () => {
  const padded = (size: number, parts: readonly Placed[]) => buildMerged([...parts, [size - 1, Uint8Array.of(0xff)]]);
  const at = (name: string, type: number, subtype: number, offset: number, size: number) => ({
    ...{ name, type, subtype },
    ...{ offset, size },
  });
  const nvs = at('nvs', 1, 2, 0x9000, 0x5000);
  const tasmota = [
    nvs,
    at('otadata', 1, 0, 0xe000, 0x2000),
    at('safeboot', 0, 0, 0x10000, 0xd0000),
    at('app0', 0, 0x10, 0xe0000, 0x2a0000),
    at('spiffs', 1, 0x82, 0x380000, 0x80000),
  ];
  const espHome = [
    at('otadata', 1, 0, 0x9000, 0x2000),
    at('phy_init', 1, 1, 0xb000, 0x1000),
    at('app0', 0, 0x10, 0x10000, 0x1c0000),
    at('app1', 0, 0x11, 0x1d0000, 0x1c0000),
    at('nvs', 1, 2, 0x390000, 0x6d000),
  ];
  const microPython = [
    at('nvs', 1, 2, 0x9000, 0x6000),
    at('phy_init', 1, 1, 0xf000, 0x1000),
    at('factory', 0, 0, 0x10000, 0x1f0000),
    at('vfs', 1, 0x81, 0x200000, 0x200000),
  ];
  const twoOta = [
    at('nvs', 1, 2, 0x9000, 0x4000),
    at('otadata', 1, 0, 0xd000, 0x2000),
    at('phy_init', 1, 1, 0xf000, 0x1000),
    at('factory', 0, 0, 0x10000, 0x100000),
    at('ota_0', 0, 0x10, 0x110000, 0x100000),
    at('ota_1', 0, 0x11, 0x210000, 0x100000),
  ];
  const bareArduino = [at('nvs', 1, 2, 0x9000, 0x5000), at('factory', 0, 0, 0x10000, 0x1e0000)];
  const core = at('coredump', 1, 3, 0x3f0000, 0x10000);
  const head = (layout: readonly BuiltPartition[]): Placed[] => [
    [0x1000, bootloader],
    [0x8000, buildTable(layout)],
  ];

  it.each<[string, EspPlanFile[]]>([
    [
      'Arduino, merged and padded to the flash',
      [
        file(
          'sketch.ino.merged.bin',
          0,
          padded(4 * MIB, [...head([...otaLayout, core]), [0xe000, buildOtaData(1)], [0x10000, app]]),
        ),
      ],
    ],
    [
      'Arduino, with boot_app0.bin and a table without OTA data',
      [
        ...head(bareArduino).map(([offset, bytes], index) => file(`${index}.bin`, offset, bytes)),
        file('boot_app0.bin', 0xe000, buildOtaData(1)),
        file('sketch.bin', 0x10000, app),
      ],
    ],
    ['ESP-IDF with a factory app', [file('merged.bin', 0, buildMerged([...head(factoryLayout), [0x10000, app]]))]],
    [
      'ESP-IDF with a factory app and two slots',
      [
        file(
          'merged.bin',
          0x1000,
          buildMerged([...head(twoOta), [0xd000, new Uint8Array(0x2000).fill(0xff)], [0x10000, app]], 0x1000),
        ),
      ],
    ],
    [
      'Tasmota with its safeboot',
      [
        file(
          'tasmota32.factory.bin',
          0,
          buildMerged([...head(tasmota), [0xe000, buildOtaData(1)], [0x10000, app], [0xe0000, app]]),
        ),
      ],
    ],
    [
      'ESPHome',
      [file('firmware.factory.bin', 0, buildMerged([...head(espHome), [0x9000, buildOtaData(1)], [0x10000, app]]))],
    ],
    ['MicroPython', [file('ESP32_GENERIC.bin', 0x1000, buildMerged([...head(microPython), [0x10000, app]], 0x1000))]],
    [
      'a copy of a whole flash with data from an earlier layout',
      [
        file(
          'backup.bin',
          0,
          padded(4 * MIB, [
            ...head(otaLayout),
            [0x9000, buildNvs(0x3000)],
            [0xe000, buildOtaData(1, 2)],
            [0x10000, app],
            [0x150000, app],
            [0x1d0000, app],
            [0x1a0000, filler(0x3000)],
            [0x200000, littleFs(0x10000)],
            [0x290000, littleFs(0x160000)],
          ]),
        ),
      ],
    ],
  ])('get no warning: %s', async (_what, files) => {
    const four = board({ table: 'none' });
    expect(codes(await planned(files, four))).toEqual([]);
    expect(await released(files)).toEqual([]);
  });
});

describe('a file of a build in a release', () => {
  it('has its parts of Intel HEX checked against the table in it', async () => {
    const hex = buildIntelHex([
      { address: 0x1000, bytes: bootloader },
      { address: 0x8000, bytes: buildTable(laterApp) },
      { address: 0x10000, bytes: app },
    ]);
    const { warnings } = checkBuild([{ name: 'all.hex', reading: await readBuildFile('all.hex', hex, esp32) }], esp32);
    expect(warnings.map(({ code, files }) => [code, files])).toEqual([['not-at-a-partition', ['all.hex']]]);
  });
});
