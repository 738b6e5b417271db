/**
 * One build in several forms: files apart, merged, merged from the partition table on, and merged behind it, as .bin and
 * as Intel HEX. What the bytes do is the same, so that the verdicts are.
 */
import { describe, expect, it } from 'vitest';
import { buildImage } from '../../file-systems/index.ts';
import { buildIntelHex } from '../../images/testing/formats.ts';
import { checkBuild } from '../../release/check-build.ts';
import { binaryReading } from '../../release/read-build-file.ts';
import { readFirmware } from '../../release/read-firmware.ts';
import { expandFiles } from '../build-output/expand-files.ts';
import type { BootRules } from '../efuse/boot-rules.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import { type BuiltPartition, buildNvs, buildOtaData, buildTable } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds, filler } from '../testing/esp-images.ts';
import { board, file, flashOf, MIB, plan } from '../testing/plans.ts';
import type { EspPlanBoard, EspPlanFile } from './esp-plan-types.ts';

type Placed = readonly [offset: number, bytes: Uint8Array];

const s3 = { chipId: chipIds.esp32s3 };
const bootloader = buildBootloader(s3);
const app = buildApp(s3);
const ofC3 = buildApp({ chipId: chipIds.esp32c3 });
const damaged = () => buildApp({ ...s3, size: 4_000 }).fill(0, 400, 500);
const shorter = buildImage('littlefs', 0x10000, [{ path: '/index.html', bytes: filler(2_000) }]);
const larger = buildImage('littlefs', 0x40000, [{ path: '/index.html', bytes: filler(2_000) }]);
const spiffs = buildImage('spiffs', 0x20000, [{ path: '/index.html', bytes: filler(2_000) }]);

const partition = (name: string, type: number, subtype: number, offset: number, size: number): BuiltPartition => ({
  name,
  type,
  subtype,
  offset,
  size,
});
const head = [partition('nvs', 1, 2, 0x9000, 0x5000), partition('otadata', 1, 0, 0xe000, 0x2000)];
const slots = [
  ...head,
  partition('app0', 0, 0x10, 0x10000, 0x100000),
  partition('app1', 0, 0x11, 0x110000, 0x100000),
  partition('spiffs', 1, 0x82, 0x210000, 0x20000),
];
/** SPIFFS where the usual layouts have the app. */
const filesFirst = [
  ...head,
  partition('spiffs', 1, 0x82, 0x10000, 0x100000),
  partition('app0', 0, 0x10, 0x120000, 0x100000),
  partition('coredump', 1, 3, 0x220000, 0x10000),
];
const largeLayout = [...slots, partition('big', 1, 0x82, 0x400000, 0xc00000)];

const info = { chip: 'esp32s3', model: 'ESP32-S3', revision: { major: 0, minor: 1 } } as const;
const on = (changes: Partial<EspPlanBoard['info']> = {}, others: Partial<EspPlanBoard> = {}) =>
  board({ table: 'none', isBlank: true, ...others, info: { ...info, flash: flashOf(16 * MIB), ...changes } });

const noRules: BootRules = {
  secureBoot: 'off',
  keys: [],
  flashEncryption: 'off',
  encryptsDownloads: false,
  secureVersion: 0,
  ignoresMaximumRevision: false,
};

const whole = (layout: readonly BuiltPartition[], ...parts: readonly Placed[]): readonly Placed[] => [
  [0, bootloader],
  [0x8000, buildTable(layout)],
  ...parts,
];

const merged = (parts: readonly Placed[]): Placed => {
  const start = parts[0]?.[0] ?? 0;
  return [start, buildMerged(parts, start)];
};
const bin = (parts: readonly Placed[]) => parts.map(([offset, bytes]) => file(`at-${offset}.bin`, offset, bytes));
const hex = (parts: readonly Placed[]) =>
  expandFiles([
    { name: 'all.hex', bytes: buildIntelHex(parts.map(([address, bytes]) => ({ address, bytes }))) },
  ]).files.map((one) => file(one.name, one.address ?? 0, one.bytes));

/** Apart from the files themselves. */
const forms: readonly (readonly [string, (parts: readonly Placed[]) => EspPlanFile[]])[] = [
  ['merged', (parts) => bin([merged(parts)])],
  ['merged from the partition table on', ([first, ...rest]) => bin([first as Placed, merged(rest)])],
  [
    'merged behind the partition table',
    ([first, second, ...rest]) => bin([first as Placed, second as Placed, merged(rest)]),
  ],
  ['merged as Intel HEX', (parts) => hex([merged(parts)])],
];

/** Findings that a merged file has in place of others, because it also writes what is between its parts. */
const sameAs: Readonly<Record<string, string>> = {
  'not-firmware': 'not-an-app',
  'other-app-starts': 'selects-no-app',
};

async function planned(files: readonly EspPlanFile[], target: EspPlanBoard) {
  const { refusals, warnings, start } = await plan({ files, board: target });
  const codes = [...refusals, ...warnings].map(({ code }) => sameAs[code] ?? code);
  return { codes: [...new Set(codes)].toSorted(), isRefused: refusals.length > 0, start: start?.result };
}

async function released(files: readonly EspPlanFile[]) {
  const read = files.map(async ({ name, offset, bytes }) => ({
    name,
    reading: binaryReading(name, { offset, size: bytes.length, reading: await readFirmware(bytes) }),
  }));
  const device = { deviceFamily: 'esp', deviceModel: 'esp32s3', label: 'ESP32-S3' } as const;
  const { refusals, damage, warnings } = checkBuild(await Promise.all(read), device);
  const codes = [...refusals, ...damage, ...warnings].map(({ code }) => sameAs[code] ?? code);
  return { codes: [...new Set(codes)].toSorted(), isRefused: refusals.length + damage.length > 0 };
}

interface Case {
  readonly parts: readonly Placed[];
  readonly board?: EspPlanBoard;
  /** Findings of a plan. */
  readonly plan: readonly string[];
  /** Findings of a release; missing: those of the plan. */
  readonly release?: readonly string[];
  readonly isRefused?: true;
  readonly starts: 'yes' | 'no';
}

const cases: Readonly<Record<string, Case>> = {
  'is whole': {
    parts: whole(slots, [0xe000, buildOtaData(1)], [0x10000, app], [0x210000, spiffs]),
    plan: [],
    starts: 'yes',
  },
  'has its app in the partition of files': {
    parts: whole(filesFirst, [0x10000, buildApp({ ...s3, size: 900_000 })]),
    plan: ['not-at-a-partition'],
    starts: 'no',
  },
  'has its app between two partitions': {
    parts: whole([...head, partition('app0', 0, 0x10, 0x20000, 0x100000)], [0x10000, app]),
    plan: ['not-at-a-partition'],
    starts: 'no',
  },
  'has its app within 64 KiB': {
    parts: whole([...head, partition('app0', 0, 0x10, 0x20000, 0x100000)], [0x18000, app]),
    plan: ['app-not-aligned', 'not-at-a-partition'],
    starts: 'no',
  },
  'has an app that is larger than its slot': {
    parts: whole(slots, [0x10000, buildApp({ ...s3, size: 0x100000 })]),
    plan: ['larger-than-partition'],
    isRefused: true,
    starts: 'no',
  },
  'has an app for another chip': {
    parts: whole(slots, [0x10000, ofC3]),
    plan: ['wrong-chip'],
    release: ['chips-differ'],
    isRefused: true,
    starts: 'no',
  },
  'has an app for another chip in its second slot': {
    parts: whole(slots, [0x10000, app], [0x110000, ofC3]),
    plan: ['wrong-chip'],
    release: ['chips-differ'],
    isRefused: true,
    starts: 'no',
  },
  'has a bootloader for another chip': {
    parts: [[0, buildBootloader({ chipId: chipIds.esp32c3 })], ...whole(slots, [0x10000, app]).slice(1)],
    plan: ['wrong-chip'],
    release: ['chips-differ'],
    isRefused: true,
    starts: 'no',
  },
  'has an app for a newer revision': {
    parts: whole(slots, [0x10000, buildApp({ ...s3, minimumRevision: 302 })]),
    plan: ['wrong-revision'],
    release: [],
    isRefused: true,
    starts: 'no',
  },
  'is older than the security version of the board': {
    parts: whole(slots, [0x10000, app]),
    board: on({}, { bootRules: { ...noRules, secureVersion: 3 } }),
    plan: ['older-version'],
    release: [],
    isRefused: true,
    starts: 'no',
  },
  'is plain for encrypted flash': {
    parts: whole(slots, [0x10000, app]),
    board: on({ security: { secureBoot: false, flashEncryption: true, secureDownload: false } }),
    plan: ['flash-encryption'],
    release: [],
    isRefused: true,
    starts: 'no',
  },
  'carries no signature': {
    parts: whole(slots, [0x10000, app]),
    board: on({ security: { secureBoot: true, flashEncryption: false, secureDownload: false } }),
    plan: ['not-signed'],
    release: [],
    isRefused: true,
    starts: 'no',
  },
  'is set up for more flash than the board has': {
    parts: [[0, buildBootloader({ ...s3, sizeAndFrequency: 0x40 })], ...whole(slots, [0x10000, app]).slice(1)],
    board: on({ flash: flashOf(4 * MIB) }),
    plan: ['flash-size-setting'],
    release: [],
    isRefused: true,
    starts: 'no',
  },
  'has a table beyond the flash that it is set up for': {
    parts: whole(largeLayout, [0x10000, app]),
    plan: ['partitions-beyond-setting'],
    starts: 'no',
  },
  'has a damaged app': {
    parts: whole(slots, [0x10000, damaged()]),
    plan: ['image-damaged'],
    isRefused: true,
    starts: 'no',
  },
  'has a damaged bootloader': {
    parts: [[0, buildBootloader(s3).fill(0, 200, 300)], ...whole(slots, [0x10000, app]).slice(1)],
    plan: ['image-damaged'],
    isRefused: true,
    starts: 'no',
  },
  'has data in the place of its app': {
    parts: whole(slots, [0x10000, filler(9_000)]),
    plan: ['not-an-app'],
    starts: 'no',
  },
  'has OTA data inside of its settings': {
    parts: whole(slots, [0x9000, buildOtaData(1)], [0x10000, app]),
    plan: ['data-misplaced'],
    starts: 'yes',
  },
  'has settings where the OTA data belong': {
    parts: whole(slots, [0xe000, buildNvs(0x2000)], [0x10000, app]),
    plan: ['not-ota-data'],
    starts: 'yes',
  },
  'brings settings that would replace those of the board': {
    parts: whole(slots, [0x9000, buildNvs(0x5000)], [0x10000, app]),
    board: on({}, { table: readPartitionTable(buildTable(slots)), isBlank: false }),
    plan: ['nvs-in-file'],
    release: [],
    isRefused: true,
    starts: 'yes',
  },
  'has files that are shorter than their partition': {
    parts: whole(slots, [0x10000, app], [0x210000, shorter]),
    plan: ['file-system-shorter'],
    starts: 'yes',
  },
  'has files that are larger than their partition': {
    parts: whole(slots, [0x10000, app], [0x210000, larger]),
    plan: ['larger-than-partition'],
    isRefused: true,
    starts: 'yes',
  },
};

describe.each(Object.entries(cases))('a build that %s', (_what, { parts, plan: found, release, ...expected }) => {
  const target = expected.board ?? on();
  const inPlan = { codes: found, isRefused: expected.isRefused === true, start: expected.starts };
  const inRelease = {
    codes: release ?? found,
    isRefused: expected.isRefused === true && (release ?? found).length > 0,
  };

  it('is judged by its files', async () => {
    expect(await planned(bin(parts), target)).toEqual(inPlan);
    expect(await released(bin(parts))).toEqual(inRelease);
    expect(await planned(hex(parts), target)).toEqual(inPlan);
  });

  it.each(forms)('has the same verdicts %s', async (_form, filesOf) => {
    expect(await planned(filesOf(parts), target)).toEqual(inPlan);
    expect(await released(filesOf(parts))).toEqual(inRelease);
  });
});

describe('a merged file', () => {
  const mergedFile = (parts: readonly Placed[]) => bin([merged(parts)]);

  it('names the app that no partition has', async () => {
    const { warnings, start } = await plan({
      files: mergedFile(whole(filesFirst, [0x10000, buildApp({ ...s3, size: 900_000 })])),
      board: on(),
    });
    expect(warnings.map(({ what }) => what)).toEqual([
      'The app in "at-0.bin" is at 0x10000, where the partition table has no app.',
    ]);
    expect(start?.why).toContain('Set the offset of an app partition');
  });

  it('names the program in it that is for another chip', async () => {
    const sentences = async (parts: readonly Placed[]) =>
      (await plan({ files: mergedFile(parts), board: on() })).refusals.map(({ what }) => what);
    expect(await sentences(whole(slots, [0x10000, ofC3]))).toEqual([
      'The app in "at-0.bin" was built for ESP32-C3. This board has an ESP32-S3.',
    ]);
    const c3 = [0, buildBootloader({ chipId: chipIds.esp32c3 })] as const;
    expect(await sentences([c3, ...whole(slots, [0x10000, ofC3]).slice(1)])).toEqual([
      '"at-0.bin" was built for ESP32-C3. This board has an ESP32-S3.',
    ]);
  });

  it.each(['spiffs', 'coredump'])(
    'may have an app in "%s" beside the one that starts, with a warning',
    async (name) => {
      const offset = filesFirst.find((one) => one.name === name)?.offset ?? 0;
      const parts = whole(
        filesFirst,
        ...(
          [
            [offset, app],
            [0x120000, app],
          ] as Placed[]
        ).toSorted((a, b) => a[0] - b[0]),
      );
      expect(await planned(mergedFile(parts), on())).toEqual({
        codes: ['data-misplaced'],
        isRefused: false,
        start: 'yes',
      });
      expect((await released(mergedFile(parts))).codes).toEqual(['data-misplaced']);
    },
  );

  it('may have firmware for a second chip in a partition of data', async () => {
    const layout = [...slots, partition('other', 1, 0x40, 0x230000, 0x10000)];
    const parts = whole(layout, [0x10000, app], [0x230000, ofC3]);
    expect(await planned(mergedFile(parts), on())).toEqual({ codes: [], isRefused: false, start: 'yes' });
    expect((await released(mergedFile(parts))).codes).toEqual([]);
    const inFiles = whole(slots, [0x10000, app], [0x210000, ofC3]);
    expect((await planned(mergedFile(inFiles), on())).codes).toEqual(['data-misplaced']);
  });

  it('has a warning for a damaged app beside a whole one', async () => {
    const parts = whole(slots, [0x10000, app], [0x110000, damaged()]);
    for (const [, filesOf] of forms) {
      expect(await planned(filesOf(parts), on())).toEqual({
        codes: ['app-inside-damaged'],
        isRefused: false,
        start: 'yes',
      });
      expect((await released(filesOf(parts))).codes).toEqual(['app-inside-damaged']);
    }
  });

  it('has no app where it has a second bootloader', async () => {
    expect(await planned(mergedFile(whole(slots, [0x10000, bootloader])), on())).toEqual({
      codes: ['not-an-app'],
      isRefused: false,
      start: 'no',
    });
  });

  it('carries the digest of its bootloader for Secure Boot V1', async () => {
    const digest = Uint8Array.from({ length: 192 }, (_, index) => (index * 73 + 11) & 0xff);
    const parts: Placed[] = [
      [0, digest],
      [0x1000, buildBootloader()],
      [0x8000, buildTable(slots)],
      [0x10000, buildApp()],
    ];
    const esp32 = {
      chip: 'esp32',
      model: 'ESP32',
      security: { secureBoot: true, flashEncryption: false, secureDownload: false },
    } as const;
    const { start } = await plan({
      files: mergedFile(parts),
      board: on(esp32, {
        bootRules: { ...noRules, secureBoot: 'v1' },
      }),
    });
    expect(start?.checks.map(({ text }) => text).join('\n')).toContain('carries a digest for Secure Boot V1');
  });

  it('may begin at the OTA data, which keep their size', async () => {
    const parts: Placed[] = [
      [0xe000, buildOtaData(1)],
      [0x10000, app],
    ];
    const target = on({}, { table: readPartitionTable(buildTable(slots)), isBlank: false });
    for (const files of [bin(parts), mergedFile(parts), hex(parts)]) {
      expect(await planned(files, target)).toEqual({ codes: [], isRefused: false, start: 'yes' });
    }
  });
});
