import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import type { BootRules } from '../efuse/boot-rules.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import {
  type BuiltPartition,
  buildLittleFs,
  buildNvs,
  buildNvsKeys,
  buildTable,
  factoryLayout,
} from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds, filler } from '../testing/esp-images.ts';
import { board, codesOf, file, plan } from '../testing/plans.ts';

const off: BootRules = {
  secureBoot: 'off',
  keys: [],
  flashEncryption: 'off',
  encryptsDownloads: false,
  secureVersion: 0,
  ignoresMaximumRevision: false,
};
const development: BootRules = { ...off, flashEncryption: 'development', encryptsDownloads: true };
const releaseRules: BootRules = { ...off, flashEncryption: 'release' };

/** @param layout Null: the table cannot be read, as on every such board. */
const s3 = (rules: BootRules, layout: readonly BuiltPartition[] | null = factoryLayout) =>
  board({
    info: {
      chip: 'esp32s3',
      model: 'ESP32-S3',
      revision: { major: 0, minor: 2 },
      security: { secureBoot: false, flashEncryption: rules.flashEncryption !== 'off', secureDownload: false },
    },
    table: layout === null ? 'not-read' : readPartitionTable(buildTable(layout)),
    bootRules: rules,
  });
const appOf = () => buildApp({ chipId: chipIds.esp32s3, maximumRevision: 99 });
const bootloader = buildBootloader({ chipId: chipIds.esp32s3, segments: [{ address: 0x3fce3808, data: filler(400) }] });
const asApp = (bytes: Uint8Array) => [file('app.bin', 0x10000, bytes)];
const asBootloader = (bytes: Uint8Array) => [file('bootloader.bin', 0, bytes)];

describe('programs for an encrypted board', () => {
  const build = [
    ...asBootloader(bootloader),
    file('partition-table.bin', 0x8000, buildTable(factoryLayout)),
    ...asApp(appOf()),
  ];

  it('are stored by their own contents, although two files have one name', async () => {
    // Keys of NVS: erased sectors stay plain. The other file of the name has none.
    const layout = [...factoryLayout, { name: 'nvs_key', type: 1, subtype: 4, offset: 0x200000, size: 0x2000 }];
    const keys = new Uint8Array(0x2000).fill(0xff);
    keys.set(buildNvsKeys());
    const files = [file('main.bin', 0x10000, appOf()), file('main.bin', 0x200000, keys)];
    const { regions } = await plan({ files, board: s3(development, layout), encrypt: true, keepNvs: false });
    const apart = await plan({ files: files.slice(1), board: s3(development, layout), encrypt: true, keepNvs: false });
    const ofKeys = regions
      .filter(({ offset }) => offset >= 0x200000)
      .map(({ offset, encrypted }) => [offset, encrypted]);
    expect(ofKeys).toEqual(apart.regions.map(({ offset, encrypted }) => [offset, encrypted]));
    expect(ofKeys.length).toBe(2);
  });

  it('do not start plain, and the plan hints at the remedy', async () => {
    const { start, refusals } = await plan({ files: asApp(appOf()), board: s3(development) });
    expect(start).toMatchObject({ result: 'no', why: 'Choose "Encrypt on the board" in the settings.' });
    expect(refusals).toMatchObject([{ code: 'flash-encryption', overridable: false, remedy: start?.why }]);
    const release = s3(releaseRules);
    const there = await plan({ files: asApp(appOf()), board: release, encrypt: true });
    expect(there.start).toMatchObject({ result: 'no', why: 'Write only firmware that was encrypted for this board.' });
    expect(codesOf(there)[0]).toEqual(['flash-encryption']);
  });

  it('are encrypted on request, and so is the table', async () => {
    const { start, refusals, regions } = await plan({ files: build, board: s3(development), encrypt: true });
    expect([start?.result, refusals]).toEqual(['yes', []]);
    expect(regions.map(({ file: name, encrypted }) => [name, encrypted])).toEqual([
      ['bootloader.bin', true],
      ['partition-table.bin', true],
      ['app.bin', true],
    ]);
  });

  it('are refused if they may be encrypted already, and written as they are once that is typed', async () => {
    const files = [file('encrypted.bin', 0x10000, filler(5_000))];
    const input = { files, board: s3(development), encrypt: true };
    expect((await plan(input)).refusals).toMatchObject([{ code: 'flash-encryption', overridable: true }]);
    const { refusals, regions } = await plan({ ...input, overrides: ['flash-encryption'] });
    expect([refusals, regions.map(({ encrypted }) => encrypted)]).toEqual([[], [undefined]]);
  });

  it('are encrypted within a merged image by its table', async () => {
    const merged = buildMerged([
      [0, bootloader],
      [0x8000, buildTable(factoryLayout)],
      [0x10000, appOf()],
    ]);
    const { regions } = await plan({
      files: [file('merged.bin', 0, merged)],
      board: s3(development),
      encrypt: true,
      keepNvs: false,
    });
    const at = (offset: number) =>
      regions.find((region) => region.offset <= offset && offset < region.offset + region.bytes.length);
    expect([0, 0x8000, 0x9000, 0xf000, 0x10000].map((offset) => at(offset)?.encrypted)).toEqual([
      true,
      true,
      undefined,
      undefined,
      true,
    ]);
  });

  it('stay plain if flash encryption is off', async () => {
    const { regions } = await plan({ files: build, board: s3(off), encrypt: true });
    expect(regions.some(({ encrypted }) => encrypted)).toBe(false);
  });
});

describe('data for an encrypted board', () => {
  const data = (name: string, subtype: number, offset: number, flags = 0) => ({
    name,
    type: 1,
    subtype,
    offset,
    size: 0x4000,
    flags,
  });
  const layout = [
    ...factoryLayout,
    { ...data('nvs_key', 4, 0x110000), size: 0x1000 },
    data('storage', 0x82, 0x114000),
    data('secret', 0x82, 0x118000, 1),
    data('own', 6, 0x11c000),
    data('sealed', 6, 0x120000, 1),
    { ...data('tee', 0x90, 0x124000), size: 0x2000 },
  ];
  const ask = (bytes: Uint8Array, offset: number, input: Parameters<typeof plan>[0] = {}) =>
    plan({
      files: [file('data.bin', offset, bytes)],
      board: s3(development, layout),
      encrypt: true,
      keepNvs: false,
      ...input,
    });
  /** Returns codes, and whether the regions are encrypted. */
  const outcome = async (...input: Parameters<typeof ask>) => {
    const made = await ask(...input);
    const [refusals, warnings = []] = codesOf(made);
    const others = warnings.filter((code) => code !== 'nvs-erased');
    return [refusals, others, made.regions.map(({ encrypted = false }) => encrypted)];
  };
  const unsure = filler(4_096).fill(0xff, 2_048);

  it.each([
    ['keys of nvs_partition_gen.py in nvs_keys', buildNvsKeys(), 0x110000, true],
    ['unknown data in nvs_keys', unsure, 0x110000, true],
    ['a file system in a partition without the flag', buildLittleFs(), 0x114000, false],
    ['a file system in a partition with the flag', buildLittleFs(), 0x118000, true],
    ['unknown data in a partition without the flag', unsure, 0x11c000, false],
    ['unknown data in a partition with the flag', unsure, 0x120000, true],
    ['settings', buildNvs(), 0x9000, false],
    ['the choice of a trusted app', unsure, 0x124000, true],
    ['unknown data outside of all partitions', unsure, 0x200000, false],
  ])('are encrypted by their place alone: %s', async (_, bytes, offset, isEncrypted) => {
    expect(await outcome(bytes, offset)).toEqual([[], [], [isEncrypted]]);
  });

  it('are cut without losing a byte, at borders of partitions', async () => {
    const places = fc.record({
      sectors: fc.integer({ min: 1, max: 40 }),
      first: fc.integer({ min: 0x110, max: 0x12c }),
      cut: fc.nat(4_095),
    });
    await fc.assert(
      fc.asyncProperty(places, async ({ sectors, first, cut }) => {
        const bytes = filler(sectors * 0x1000).subarray(0, sectors * 0x1000 - cut);
        const { regions, refusals } = await ask(bytes, first * 0x1000);
        expect(refusals.filter(({ code }) => code !== 'larger-than-partition')).toEqual([]);
        expect(Buffer.concat(regions.map((region) => region.bytes)).equals(bytes)).toBe(true);
        for (const { offset, bytes: own, encrypted = false } of regions) {
          const places = layout.filter((one) => one.offset < offset + own.length && offset < one.offset + one.size);
          const isSecret = ({ subtype, flags = 0 }: (typeof layout)[number]) =>
            flags === 1 || subtype === 4 || subtype === 0x90;
          expect(places.every((one) => isSecret(one) === encrypted)).toBe(true);
        }
      }),
    );
  });

  it('are cut where a partition with the flag begins', async () => {
    const { regions } = await ask(filler(0x8000), 0x114000);
    expect(regions.map(({ offset, encrypted }) => [offset, encrypted])).toEqual([
      [0x114000, undefined],
      [0x118000, true],
    ]);
  });

  it('leave erased keys erased, which NVS takes for none', async () => {
    expect(await outcome(new Uint8Array(0x1000).fill(0xff), 0x110000)).toEqual([[], [], [false]]);
  });

  it.each([
    ['in development mode', development],
    ['in release mode', releaseRules],
  ])('without the flag are written plain without a word, also without *Encrypt*, %s', async (_, rules) => {
    const on = { board: s3(rules, layout), encrypt: false };
    expect(await outcome(buildLittleFs(), 0x114000, on)).toEqual([[], [], [false]]);
    expect(await outcome(unsure, 0x11c000, on)).toEqual([[], [], [false]]);
  });

  it.each([
    ['keys', buildNvsKeys(), 0x110000, 'nvs_key'],
    ['a file system', buildLittleFs(), 0x118000, 'secret'],
    ['a text', new Uint8Array(4_096).fill(0x20, 64), 0x120000, 'sealed'],
  ])(
    'are never written plain where the board reads them encrypted, whatever is typed: %s',
    async (_, bytes, offset, name) => {
      const { refusals } = await ask(bytes, offset, { encrypt: false, overrides: ['flash-encryption'] });
      expect(refusals).toMatchObject([
        {
          code: 'flash-encryption',
          overridable: false,
          what: `The flash of this board is encrypted, and so is partition "${name}": its program could not read "data.bin" as it is.`,
          remedy: 'Choose "Encrypt on the board" in the settings.',
        },
      ]);
    },
  );

  it('stay as they are without *Encrypt*, once it is typed that they are encrypted already', async () => {
    const sealed = noise(4_096);
    const { refusals } = await ask(sealed, 0x110000, { encrypt: false });
    expect(refusals).toMatchObject([{ code: 'flash-encryption', overridable: true }]);
    expect(await outcome(sealed, 0x110000, { encrypt: false, overrides: ['flash-encryption'] })).toEqual([
      [],
      [],
      [false],
    ]);
    expect(await outcome(sealed, 0x110000)).toEqual([[], ['encrypted-again'], [true]]);
  });

  it('are refused where no partition table says how they are stored, whatever is typed', async () => {
    const unread = { board: s3(development, null), overrides: ['flash-encryption'] as const };
    expect(await outcome(buildLittleFs(), 0x114000, unread)).toEqual([['encryption-unknown'], [], [false]]);
    expect(await outcome(unsure, 0x114000, unread)).toEqual([['encryption-unknown'], [], [false]]);
    expect(await outcome(buildNvsKeys(), 0x110000, unread)).toEqual([[], [], [true]]);
    // NVS and SPIFFS work in plain partitions only.
    expect(await outcome(buildNvs(), 0x9000, unread)).toEqual([[], [], [false]]);
    const files = [
      file('partition-table.bin', 0x8000, buildTable(layout)),
      file('data.bin', 0x114000, buildLittleFs()),
    ];
    const made = await plan({ files, board: s3(development, null), encrypt: true });
    expect([codesOf(made)[0], made.regions.map(({ encrypted }) => encrypted)]).toEqual([[], [true, undefined]]);
  });
});
