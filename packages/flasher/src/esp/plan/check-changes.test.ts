import { describe, expect, it } from 'vitest';
import type { BoardChange } from '../../core/board-change.ts';
import { readOtaEntries } from '../images/ota-data.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import { buildOtaData, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import { buildApp, filler } from '../testing/esp-images.ts';
import { board, codesOf, file, MIB, plan, sentencesOf } from '../testing/plans.ts';

const nvs = { offset: 0x9000, length: 0x6000 };

function change(changes: Partial<BoardChange> = {}): BoardChange {
  return {
    name: 'nvs',
    range: nvs,
    basis: '0'.repeat(32),
    erases: [],
    writes: [{ offset: 0x9000, bytes: filler(0x1000) }],
    ...changes,
  };
}

const erase = change({ basis: null, erases: [nvs], writes: [] });

describe('a plan with changes to what the board holds', () => {
  it('needs no file', async () => {
    const made = await plan({ files: [], changes: [change()] });
    expect(codesOf(made)).toEqual([[], []]);
    expect([made.regions, made.changes.map(({ name }) => name)]).toEqual([[], ['nvs']]);
    expect(codesOf(await plan({ files: [], changes: [] }))[0]).toEqual(['nothing-to-write']);
  });

  it('shows in the map what is written under its name, and what is erased', async () => {
    const { map } = await plan({ changes: [change({ erases: [{ offset: 0xb000, length: 0x1000 }] })] });
    const own = map.filter(({ name }) => name === 'nvs');
    expect(own.map(({ offset, length, fate, file: from }) => [offset, length, fate, from])).toEqual([
      [0x9000, 0x1000, 'written', 'nvs'],
      [0xa000, 0x1000, 'kept', null],
      [0xb000, 0x1000, 'erased', null],
      [0xc000, 0x3000, 'kept', null],
    ]);
  });

  const encrypted = { secureBoot: false, flashEncryption: true, secureDownload: false };
  const download = { secureBoot: false, flashEncryption: null, secureDownload: true };
  it.each([
    [
      'change-overlaps-file',
      { files: [file('data.bin', 0x9000, filler(20))], changes: [change()], keepNvs: false },
      '"data.bin" and the change to "nvs" are both written at 0x9000.',
    ],
    [
      'changes-overlap',
      { changes: [change(), change({ name: 'range' })] },
      'The changes to "nvs" and "range" overlap at 0x9000.',
    ],
    [
      'change-does-not-fit',
      {
        changes: [
          change({
            range: { offset: 4 * MIB - 0x1000, length: 0x2000 },
            writes: [{ offset: 4 * MIB, bytes: filler(0x1000) }],
          }),
        ],
      },
      'The change to "nvs" ends at 0x401000, but the flash of this board ends at 0x400000.',
    ],
    [
      'change-not-in-sectors',
      { changes: [change({ writes: [{ offset: 0x9000, bytes: filler(100) }] })] },
      'The change to "nvs" does not consist of whole sectors of 4 KB within it.',
    ],
    [
      'change-not-in-sectors',
      { changes: [change({ erases: [{ offset: 0xf000, length: 0x1000 }] })] },
      'The change to "nvs" does not consist of whole sectors of 4 KB within it.',
    ],
    [
      'change-outdated',
      { changes: [change()], outdated: ['nvs'] },
      'The contents of "nvs" have changed since they were read.',
    ],
    [
      'change-erased',
      { changes: [change()], erase: 'all' as const, keepNvs: false },
      'The change to "nvs" builds on contents that are erased before.',
    ],
    [
      'change-encrypted',
      { files: [], changes: [change()], board: board({ info: { security: encrypted } }) },
      'The flash of this board is encrypted, so the contents of "nvs" cannot be changed from here.',
    ],
    [
      'change-secure-download',
      { files: [], changes: [change()], board: board({ info: { security: download } }) },
      'This board is in Secure Download Mode: the contents of "nvs" can neither be read nor verified.',
    ],
    [
      'change-cannot-erase',
      { files: [], changes: [erase], board: board({ canErase: false }) },
      '"nvs" cannot be erased without the stub.',
    ],
    [
      'change-not-verifiable',
      { files: [], changes: [change()], board: board({ canHash: false }) },
      'The bootloader of this chip cannot verify a change to "nvs".',
    ],
  ])('is refused: %s', async (code, input, sentence) => {
    const made = await plan(input);
    expect(codesOf(made)[0]).toEqual([code]);
    expect(sentencesOf(made)).toEqual([sentence]);
  });

  it('changes kept settings although everything else is erased, and needs no contents for an erase', async () => {
    expect(codesOf(await plan({ changes: [change()], erase: 'all' }))[0]).toEqual([]);
    expect(codesOf(await plan({ changes: [erase], erase: 'all', keepNvs: false }))[0]).toEqual([]);
  });

  it('goes together with a merged image that spares the settings', async () => {
    const padded = new Uint8Array(0x20000).fill(0xff);
    padded.set(buildApp(), 0x10000);
    padded.set(buildTable(factoryLayout), 0x8000);
    const made = await plan({ files: [file('all.bin', 0, padded)], changes: [change()] });
    expect(codesOf(made)[0]).not.toContain('change-overlaps-file');
  });
});

describe('a planned partition table', () => {
  const sector = { offset: 0x8000, length: 0x1000 };
  const table = (layout: typeof factoryLayout): BoardChange => {
    const bytes = new Uint8Array(0x1000).fill(0xff);
    bytes.set(buildTable(layout));
    return { name: 'partition table', range: sector, basis: null, erases: [], writes: [{ offset: 0x8000, bytes }] };
  };

  it('is the table that files are checked against, and says which data it moves', async () => {
    const made = await plan({ files: [], changes: [table(otaLayout)] });
    expect(made.table?.partitions.map(({ name }) => name)).toEqual(otaLayout.map(({ name }) => name));
    expect(made.warnings.map(({ code, what }) => [code, what])).toEqual([
      [
        'data-moves',
        'With the new partition table "nvs" is at 0x9000 to 0xDFFF, not at 0x9000 to 0xEFFF: data stored there will no longer be found.',
      ],
    ]);
  });

  it('is refused if a partition ends beyond the flash', async () => {
    const big = [{ name: 'big', type: 1, subtype: 6, offset: 0x10000, size: 8 * MIB }];
    expect(codesOf(await plan({ files: [], changes: [table(big)] }))[0]).toEqual(['partitions-beyond-flash']);
  });
});

it('a planned choice of the slot to start is not erased for a new app', async () => {
  const otaBoard = board({
    table: readPartitionTable(buildTable(otaLayout)),
    otaData: readOtaEntries(buildOtaData(2)),
  });
  const files = [file('app.bin', 0x10000, buildApp())];
  expect((await plan({ files, board: otaBoard })).erase.map(({ name }) => name)).toEqual(['otadata']);
  const data = buildOtaData(3);
  const choice: BoardChange = {
    name: 'otadata',
    range: { offset: 0xe000, length: 0x2000 },
    basis: null,
    erases: [],
    writes: [{ offset: 0xe000, bytes: data }],
  };
  const made = await plan({ files, board: otaBoard, changes: [choice] });
  expect([made.erase, codesOf(made), made.start?.result]).toEqual([[], [[], []], 'yes']);
  const other = { ...choice, writes: [{ offset: 0xe000, bytes: buildOtaData(4) }] };
  const kept = await plan({ files, board: otaBoard, changes: [other] });
  expect([kept.changes, codesOf(kept)[1], kept.start?.why]).toEqual([
    [other],
    ['other-app-starts'],
    'Undo the change to "otadata".',
  ]);
});

it('an erased or restored app does not change which slot starts', async () => {
  const otaBoard = board({
    table: readPartitionTable(buildTable(otaLayout)),
    otaData: readOtaEntries(buildOtaData(2)),
  });
  const slot = { offset: 0x10000, length: 0x140000 };
  const erased: BoardChange = { name: 'app0', range: slot, basis: null, erases: [slot], writes: [] };
  const made = await plan({ files: [], board: otaBoard, changes: [erased] });
  expect([made.erase, codesOf(made)]).toEqual([[], [[], []]]);
});
