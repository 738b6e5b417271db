import { beforeAll, describe, expect, it } from 'vitest';
import { BegunChanges } from '../../core/begun-changes.ts';
import { md5 } from '../../core/md5.ts';
import { noise } from '../../testing/program.ts';
import { readOtaEntries } from '../images/ota-data.ts';
import { buildNvs as buildNvsWith } from '../nvs/change-nvs.ts';
import { type BuiltPartition, buildNvs, buildOtaData, buildTable, otaLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader } from '../testing/esp-images.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';
import { readBoardContents } from './board-contents.ts';
import { carryOutEsp } from './carry-out.ts';
import { planComparedEsp } from './compared-plan.ts';

beforeAll(loadAllChips, 60_000);

const { signal } = new AbortController();
type Stretch = { readonly offset: number; readonly data: Uint8Array };
const stretch = (offset: number, data: Uint8Array): Stretch => ({ offset, data });

/** Returns a layout whose data begin behind a table at this offset. */
function layoutAt(offset: number): BuiltPartition[] {
  const shift = offset - 0x8000;
  return otaLayout.map((one) => ({ ...one, offset: one.offset + Math.ceil(shift / 0x10000) * 0x10000 }));
}

async function contentsOf(content: readonly Stretch[], stub = true) {
  const rig = new EspRig({ flash: { content } });
  const board = await rig.connect({ stub });
  return { rig, board, contents: await rig.run(readBoardContents(board, signal)) };
}

describe('the partition table of a connected board', () => {
  it.each([0x8000, 0x9000, 0xc000, 0xd000, 0xf000, 0x10000, 0x20000])('is found at 0x%x', async (offset) => {
    const layout = layoutAt(offset);
    const otaData = layout.find(({ name }) => name === 'otadata')?.offset ?? 0;
    const { contents } = await contentsOf([
      stretch(0x1000, buildBootloader()),
      stretch(offset, buildTable(layout)),
      stretch(otaData, buildOtaData(2)),
    ]);
    const otaEntries = readOtaEntries(buildOtaData(2));
    expect(contents).toMatchObject({ tableOffset: offset, headerSize: 4 * 2 ** 20, otaData: otaEntries });
    expect(typeof contents.table === 'string' ? contents.table : contents.table.partitions[0]?.name).toBe('nvs');
  });

  it('is found without the stub too', async () => {
    const { contents } = await contentsOf([stretch(0xc000, buildTable(layoutAt(0xc000)))], false);
    expect(contents.tableOffset).toBe(0xc000);
  });

  it('is the newer one if the table of an earlier build is left in front of it', async () => {
    const { contents } = await contentsOf([
      stretch(0x8000, buildTable(otaLayout)),
      stretch(0xc000, buildTable(layoutAt(0xc000))),
    ]);
    expect(contents.tableOffset).toBe(0xc000);
  });

  it('is missing on a blank board, and on one with other contents', async () => {
    expect((await contentsOf([])).contents).toEqual({ table: 'none', otaData: null, isBlank: true });
    const used = await contentsOf([stretch(0x1000, buildBootloader())]);
    expect(used.contents).toEqual({ table: 'none', otaData: null, isBlank: false });
  });

  it('keeps the settings at 0xC000 when a merged image of its layout is written', async () => {
    const layout = layoutAt(0xc000);
    const { rig, board, contents } = await contentsOf([
      stretch(0x1000, buildBootloader()),
      stretch(0xc000, buildTable(layout)),
      stretch(0x19000, buildNvs(0x5000)),
    ]);
    const image = new Uint8Array(0x30000).fill(0xff);
    image.set(buildBootloader(), 0x1000);
    image.set(buildTable(layout), 0xc000);
    image.set(buildApp(), 0x20000);
    const { plan } = await rig.run(
      planComparedEsp({
        board,
        contents,
        isDemo: false,
        bootRules: null,
        begun: new BegunChanges(),
        files: [{ name: 'all.bin', offset: 0, bytes: image }],
        signal,
      }),
    );
    expect(plan.refusals).toEqual([]);
    expect(plan.map.find(({ name }) => name === 'nvs')).toMatchObject({ offset: 0x19000, fate: 'kept' });
  });
});

describe('the app partitions of a connected board', () => {
  it('are empty where no image begins', async () => {
    const { contents } = await contentsOf([stretch(0x8000, buildTable(otaLayout)), stretch(0x10000, buildApp())]);
    expect(contents.emptyApps).toEqual([0x150000]);
  });
});

describe('the settings that a board has stored', () => {
  const at = 0x9000;
  const values = (count: number) =>
    buildNvsWith(
      0x5000,
      Array.from({ length: count }, (_, index) => ({
        kind: 'set' as const,
        namespace: 'wifi',
        key: `key${index}`,
        value: { type: 'u8' as const, value: BigInt(index) },
      })),
    );
  const planWith = async (nvs: Uint8Array, files: readonly { name: string; offset: number; bytes: Uint8Array }[]) => {
    const { rig, board, contents } = await contentsOf([
      stretch(0x1000, buildBootloader()),
      stretch(0x8000, buildTable(otaLayout)),
      stretch(at, nvs),
    ]);
    const input = { board, contents, isDemo: false, bootRules: null, begun: new BegunChanges(), files, signal };
    return rig.run(planComparedEsp({ ...input, looksForSettings: true }));
  };
  const app = { name: 'app.bin', offset: 0x10000, bytes: buildApp() };

  it('are counted, and can be kept in their place', async () => {
    expect((await planWith(values(27), [app])).stored).toEqual({ values: 27, canBeKept: true });
  });

  it('are null if NVS has no value', async () => {
    expect((await planWith(buildNvs(0x5000), [app])).stored).toBeNull();
  });

  it('cannot be kept by a table that places them elsewhere', async () => {
    const table = { name: 'table.bin', offset: 0x8000, bytes: buildTable(layoutAt(0xc000)) };
    expect((await planWith(values(1), [table, app])).stored).toEqual({ values: 1, canBeKept: false });
  });

  it('cannot be kept by a table that places their keys elsewhere', async () => {
    const keys = { name: 'nvs_key', type: 1, subtype: 4, offset: 0x3f0000, size: 0x1000 };
    const { rig, board, contents } = await contentsOf([
      stretch(0x8000, buildTable([...otaLayout, keys])),
      stretch(at, values(1)),
    ]);
    const files = [{ name: 'table.bin', offset: 0x8000, bytes: buildTable(otaLayout) }, app];
    const input = { board, contents, isDemo: false, bootRules: null, begun: new BegunChanges(), files, signal };
    const made = await rig.run(planComparedEsp({ ...input, looksForSettings: true }));
    expect(made.stored).toEqual({ values: 1, canBeKept: false });
  });
});

describe('a change of stored settings that was cut', () => {
  const nvs = { offset: 0x9000, length: 0x5000 };

  /** Cuts the write of a change of two sectors after the first. */
  async function cut() {
    const { rig, board, contents } = await contentsOf([
      stretch(0x1000, buildBootloader()),
      stretch(0x8000, buildTable(otaLayout)),
      stretch(nvs.offset, buildNvs(nvs.length)),
    ]);
    const begun = new BegunChanges();
    const before = await rig.run(board.read(nvs));
    begun.keep(nvs, before);
    const writes = [noise(0x1000, 1), noise(0x1000, 2)].map((bytes, index) => ({
      offset: nvs.offset + index * 0x1000,
      bytes,
    }));
    const change = { name: 'nvs', range: nvs, basis: md5(before), erases: [], writes };
    const planned = () =>
      rig.run(
        planComparedEsp({
          board,
          contents,
          isDemo: false,
          bootRules: null,
          begun,
          files: [],
          changes: [change],
          signal,
        }),
      );
    const write = async (isCut: boolean) => {
      const abort = new AbortController();
      return carryOutEsp({
        clock: rig.clock,
        board,
        plan: (await planned()).plan,
        saved: { contents: new Map(), changes: begun },
        signal: abort.signal,
        onStage: () => undefined,
        onEvent: (event) => isCut && event.type === 'progress' && event.done > 0x1000 && abort.abort('cut'),
      });
    };
    return { rig, board, planned, write, change };
  }

  it('is finished by the next write', async () => {
    const { rig, planned, write, change } = await cut();
    await expect(rig.run(write(true))).rejects.toMatchObject({ code: 'cancelled' });
    expect((await planned()).plan.refusals).toEqual([]);
    await rig.run(write(false));
    expect(rig.flash(nvs.offset, 0x1000)).toEqual(change.writes[0]?.bytes);
  });

  it.each([0, 0x3000])('is refused once the program has written the sector at 0x%x', async (at) => {
    const { rig, board, planned, write } = await cut();
    await expect(rig.run(write(true))).rejects.toMatchObject({ code: 'cancelled' });
    await rig.run(board.write([{ offset: nvs.offset + at, bytes: noise(0x1000, 3) }], { secured: true }));
    expect((await planned()).plan.refusals).toMatchObject([{ code: 'change-outdated' }]);
  });
});
