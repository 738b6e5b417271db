import { encodePartitionTable, parsePartitionCsv, readPartitionTable } from '@wirebench/flasher/esp';
import { describe, expect, it } from 'vitest';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import type { PlannedChange } from '../../../store/board-changes.ts';
import { testBoard } from '../../../testing/families.ts';
import { type BoardEntry, type EntryState, entriesOf, lineOf, markOf, summaryOf } from './entries.ts';

const partitions = parsePartitionCsv(`
nvs,data,nvs,,16K
otadata,data,ota,,8K
phy_init,data,phy,,4K
ota_0,app,ota_0,,1M
ota_1,app,ota_1,,1M
coredump,data,coredump,,64K`);
const app = {
  project: 'weather-node',
  version: '1.3.2',
  idfVersion: 'v5.3.1',
  date: 'Nov 12 2026',
  time: '09:40:00',
  secureVersion: 0,
  elfHash: null,
};
const board = testBoard({
  table: readPartitionTable(encodePartitionTable(partitions)),
  startsFrom: 'ota_0',
  heads: [
    { offset: 0x1000, empty: false, described: { version: 1, idfVersion: 'v5.3.1', built: 'Nov 12 2026 09:40:00' } },
    { offset: 0x9000, empty: false, described: null },
    { offset: 0xd000, empty: false, described: null },
    { offset: 0xf000, empty: true, described: null },
    { offset: 0x10000, empty: false, described: app },
    { offset: 0x110000, empty: null, described: null },
    { offset: 0x210000, empty: true, described: null },
  ],
});

const entryOf = (name: string, facts: EspFacts = board): BoardEntry => {
  const found = entriesOf(facts).find(({ partition }) => partition.name === name);
  if (found === undefined) {
    throw new Error(`There is no ${name}.`);
  }
  return found;
};
const state = (changes: Partial<EntryState> = {}): EntryState => ({ board, contents: null, planned: null, ...changes });
const contents = (bytes: Uint8Array) => ({ bytes, md5: '', at: 0, connection: 1 });
const planned = (draft: unknown): PlannedChange => ({
  change: { name: 'phy_init', range: { offset: 0xf000, length: 0x1000 }, basis: null, erases: [], writes: [] },
  what: 'the erase of phy_init',
  title: 'Erase phy_init',
  count: 1,
  entries: [],
  note: null,
  draft,
});

describe('the list of what is on a board', () => {
  it('has the bootloader and the table besides the partitions, in the order of addresses', () => {
    expect(entriesOf(board).map(({ partition }) => partition.name)).toEqual([
      'bootloader',
      'partition table',
      'nvs',
      'otadata',
      'phy_init',
      'ota_0',
      'ota_1',
      'coredump',
    ]);
    expect(entriesOf(testBoard({}, { chip: 'esp8266' }))).toEqual([]);
  });

  it('has the table at the place where it was found', () => {
    const heads = entriesOf({ ...board, table: null, tableOffset: 0xc000 });
    expect(heads.map(({ partition: { offset, size } }) => [offset, size])).toEqual([
      [0x1000, 0xb000],
      [0xc000, 0x1000],
    ]);
  });

  it.each([
    ['bootloader', 'v5.3.1, Nov 12 2026 09:40:00'],
    ['partition table', '6 partitions, 2 app slots'],
    ['nvs', 'data, nvs'],
    ['otadata', 'Starts ota_0'],
    ['phy_init', 'Empty'],
    ['ota_0', 'weather-node 1.3.2, starts'],
    ['ota_1', 'app, ota_1'],
  ])('says of %s only what was read: “%s”', (name, line) => {
    expect(lineOf(entryOf(name), state())).toBe(line);
  });

  it('marks what is empty, changed, unknown, or holds something', () => {
    const marks = entriesOf(board).map((entry) => markOf(entry, state()));
    expect(marks).toEqual(['holds', 'holds', 'holds', 'holds', 'empty', 'holds', 'unknown', 'empty']);
    expect(markOf(entryOf('phy_init'), state({ contents: contents(Uint8Array.of(1)) }))).toBe('holds');
    const change = planned({ whole: 'erase' });
    expect(markOf(entryOf('phy_init'), state({ planned: change }))).toBe('changed');
    expect(lineOf(entryOf('phy_init'), state({ planned: change }))).toBe('Erase phy_init, not written yet');
  });

  it('sums up the app that starts, and a crash', () => {
    expect(summaryOf(board, () => state())).toBe('Starts weather-node 1.3.2 from ota_0 · no crash');
    const crashed = { ...board, crash: { name: 'coredump', offset: 0x210000, length: 0x10000 } };
    expect(summaryOf(crashed, () => state())).toContain('holds a crash');
    expect(markOf(entryOf('coredump'), state({ board: crashed }))).toBe('crash');
  });
});
