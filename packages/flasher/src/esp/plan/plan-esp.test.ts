import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findImageFaults, readEspImage } from '../images/esp-image.ts';
import { readFlashSettings } from '../images/flash-settings.ts';
import { readOtaEntries } from '../images/ota-data.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import { type BuiltPartition, buildOtaData, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, filler } from '../testing/esp-images.ts';
import { board, codesOf, file, flashOf, MIB, merged, plan, sentencesOf, wholeBuild } from '../testing/plans.ts';
import type { EspPlan } from './esp-plan-types.ts';

const mapOf = ({ map }: EspPlan) => map.map(({ offset, length, name, fate }) => [offset, length, name, fate]);

describe('plan of a whole build', () => {
  it('writes each file in regions and refuses nothing', async () => {
    const made = await plan({});
    expect(codesOf(made)).toEqual([[], []]);
    expect(made.regions.map(({ file: name, offset, bytes }) => [name, offset, bytes.length])).toEqual([
      ['bootloader.bin', 0x1000, wholeBuild[0]?.bytes.length],
      ['partitions.bin', 0x8000, 0xc00],
      ['app.bin', 0x10000, 131_072],
      ['app.bin', 0x30000, 131_072],
      ['app.bin', 0x50000, (wholeBuild[2]?.bytes.length ?? 0) - 262_144],
    ]);
    expect(made.bytes).toBe(wholeBuild.reduce((sum, { bytes }) => sum + bytes.length, 0));
  });

  it('lists kept areas next to written ones', async () => {
    expect(mapOf(await plan({}))).toEqual([
      [0, 0x1000, null, 'kept'],
      [0x1000, 0x1000, 'bootloader', 'written'],
      [0x2000, 0x6000, 'bootloader', 'kept'],
      [0x8000, 0x1000, 'partition table', 'written'],
      [0x9000, 0x6000, 'nvs', 'kept'],
      [0xf000, 0x1000, 'phy_init', 'kept'],
      [0x10000, 0x4a000, 'factory', 'written'],
      [0x5a000, 0xb6000, 'factory', 'kept'],
      [0x110000, 0x2f0000, null, 'kept'],
    ]);
  });

  it('can be made before a board is connected', async () => {
    const made = await plan({ board: null });
    expect(codesOf(made)).toEqual([[], []]);
    expect(made.map.at(-1)).toMatchObject({ name: 'factory', fate: 'kept', offset: 0x5a000 });
  });

  it('covers the flash once for any files, with one region a sector unless it refuses', async () => {
    const anyFile = fc.record({
      name: fc.constantFrom('a.bin', 'b.bin', 'c.bin'),
      offset: fc.oneof(
        fc.nat(5 * MIB),
        fc.nat(1_300).map((sector) => sector * 4_096),
      ),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 9_000 }),
        fc.constantFrom(buildApp(), buildBootloader(), buildTable(otaLayout), merged, new Uint8Array(30_000).fill(255)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFile, { maxLength: 5 }),
        fc.constantFrom('none' as const, 'needed' as const, 'all' as const),
        fc.boolean(),
        async (files, erase, keepNvs) => {
          const made = await plan({ files, erase, keepNvs });
          expect(made.map.reduce((at, area) => (area.offset === at ? at + area.length : -1), 0)).toBe(4 * MIB);
          if (made.refusals.length > 0) {
            return;
          }
          const sectors = made.regions.flatMap(({ offset, bytes }) =>
            Array.from({ length: Math.ceil(bytes.length / 4_096) }, (_, index) => offset / 4_096 + index),
          );
          expect(new Set(sectors).size).toBe(sectors.length);
          const flash = new Uint8Array(4 * MIB).fill(0xaa);
          for (const { offset, bytes } of made.regions) {
            flash.set(bytes, offset);
          }
          const nvs = flash.subarray(0x9000, 0xe000);
          if (keepNvs) {
            expect(nvs.every((byte) => byte === 0xaa)).toBe(true);
          } else {
            for (const { offset, bytes } of files) {
              expect(flash.subarray(offset, offset + bytes.length)).toEqual(bytes);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('stored settings', () => {
  it('are left out of a merged image, which is empty there', async () => {
    const made = await plan({ files: [file('all.bin', 0, merged)] });
    expect(codesOf(made)).toEqual([[], []]);
    expect(made.regions.map(({ offset, bytes }) => [offset, bytes.length])).toEqual([
      [0, 0x9000],
      [0xf000, merged.length - 0xf000],
    ]);
    expect(made.map.find(({ name }) => name === 'nvs')).toMatchObject({ fate: 'kept' });
  });

  it('are read and written back if everything is erased', async () => {
    const made = await plan({ erase: 'all' });
    expect(made).toMatchObject({
      eraseAll: true,
      erase: [],
      restore: [{ name: 'nvs', offset: 0x9000, length: 0x6000 }],
    });
    expect(made.map.map(({ name, fate }) => [name, fate])).toContainEqual(['nvs', 'restored']);
    expect(made.map.at(-1)).toMatchObject({ fate: 'erased' });
  });

  it('are lost only with a warning', async () => {
    const sentence = 'Settings stored in "nvs", such as Wi-Fi and pairing, will be lost.';
    for (const input of [{ erase: 'all' as const }, { files: [file('all.bin', 0, merged)] }]) {
      const made = await plan({ ...input, keepNvs: false });
      expect(made.warnings.map(({ what }) => what)).toEqual([sentence]);
      expect([made.refusals, made.restore]).toEqual([[], []]);
    }
    expect(codesOf(await plan({ keepNvs: false }))[1]).toEqual([]);
  });

  it('cause a warning if the new partition table moves them', async () => {
    const files = [file('partitions.bin', 0x8000, buildTable(otaLayout))];
    expect((await plan({ files })).warnings.map(({ what }) => what)).toEqual([
      'With the new partition table "nvs" is at 0x9000 to 0xDFFF, not at 0x9000 to 0xEFFF: data stored there will no longer be found.',
    ]);
  });

  describe('stored settings in a partition with the same start', () => {
    const nvs = { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x4000 };
    const grown = { ...nvs, size: 0x6000 };
    const warned = async (old: readonly BuiltPartition[], now: BuiltPartition) => {
      const files = [file('partitions.bin', 0x8000, buildTable([now]))];
      const { warnings } = await plan({ files, board: board({ table: readPartitionTable(buildTable(old)) }) });
      return warnings;
    };

    it('are found again when it only grows', async () => {
      expect(await warned([nvs], grown)).toMatchObject([
        {
          code: 'nvs-grows',
          what: 'With the new partition table "nvs" is at 0x9000 to 0xEFFF, not at 0x9000 to 0xCFFF. It keeps its start and only grows, so that its settings are found again.',
        },
      ]);
    });

    it.each([
      ['it shrinks', [grown], nvs],
      ['it grows over other stored settings', [nvs, { ...nvs, name: 'nvs2', offset: 0xd000, size: 0x1000 }], grown],
      ['it becomes encrypted', [nvs], { ...grown, flags: 1 }],
      ['it is no longer for settings', [nvs], { ...grown, subtype: 6 }],
      ['it is a file system', [{ ...nvs, subtype: 0x82 }], { ...grown, subtype: 0x82 }],
    ])('are not promised when %s', async (_when, old, now) => {
      expect((await warned(old, now))[0]?.code).toBe('data-moves');
    });
  });

  it('are not kept if there are none, nor if the new table has another type', async () => {
    const files = [file('all.bin', 0, merged)];
    expect((await plan({ files, board: board({ table: 'none' }) })).regions[0]?.bytes.length).toBe(merged.length);
    const elsewhere = [{ name: 'nvs', type: 1, subtype: 2, offset: 0x10000, size: 0x6000 }];
    const made = await plan({
      files,
      board: board({ table: readPartitionTable(buildTable(elsewhere)) }),
      erase: 'all',
    });
    expect([codesOf(made), made.restore]).toEqual([[[], ['data-moves']], []]);
  });

  it('are kept as far as the new table has room for them', async () => {
    const all = buildMerged([
      [0x1000, buildBootloader()],
      [0x8000, buildTable(otaLayout)],
      [0xe000, buildOtaData(1)],
      [0x10000, buildApp()],
    ]);
    const made = await plan({ files: [file('all.bin', 0, all)] });
    expect(codesOf(made)).toEqual([[], ['data-moves']]);
    expect(made.regions.map(({ offset }) => offset)).toEqual([0, 0xe000]);
  });

  it('keep the whole sector of a partition that ends within it', async () => {
    const layout = [{ name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x5100 }, ...factoryLayout.slice(2)];
    const made = await plan({
      files: [file('all.bin', 0, merged)],
      board: board({ table: readPartitionTable(buildTable(layout)) }),
    });
    expect(made.refusals).toEqual([]);
    expect(made.regions.map(({ offset }) => offset)).toEqual([0, 0xf000]);
  });
});

describe('keys of encrypted settings', () => {
  const keys = { name: 'nvs_key', type: 1, subtype: 4, offset: 0xf000, size: 0x1000, flags: 1 };
  const withKeys = [...factoryLayout.filter(({ name }) => name !== 'phy_init'), keys];
  const keyed = board({ table: readPartitionTable(buildTable(withKeys)) });
  const withTable = (layout: readonly BuiltPartition[], on = keyed) =>
    plan({ files: [file('partitions.bin', 0x8000, buildTable(layout))], board: on });

  it('are kept by a table that leaves them where they are', async () => {
    expect(codesOf(await withTable(withKeys))).toEqual([[], []]);
  });

  it.each([
    ['has none', factoryLayout, 'not there'],
    [
      'has them elsewhere',
      [...factoryLayout, { ...keys, offset: 0x110000 }],
      'expected in "nvs_key", at 0x110000 to 0x110FFF',
    ],
    [
      'has others before them',
      [...factoryLayout.filter(({ name }) => name !== 'phy_init'), { ...keys, name: 'first', offset: 0x110000 }, keys],
      'expected in "first", at 0x110000 to 0x110FFF',
    ],
  ])('are said to be lost by a table that %s', async (_, layout, where) => {
    const { warnings } = await withTable(layout);
    expect(warnings).toMatchObject([
      {
        code: 'keys-move',
        what: `The keys of encrypted settings are in "nvs_key", at 0xF000 to 0xFFFF. With the new partition table they are ${where}: settings that are encrypted with them can no longer be read.`,
      },
    ]);
  });

  it('are said to be unknown where the table on the board is encrypted', async () => {
    const security = { secureBoot: false, flashEncryption: true, secureDownload: false };
    const { warnings } = await withTable(withKeys, board({ table: 'not-read', info: { security } }));
    expect(warnings.map(({ code }) => code)).toEqual(['keys-unread']);
  });
});

describe('app that would not start', () => {
  const table = readPartitionTable(buildTable(otaLayout));
  const update = [file('app.bin', 0x10000, buildApp())];
  const otherSlot = board({ table, otaData: readOtaEntries(buildOtaData(2)) });

  it('has the choice of slot erased if the board has chosen another', async () => {
    const made = await plan({ files: update, board: otherSlot });
    expect(made.erase).toEqual([{ name: 'otadata', offset: 0xe000, length: 0x2000 }]);
    expect(made.map.find(({ name }) => name === 'otadata')).toMatchObject({ fate: 'erased' });
    expect(codesOf(made)).toEqual([[], []]);
  });

  it('causes a warning and the answer no if nothing else may be erased', async () => {
    const sentence = 'The board starts the app in "app1", not the one being written to "app0".';
    const made = await plan({ files: update, board: otherSlot, erase: 'none' });
    expect([made.erase, made.warnings.map(({ what }) => what)]).toEqual([[], [sentence]]);
    expect(made.start?.result).toBe('no');
  });

  const second = [file('app.bin', 0x150000, buildApp())];

  it('has its slot selected after the files if erasing would not help', async () => {
    const made = await plan({ files: second, board: board({ table, otaData: readOtaEntries(buildOtaData(1)) }) });
    expect([made.erase, codesOf(made), made.start?.result]).toEqual([[], [[], []], 'yes']);
    expect(made.changes).toEqual([
      {
        name: 'otadata',
        range: { offset: 0xe000, length: 0x2000 },
        basis: null,
        erases: [],
        writes: [{ offset: 0xf000, bytes: buildOtaData(null, 2).subarray(0x1000) }],
      },
    ]);
    expect(made.map.filter(({ fate, file: from }) => fate === 'written' && from === 'otadata')).toHaveLength(1);
  });

  it('has its slot selected where a board without the stub cannot erase', async () => {
    const connected = board({ table, otaData: readOtaEntries(buildOtaData(2)), canErase: false });
    const made = await plan({ files: update, board: connected });
    expect([made.erase, codesOf(made), made.start?.result]).toEqual([[], [[], []], 'yes']);
    expect(made.changes.map(({ writes }) => writes.map(({ offset }) => offset))).toEqual([[0xf000]]);
  });

  it('is judged by both sectors of OTA data, of which a file may bring one', async () => {
    const files = [...second, file('otadata.bin', 0xe000, buildOtaData(2).subarray(0, 0x1000))];
    const older = board({ table, otaData: readOtaEntries(buildOtaData(null, 1)) });
    const newer = board({ table, otaData: readOtaEntries(buildOtaData(null, 3)) });
    const answers = await Promise.all([older, newer].map((on) => plan({ files, board: on })));
    expect(answers.map(({ start }) => start?.result)).toEqual(['yes', 'no']);
  });

  it.each([
    ['the board cannot verify a change', { canHash: false }, second],
    ['several apps are written', {}, [...second, file('other.bin', 0x290000, buildApp())]],
  ])('causes a warning if %s', async (_, ability, files) => {
    const third = { name: 'app2', type: 0, subtype: 0x12, offset: 0x290000, size: 0x140000 };
    const three = readPartitionTable(buildTable([...otaLayout.slice(0, 4), third]));
    const connected = board({ table: three, otaData: readOtaEntries(buildOtaData(1)), ...ability });
    const made = await plan({ files, board: connected });
    expect([made.changes, codesOf(made), made.start?.result]).toEqual([[], [[], ['other-app-starts']], 'no']);
  });

  it.each([
    ['erased', buildOtaData(null)],
    ['damaged', buildOtaData(2).fill(0, 28, 29)],
    ['for another slot', buildOtaData(1)],
  ])('causes a warning and the answer no with OTA data among the files that are %s', async (_, bytes) => {
    const files = [...second, file('otadata.bin', 0xe000, bytes)];
    const made = await plan({ files, board: otherSlot });
    expect(made.warnings.map(({ what }) => what)).toContain(
      'The board starts the app in "app0", not the one being written to "app1".',
    );
    expect(made.start?.result).toBe('no');
    const alone = await plan({ files, board: board({ table, otaData: null, emptyApps: [0x10000] }) });
    expect([codesOf(alone)[1]?.includes('other-app-starts'), alone.start?.result]).toEqual([false, 'yes']);
  });

  it('is unknown where neither the table nor the OTA data can be read', async () => {
    const unread = board({ table: 'not-read' });
    expect((await plan({ files: update, board: unread })).start).toMatchObject({
      result: 'unknown',
      why: 'The partition table on the board cannot be read, so it cannot be told which app starts.',
    });
    const withTable = [...update, file('partitions.bin', 0x8000, buildTable(otaLayout))];
    expect((await plan({ files: withTable, board: unread })).start).toMatchObject({
      result: 'unknown',
      why: '"otadata" selects the app to start, and cannot be read.',
    });
    const whole = [...withTable, file('ota_data_initial.bin', 0xe000, buildOtaData(null))];
    expect((await plan({ files: whole, board: unread })).start?.result).toBe('yes');
  });

  it('is absent if its slot is chosen, or the files choose it', async () => {
    const chosen = await plan({ files: update, board: board({ table, otaData: readOtaEntries(buildOtaData(3)) }) });
    const written = await plan({
      files: [...update, file('boot_app0.bin', 0xe000, buildOtaData(1))],
      board: otherSlot,
    });
    expect([chosen.erase, written.erase, codesOf(chosen)[1], codesOf(written)[1]]).toEqual([[], [], [], []]);
  });

  it('is not judged by a choice that the new partition table moves', async () => {
    const moved = otaLayout.map((partition) => ({ ...partition, offset: partition.offset + 0x10000 }));
    const files = [file('partitions.bin', 0x8000, buildTable(moved)), file('app.bin', 0x20000, buildApp())];
    const made = await plan({ files, board: otherSlot });
    expect([made.erase, codesOf(made)[1]]).toEqual([[], ['data-moves', 'data-moves']]);
  });

  it('causes a warning without a partition table', async () => {
    expect(codesOf(await plan({ files: update, board: board({ table: 'none' }) }))[1]).toEqual(['no-partition-table']);
    expect(codesOf(await plan({ files: update, board: board({ table: 'not-read' }) }))[1]).toEqual([]);
  });

  it.each([
    ['bootloader-misplaced', file('bootloader.bin', 0, buildBootloader())],
    ['bootloader-misplaced', file('all.bin', 0x1000, merged)],
    ['table-misplaced', file('partitions.bin', 0x10000, buildTable(factoryLayout))],
    ['app-not-aligned', file('app.bin', 0x11000, buildApp())],
    ['not-at-a-partition', file('app.bin', 0x200000, buildApp())],
    ['covers-table', file('app.bin', 0x1000, buildApp({ size: 60_000 }))],
    ['covers-partitions', file('data.bin', 0xf000, filler(9_000))],
  ])('causes a warning because of its place: %s', async (code, misplaced) => {
    expect(codesOf(await plan({ files: [misplaced] }))[1]).toContain(code);
  });
});

describe('flash settings', () => {
  const settings = { mode: 'qio', frequency: 80, size: 'detect' } as const;

  it('go into the first program alone, and its hash is computed again', async () => {
    const made = await plan({ settings });
    const [first, , app] = made.regions;
    const image = readEspImage(first?.bytes ?? new Uint8Array());
    expect(readFlashSettings('esp32', image.flash)).toEqual({ mode: 'qio', frequencies: [80], size: 4 * MIB });
    expect(await findImageFaults(first?.bytes ?? new Uint8Array(), image)).toEqual([]);
    expect(app?.bytes).toEqual(wholeBuild[2]?.bytes.subarray(0, 131_072));
  });

  it('do not look for a bootloader within an app', async () => {
    const app = buildApp({ size: 9_000 });
    app[0x1000] = 0xe9;
    const made = await plan({ files: [file('app.bin', 0, app)] });
    expect(codesOf(made)[0]).not.toContain('settings-not-changed');
  });

  it('go into the bootloader within a merged image', async () => {
    const { regions } = await plan({ files: [file('all.bin', 0, merged)], settings });
    const bootloader = readEspImage(regions[0]?.bytes.subarray(0x1000) ?? new Uint8Array());
    expect(readFlashSettings('esp32', bootloader.flash)).toMatchObject({ mode: 'qio', frequencies: [80] });
  });

  it('help a build for more flash than there is if the size is detected', async () => {
    const files = [file('bootloader.bin', 0x1000, buildBootloader({ sizeAndFrequency: 0x40 }))];
    expect(codesOf(await plan({ files, settings }))[0]).toEqual([]);
  });

  it('are refused with the file if the chip does not have them', async () => {
    expect(sentencesOf(await plan({ settings: { ...settings, frequency: 48 } }))).toEqual([
      'The flash settings in "bootloader.bin" cannot be changed. This chip does not have the flash frequency or size that was chosen.',
    ]);
  });

  it('cause a warning if they are smaller than the partitions need', async () => {
    const files = [
      file('bootloader.bin', 0x1000, buildBootloader({ sizeAndFrequency: 0x10 })),
      file('partitions.bin', 0x8000, buildTable(otaLayout)),
    ];
    const made = await plan({ files, board: board({ table: 'none' }) });
    expect(codesOf(made)).toEqual([[], ['partitions-beyond-setting']]);
  });

  it('are not judged with unknown flash size, which is reported', async () => {
    const made = await plan({ board: board({ info: { flash: flashOf(null) } }), settings });
    expect(codesOf(made)).toEqual([[], ['nothing-known-of-flash']]);
  });
});
