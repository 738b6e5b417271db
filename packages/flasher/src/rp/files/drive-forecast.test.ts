import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../images/sha256.ts';
import { buildUf2Blocks, type Uf2BlockFields, uf2Blocks } from '../../images/testing/formats.ts';
import { forecastRp2040Drive, forecastRp2350Drive } from './drive-forecast.ts';
import { copyToRp2040, type DriveStep } from './drive-rp2040.ts';
import { readPartitionTable } from './partition-table.ts';
import { tableItems } from './testing/picobin.ts';
import { pattern } from './testing/recorded-pattern.ts';
import { bytesOfFile, listedFiles } from './testing/rp-files.ts';

const flashSize = 0x20_0000;

/** Carries the steps out on flash of 2 MiB, which continues at its start behind its end. */
function flashAfter(before: Uint8Array, steps: readonly DriveStep[]): Uint8Array {
  const flash = Uint8Array.from(before);
  for (const step of steps) {
    if (step.kind === 'erase') {
      const at = step.offset % flashSize;
      flash.fill(0xff, at, at + 4_096);
    } else if (step.kind === 'program') {
      const at = step.offset % flashSize;
      step.bytes.forEach((byte, index) => {
        flash[at + index] = (flash[at + index] ?? 0) & byte;
      });
    }
  }
  return flash;
}

const full = pattern(0xf1a5, flashSize);
const copied = listedFiles.filter(({ romDrive }) => romDrive !== undefined);

describe('copy of a UF2 file to the drive of an RP2040', () => {
  it.each(copied)('has the outcome that the genuine boot ROM has for $name ($what)', async ({ name, romDrive }) => {
    const bytes = bytesOfFile(name);
    const { steps, restarts, startsAt } = copyToRp2040(bytes);
    const flash = flashAfter(full, steps);
    expect(await sha256Hex(flash)).toBe(romDrive?.sha256);
    expect(restarts).toBe(romDrive?.restarts);
    expect(startsAt).toBe(romDrive?.startsAt === undefined ? null : Number(romDrive.startsAt));
    for (const { from, to, sha256 } of romDrive?.changed ?? []) {
      expect(await sha256Hex(flash.subarray(from, to))).toBe(sha256);
    }
    const forecast = forecastRp2040Drive(bytes, flashSize);
    const sectors = (romDrive?.changed ?? []).map(({ from, to }) => ({ offset: from, length: to - from }));
    expect(forecast.erases).toEqual(sectors);
  });

  it('covers all listed UF2 files', () => {
    expect(copied).toHaveLength(30);
  });
});

const data = pattern(0x42, 48 * 256);
const flash = 0x1000_0000;
const blocksAt = (places: readonly (readonly [first: number, end: number, address: number])[], total = 48) =>
  places.flatMap(([first, end, address]) =>
    uf2Blocks({ address, bytes: data.subarray(first * 256, end * 256) }, { family: 0xe48bff56, first, total }),
  );
const forecast = (blocks: readonly Uf2BlockFields[], size: number | null = flashSize) =>
  forecastRp2040Drive(buildUf2Blocks(blocks), size);

/** Sessions of the kind "uf2-address", recorded with the genuine boot ROM (B1): hash of all flash afterwards. */
const recorded = [
  {
    title: 'starts in the middle of a sector',
    blocks: blocksAt([[0, 48, flash + 0x800]]),
    sha256: 'f5160a14fd4af669a2281bed4f62c524ddf0336cadfcb2a0db5fa3accc39862f',
    losses: [
      { offset: 0x1000, length: 0x800, why: 'erased' },
      { offset: 0x2000, length: 0x800, why: 'erased' },
      { offset: 0x3000, length: 0x800, why: 'mixed' },
    ],
  },
  {
    title: 'has a gap after 16 blocks',
    blocks: blocksAt([
      [0, 16, flash],
      [16, 48, flash + 0x2_0000],
    ]),
    sha256: '3aca93f7e991effce6934830ec0018131c1c6a8b81013f5ca35c4485c94a3136',
    losses: [],
  },
  {
    title: 'has a gap after 8 blocks',
    blocks: blocksAt([
      [0, 8, flash],
      [8, 48, flash + 0x2_0000],
    ]),
    sha256: 'a2704e695a96a6ea65339f7d6a4302fdfc7d6ecdf56f2b9dc8d2017a3b1de607',
    losses: [
      { offset: 0x2_0000, length: 0x800, why: 'erased' },
      { offset: 0x2_1000, length: 0x800, why: 'erased' },
      { offset: 0x2_2000, length: 0x800, why: 'mixed' },
    ],
  },
  {
    title: 'goes over the end of the flash',
    blocks: blocksAt([[0, 16, flash + flashSize - 0x800]], 16),
    sha256: 'a174decf6401dcf3583ddfd9d7cfb98ee032da8f704229676d2e16aa8ccdbf00',
    losses: [{ offset: 0, length: 0x800, why: 'mixed' }],
  },
] as const;

describe('forecast for the drive of an RP2040', () => {
  it.each(recorded)('finds what is lost of a file that $title', async ({ blocks, sha256, losses }) => {
    const { steps, restarts } = copyToRp2040(buildUf2Blocks(blocks));
    expect(await sha256Hex(flashAfter(pattern(0xf1a5, flashSize), steps))).toBe(sha256);
    expect(restarts).toBe(true);
    expect(forecast(blocks).losses).toEqual(losses);
  });

  it('says that a gap loses data although the board restarts', () => {
    const { text } = forecastRp2040Drive(bytesOfFile('uf2-gap-odd.uf2'), flashSize);
    expect(text).toEqual([
      'The board restarts after the copy.',
      '2 KB of the file are erased again after they were written, at 0x10020000–0x100207FF, and the board restarts all the same. The drive erases a sector at every sixteenth block number, whatever its address.',
    ]);
  });

  it.each([
    [
      'uf2-plain-arm-s.uf2',
      'The drive ignores the whole file, and the board does not restart: it takes only blocks of the family rp2040, and these are for rp2350-arm-s.',
    ],
    [
      'uf2-no-family.uf2',
      'The drive ignores the whole file, and the board does not restart: its blocks do not name a chip.',
    ],
    [
      'uf2-missing.uf2',
      'The drive writes a part of the file, and the board does not restart: it counted 15 of 16 blocks, and block 5 is missing.',
    ],
    [
      'uf2-numbers-from-one.uf2',
      'The drive writes a part of the file, and the board does not restart: its blocks have numbers that their total does not allow.',
    ],
    ['uf2-empty.uf2', 'The drive ignores the whole file, and the board does not restart: it has no UF2 block.'],
    [
      'uf2-xip-cache.uf2',
      'The board restarts, and then crashes: the boot ROM cannot start a program that lies in the memory of the cache alone.',
    ],
  ])('says why in a sentence: %s', (name, sentence) => {
    expect(forecastRp2040Drive(bytesOfFile(name), flashSize).text).toEqual([sentence]);
  });

  it('starts a program in RAM at its lowest address, and writes nothing to flash', () => {
    const ram = blocksAt([[0, 16, 0x2000_0000]], 16);
    expect(forecast(ram)).toMatchObject({ restarts: true, startsAt: 0x2000_0001, erases: [], losses: [] });
  });

  it('does not restart after blocks for RAM and for flash', () => {
    const mixed = blocksAt([
      [0, 40, flash],
      [40, 48, 0x2000_0000],
    ]);
    expect(forecast(mixed)).toMatchObject({
      restarts: false,
      text: [
        'The drive writes a part of the file, and the board does not restart: it has blocks for RAM and for flash.',
      ],
    });
  });

  it('ignores addresses that are no multiples of 256', () => {
    expect(forecast(blocksAt([[0, 48, flash + 128]]))).toMatchObject({ restarts: false, erases: [] });
  });

  it('warns of data behind the end of the flash', () => {
    const over = forecast(blocksAt([[0, 16, flash + flashSize - 0x800]], 16));
    expect(over.text.at(-1)).toBe('The flash ends at 0x10200000. What is behind it goes over the start of flash.');
    expect(forecast(blocksAt([[0, 16, flash + 0x100_0000]], 16)).text.at(-1)).toMatch(
      /^The file has data for 0x11000F00/,
    );
  });
});

describe('forecast for the drive of an RP2350', () => {
  const board = { flashSize: 0x40_0000, cpu: 'arm', partitionTable: null } as const;
  const [armSecure, absolute] = [0xe48bff59, 0xe48bff57];
  const program = { address: flash, bytes: data.subarray(0, 16 * 256) };
  const filler = { address: 0x10ff_ff00, bytes: new Uint8Array(256).fill(0xef) };
  const ofBlocks = (blocks: readonly Uf2BlockFields[], facts: Parameters<typeof forecastRp2350Drive>[1] = board) =>
    forecastRp2350Drive(buildUf2Blocks(blocks), facts);

  it('is a restart for a file with the block for erratum E10, which goes over the end of the flash', () => {
    expect(forecastRp2350Drive(bytesOfFile('uf2-e10-extension.uf2'), board)).toEqual({
      restarts: true,
      startsAt: null,
      erases: [
        { offset: 0, length: 0x1000 },
        { offset: 0x3f_f000, length: 0x1000 },
      ],
      losses: [],
      text: [
        'The board restarts after the copy.',
        'Its first block, for erratum RP2350-E10, goes to 0x103FF000–0x103FFFFF on chips of revision A2: what was there is lost.',
      ],
    });
  });

  it('is no restart if that block was numbered like the program', () => {
    const numbered = [
      ...uf2Blocks(filler, { family: absolute, total: 17 }),
      ...uf2Blocks(program, { family: armSecure, first: 1, total: 17 }),
    ];
    expect(ofBlocks(numbered)).toMatchObject({
      restarts: false,
      text: [
        'The drive writes a part of the file, and the board does not restart: it counted 16 of 17 blocks, and block 0 is missing.',
        expect.any(String),
      ],
    });
  });

  it('erases by address, so that gaps lose nothing', () => {
    const gap = blocksAt([
      [0, 8, flash],
      [8, 48, flash + 0x2_0000],
    ]).map((block) => ({ ...block, family: armSecure }));
    expect(ofBlocks(gap)).toMatchObject({ restarts: true, losses: [] });
  });

  it('ignores a program for an RP2040', () => {
    expect(forecastRp2350Drive(bytesOfFile('uf2-reversed.uf2'), board).text).toEqual([
      'The drive ignores the whole file, and the board does not restart: it takes absolute, data, rp2350-arm-s and rp2350-riscv, and these are for rp2040.',
    ]);
  });

  it('writes into the partition that takes the family, and ends at its end', () => {
    const table = readPartitionTable(Uint32Array.from(tableItems([{ first: 2, last: 2 }])), null);
    const inTable = { ...board, partitionTable: table };
    expect(ofBlocks(uf2Blocks(program, { family: armSecure }), inTable)).toMatchObject({
      restarts: true,
      erases: [{ offset: 0x2000, length: 0x1000 }],
    });
    const longer = { address: flash, bytes: data.subarray(0, 17 * 256) };
    expect(ofBlocks(uf2Blocks(longer, { family: armSecure }), inTable)).toMatchObject({
      restarts: false,
      text: [
        expect.stringContaining('its blocks are for addresses outside of the flash and RAM that the drive may write'),
      ],
    });
    expect(ofBlocks(uf2Blocks(program, { family: 0xe48bff58 }), inTable).text).toEqual([
      'The drive ignores the whole file, and the board does not restart: no partition takes its family, and these are for data.',
    ]);
  });

  it('starts a program in RAM', () => {
    const ram = uf2Blocks({ ...program, address: 0x2000_0000 }, { family: armSecure });
    expect(ofBlocks(ram)).toMatchObject({ restarts: true, startsAt: 0x2000_0000, erases: [] });
    const mixed = [
      ...uf2Blocks(program, { family: armSecure, total: 17 }),
      ...uf2Blocks({ address: 0x2000_0000, bytes: data.subarray(0, 256) }, { family: armSecure, first: 16, total: 17 }),
    ];
    expect(ofBlocks(mixed)).toMatchObject({ restarts: false });
  });
});
