import { describe, expect, it } from 'vitest';
import { ImageError } from '../../images/image-error.ts';
import { buildElf, buildUf2Blocks, uf2Blocks } from '../../images/testing/formats.ts';
import { checkRpProgram, partitionFor } from './check-rp-program.ts';
import { forecastRp2040Drive, forecastRp2350Drive } from './drive-forecast.ts';
import { inspectRpFile } from './inspect-rp-file.ts';
import { findBlock, wordsOf } from './picobin-block.ts';
import { contentsOfBlock } from './picobin-contents.ts';
import { readRpFirmware } from './read-rp-firmware.ts';
import type { RpBoardFacts, RpPartitionTable, RpProgram } from './rp-firmware.ts';
import { judgeStart } from './start-verdict.ts';
import { bytesOfFile, listedFiles } from './testing/rp-files.ts';

const read = (name: string) => readRpFirmware(name, bytesOfFile(name));

function faultOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return `${error.code}${error.where === null ? '' : `, ${error.where}`}`;
    }
    throw error;
  }
}

/** Files that cannot be written, with their fault. */
const refusedFiles = {
  'elf-cut-short.elf': 'elf-damaged',
  'elf-no-load.elf': 'nothing-to-load',
  'uf2-bad-end-magic.uf2': 'uf2-damaged, Block at 0x800',
  'uf2-container.uf2': 'nothing-to-load',
  'uf2-cut-in-block.uf2': 'uf2-cut-short, Block at 0x1E00',
  'uf2-empty.uf2': 'not-uf2',
  'uf2-file-size-field.uf2': 'uf2-no-family',
  'uf2-missing.uf2': 'uf2-incomplete, Block 5 of 16',
  'uf2-no-family.uf2': 'uf2-no-family',
  'uf2-numbers-all-zero.uf2': 'uf2-block-twice, Block 0 of 16',
  'uf2-numbers-from-one.uf2': 'uf2-number, Block at 0x1E00, number 16 of 16',
  'uf2-overlap.uf2': 'address-twice, 0x10000300',
  'uf2-total-too-big.uf2': 'uf2-incomplete, Block 16 of 17',
  'uf2-total-too-small.uf2': 'uf2-number, Block at 0x1000, number 8 of 8',
  'uf2-totals-differ.uf2': 'uf2-incomplete, Block 8 of 16',
  'uf2-unknown-family.uf2': 'other-chip, For the family 0x12345678 (not in the published list of 2026-02-08)',
} as const;

describe('firmware for RP2040 or RP2350', () => {
  it.each(listedFiles)('is read from $name, or refused with its fault', ({ name }) => {
    const fault = name in refusedFiles ? refusedFiles[name as keyof typeof refusedFiles] : 'none';
    expect(faultOf(() => read(name))).toBe(fault);
  });

  it.each([
    ['elf-flash.elf', 'rp2040', ['RP2040'], 'arm'],
    ['elf-rp2350.elf', 'rp2350-arm-s', ['RP2350'], 'arm'],
    ['elf-riscv.elf', 'rp2350-riscv', ['RP2350'], 'riscv'],
    ['image-type-armns.bin', 'rp2350-arm-ns', ['RP2350'], 'arm'],
    ['image-type-data.bin', null, [], null],
    ['plain-flash.hex', 'rp2040', ['RP2040'], 'arm'],
    ['plain-all-ff.bin', null, [], null],
    ['uf2-data.uf2', 'data', ['RP2040', 'RP2350'], null],
    ['uf2-cyw43.uf2', 'cyw43-firmware', ['RP2350'], null],
  ] as const)('has the family that the file or its program names: %s', (name, family, chips, cpu) => {
    expect(read(name).programs).toMatchObject([{ family, chips, cpu }]);
  });

  it('has the programs of a file for several chips apart', () => {
    const { programs, others } = read('uf2-three-families.uf2');
    expect(programs.map(({ family, chips }) => [family, chips])).toEqual([
      ['rp2040', ['RP2040']],
      ['rp2350-arm-s', ['RP2350']],
      ['rp2350-riscv', ['RP2350']],
    ]);
    expect(others).toEqual([]);
    expect(programs.map(({ flash }) => flash.map(({ address, bytes }) => [address, bytes.length]))).toEqual(
      Array(3).fill([[0x1000_0000, 4_096]]),
    );
  });

  it('keeps the block for erratum E10 apart', () => {
    const { programs, e10 } = read('uf2-e10-extension.uf2');
    expect(e10).toBe(0x10ff_ff00);
    expect(programs).toMatchObject([{ family: 'rp2350-arm-s', flash: [{ address: 0x1000_0000 }] }]);
    expect(read('uf2-plain-arm-s.uf2').e10).toBeNull();
  });

  it('names the parts that neither chip takes', () => {
    expect(read('uf2-container-and-program.uf2').others).toEqual([
      { kind: 'files', name: 'contained files', size: 1_024 },
    ]);
    const beside = buildUf2Blocks([
      ...uf2Blocks({ address: 0x1000_0000, bytes: new Uint8Array(512).fill(1) }, { family: 0xe48bff56 }),
      ...uf2Blocks({ address: 0, bytes: new Uint8Array(300).fill(2) }, { family: 0xada52840 }),
    ]);
    expect(readRpFirmware('both.uf2', beside).others).toEqual([{ kind: 'chip', name: 'nRF52840', size: 300 }]);
  });

  it('refuses blocks that both chips ignore', () => {
    const odd = uf2Blocks(
      { address: 0x1000_0000, bytes: new Uint8Array(400).fill(1) },
      { family: 0xe48bff56, payload: 200 },
    );
    expect(faultOf(() => readRpFirmware('odd.uf2', buildUf2Blocks(odd)))).toBe('uf2-payload, Block 0 of 2');
  });

  it('starts a program in RAM at its lowest address', () => {
    const blocks = uf2Blocks({ address: 0x2000_0000, bytes: new Uint8Array(512).fill(1) }, { family: 0xe48bff56 });
    expect(readRpFirmware('ram.uf2', buildUf2Blocks(blocks)).programs).toMatchObject([
      { entry: 0x2000_0000, flash: [], ram: [{ address: 0x2000_0000 }] },
    ]);
  });
});

const tableOf = (name: string): RpPartitionTable => {
  const block = findBlock(wordsOf(bytesOfFile(name)), 0x1000_0000);
  const table = block === null ? null : contentsOfBlock(block).partitionTable;
  if (table === null) {
    throw new Error(`${name} has no partition table.`);
  }
  return table;
};

describe('check of a program against a board', () => {
  const rp2040: RpBoardFacts = { chip: 'RP2040', flashSize: 0x20_0000, cpu: 'arm', partitionTable: null, users: [] };
  const rp2350: RpBoardFacts = { ...rp2040, chip: 'RP2350', flashSize: 0x40_0000 };
  const [plain] = read('uf2-reversed.uf2').programs as [RpProgram];
  const [arm] = read('uf2-plain-arm-s.uf2').programs as [RpProgram];
  const codes = (program: RpProgram, board: RpBoardFacts) =>
    checkRpProgram('app.uf2', program, board).map(({ code, detail: { wanted, found, at } }) =>
      [code, wanted, found, at].filter((value) => value !== undefined),
    );
  const at = (address: number, size: number): RpProgram => ({
    ...plain,
    image: null,
    flash: [{ address, bytes: new Uint8Array(size) }],
  });

  it('finds nothing for a program of this board', () => {
    expect(codes(plain, rp2040)).toEqual([]);
    expect(codes(arm, rp2350)).toEqual([]);
    expect(codes(arm, { ...rp2350, flashSize: null, cpu: null })).toEqual([]);
  });

  it('refuses a program for the other chip', () => {
    expect(codes(arm, rp2040)).toEqual([['other-chip', 'RP2350', 'RP2040']]);
    expect(codes(plain, rp2350)).toEqual([['other-chip', 'RP2040', 'RP2350']]);
  });

  it('refuses a program of another chip than the file says', () => {
    const [inside] = readRpFirmware('a.uf2', asRp2040(bytesOfFile('uf2-plain-arm-s.uf2'))).programs as [RpProgram];
    expect(codes(inside, rp2040)).toEqual([['other-image', 'RP2350', 'RP2040']]);
  });

  it('warns of another processor than the file says', () => {
    const [inside] = read('uf2-riscv-image-arm-family.uf2').programs as [RpProgram];
    expect(codes(inside, rp2350)).toEqual([['other-architecture', 'RISC-V', 'Arm']]);
  });

  it('refuses data behind the end of the flash, and outside of it', () => {
    expect(codes(at(0x1020_0000 - 256, 512), rp2040)).toEqual([['does-not-fit', '0x10200100', '0x10200000']]);
    expect(codes(at(0x1100_0000, 512), rp2040)).toEqual([['outside-flash', '0x11000000']]);
    expect(codes(at(0x0800_0000, 512), rp2040)).toEqual([['outside-flash', '0x08000000']]);
  });

  it('refuses data for RAM and for flash together', () => {
    const mixed = { ...plain, ram: [{ address: 0x2000_0000, bytes: new Uint8Array(256) }] };
    expect(codes(mixed, rp2040)).toEqual([['mixed-memory']]);
  });

  it('warns of a file system in the same sectors', () => {
    const users = [{ name: 'the files of MicroPython', offset: 0x1000, size: 0x1000 }];
    expect(codes(plain, { ...rp2040, users })).toEqual([]);
    expect(codes(at(0x1000_1f00, 256), { ...rp2040, users })).toEqual([
      ['touches-files', 'the files of MicroPython, 4 KB', '0x10001000'],
    ]);
  });

  it('looks for a partition that takes the family, and for its room', () => {
    const slots = { ...rp2350, partitionTable: tableOf('table-slots-a-b.bin') };
    expect(codes(arm, slots)).toEqual([['into-partition', 'rp2350-arm-s', '0x10001000']]);
    expect(codes(plain, { ...slots, chip: 'RP2040' })).toEqual([['not-accepted', 'rp2040']]);
    const large = { ...arm, flash: [{ address: 0x1000_0000, bytes: new Uint8Array(0x10_0100) }] };
    expect(codes(large, slots)).toEqual([['outside-partition', '1 MB', '1 MB']]);
  });

  it('counts a file system from the partition into which the program goes', () => {
    const users = [{ name: 'files', offset: 0x2000, size: 0x1000 }];
    const board = { ...rp2350, partitionTable: tableOf('table-slots-a-b.bin'), users };
    const into = ['into-partition', 'rp2350-arm-s', '0x10001000'];
    expect(codes(arm, board)).toEqual([into]);
    const longer = { ...arm, flash: [{ address: 0x1000_0000, bytes: new Uint8Array(0x1001) }] };
    expect(codes(longer, board)).toEqual([into, ['touches-files', 'files, 4 KB', '0x10002000']]);
  });

  it('warns when a file for the whole flash goes over the partition table', () => {
    const board = { ...rp2350, partitionTable: tableOf('table-slots-a-b.bin') };
    const [absolute] = readRpFirmware('t.uf2', asFamily(bytesOfFile('uf2-plain-arm-s.uf2'), 0xe48bff57)).programs as [
      RpProgram,
    ];
    expect(codes(absolute, board)).toEqual([['replaces-table']]);
  });
});

describe('partition for a family', () => {
  const table = tableOf('table-slots-owner.bin');
  const indexFor = (family: number) => {
    const found = partitionFor(family, table, 'arm');
    return found === null || found === 'anywhere' ? found : found.index;
  };

  it('is the A slot that takes it; data goes to the owned one', () => {
    expect(indexFor(0xe48bff59)).toBe(0);
    expect(indexFor(0xe48bff58)).toBe(2);
    expect(indexFor(0xe48bff57)).toBe('anywhere');
    expect(indexFor(0xe48bff56)).toBeNull();
  });

  it('is the slot that the boot ROM has chosen, if it has', () => {
    const slots = tableOf('table-slots-a-b.bin');
    expect(partitionFor(0xe48bff59, slots, 'arm')).toMatchObject({ index: 0 });
    const chosen = { ...slots, targets: [{ familyId: 0xe48bff59, index: 1 }] };
    expect(partitionFor(0xe48bff59, chosen, 'arm')).toMatchObject({ index: 1 });
  });

  it('takes further families by their number', () => {
    expect(partitionFor(0x1234_5678, tableOf('table-families.bin'), 'arm')).toMatchObject({ index: 0 });
  });
});

/** Changes the family of all blocks. */
function asFamily(file: Uint8Array, family: number): Uint8Array {
  const copy = Uint8Array.from(file);
  const view = new DataView(copy.buffer);
  for (let at = 0; at < copy.length; at += 512) {
    view.setUint32(at + 28, family, true);
  }
  return copy;
}

const asRp2040 = (file: Uint8Array) => asFamily(file, 0xe48bff56);

describe('files of both ways', () => {
  it('have facts whether they can be written or not', async () => {
    for (const name of Object.keys(refusedFiles)) {
      const info = await inspectRpFile(name, bytesOfFile(name));
      const isTold =
        info.fault !== null || info.programs.some(({ notes, familyId }) => notes.length > 0 || familyId !== null);
      expect([name, isTold]).toEqual([name, true]);
    }
  });
});

describe('files that were reported from the field', () => {
  const [rp2040, armSecure, absolute] = [0xe48bff56, 0xe48bff59, 0xe48bff57];
  const arm = bytesOfFile('uf2-plain-arm-s.uf2');

  it('refuse a program for an RP2350 in a UF2 for the RP2040, with which the drive restarts for nothing', async () => {
    const file = asRp2040(arm);
    const [program] = readRpFirmware('a.uf2', file).programs as [RpProgram];
    const board: RpBoardFacts = { chip: 'RP2040', flashSize: null, cpu: null, partitionTable: null, users: [] };
    expect(forecastRp2040Drive(file, null).restarts).toBe(true);
    expect(await judgeStart(program.flash, { chip: 'RP2040' })).toMatchObject({
      starts: false,
      reason: 'second-stage',
    });
    expect(checkRpProgram('a.uf2', program, board)).toMatchObject([{ kind: 'refusal', code: 'other-image' }]);
  });

  it('have the family of the image definition in an ELF, not that of the RP2040', () => {
    expect(read('elf-rp2350.elf').programs).toMatchObject([{ familyId: armSecure }]);
  });

  it('are for the RP2350 in an ELF for RISC-V without an image definition, in flash and in RAM', async () => {
    for (const address of [0x1000_0000, 0x2000_0000]) {
      const file = buildElf([{ address, bytes: new Uint8Array(512).fill(0x13) }], { machine: 243 });
      expect(readRpFirmware('a.elf', file).programs).toMatchObject([{ chips: ['RP2350'], cpu: 'riscv' }]);
      expect((await inspectRpFile('a.elf', file)).programs).toMatchObject([{ chip: 'RP2350' }]);
    }
  });

  const page = { address: 0x10ff_ff00, bytes: new Uint8Array(256).fill(0xef) };
  const program = uf2Blocks({ address: 0x1000_0000, bytes: arm.subarray(32, 288) }, { family: armSecure, total: 2 });
  const board = { flashSize: 0x40_0000, cpu: 'arm', partitionTable: null } as const;

  it.each([
    [
      'kept',
      [
        ...uf2Blocks(page, { family: absolute, total: 2 }),
        ...uf2Blocks({ address: 0x1000_0000, bytes: arm.subarray(32, 288) }, { family: armSecure }),
      ],
      true,
    ],
    ['dropped', uf2Blocks({ address: 0x1000_0000, bytes: arm.subarray(32, 288) }, { family: armSecure }), true],
    [
      'counted',
      [
        ...uf2Blocks(page, { family: absolute, total: 2 }).map((block) => ({ ...block, total: 3 })),
        ...program.map((block) => ({ ...block, number: 1, total: 3 })),
        ...program.map((block) => ({ ...block, number: 2, total: 3, address: 0x1000_0100 })),
      ],
      false,
    ],
    ['renumbered', [...program, ...uf2Blocks(page, { family: armSecure, first: 1, total: 2 })], true],
  ] as const)('hold the program alone when a tool has %s the block for erratum E10', (_what, blocks, restarts) => {
    const file = buildUf2Blocks(blocks);
    const { programs } = readRpFirmware('a.uf2', file);
    expect(programs).toMatchObject([{ familyId: armSecure, flash: [{ address: 0x1000_0000 }] }]);
    expect(forecastRp2350Drive(file, board).restarts).toBe(restarts);
  });

  it('hold a program for each chip, of which the board takes its own', () => {
    const { programs } = read('uf2-three-families.uf2');
    const facts: RpBoardFacts = { chip: 'RP2350', flashSize: null, cpu: 'riscv', partitionTable: null, users: [] };
    const suited = programs.filter((one) => checkRpProgram('a.uf2', one, facts).length === 0);
    expect(suited.map(({ family }) => family)).toEqual(['rp2350-arm-s', 'rp2350-riscv']);
    const suitedOld = programs.filter((one) => checkRpProgram('a.uf2', one, { ...facts, chip: 'RP2040' }).length === 0);
    expect(suitedOld.map(({ familyId }) => familyId)).toEqual([rp2040]);
  });
});
