import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filler } from '../../esp/testing/esp-images.ts';
import { ImageError } from '../image-error.ts';
import { buildUf2, buildUf2Blocks, type Uf2BlockFields, uf2Blocks } from '../testing/formats.ts';
import { formatOf } from './formats.ts';
import { readMemoryFile } from './memory-file.ts';
import { readUf2, uf2 } from './uf2.ts';

const rp2040 = 0xe48bff56;
const f4 = 0x57755a57;
const f1 = 0x5ee21072;
const one = { address: 0x0800_0000, bytes: filler(900) };
const other = { address: 0x1000_0000, bytes: filler(600).toReversed() };

const stm = { includes: (family: string) => family.startsWith('STM32') };
const read = (blocks: readonly Uf2BlockFields[]) => readUf2(buildUf2Blocks(blocks));
const familiesOf = (blocks: readonly Uf2BlockFields[]) =>
  read(blocks).map(({ family, segments }) => [family, segments]);

function faultOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return `${error.code}, ${error.where}`;
    }
    throw error;
  }
}

/** Four blocks and three blocks, numbered 0 to 6 together. */
const throughTheFile = [
  ...uf2Blocks(one, { family: f4, total: 7 }),
  ...uf2Blocks(other, { family: rp2040, first: 4, total: 7 }),
];
const perFamily = [...uf2Blocks(one, { family: f4 }), ...uf2Blocks(other, { family: rp2040 })];
const both = [
  ['STM32F4', [one]],
  ['RP2040', [other]],
];

describe('a UF2 file for two families', () => {
  it('is read whether its numbers run through the file or begin again', () => {
    expect(familiesOf(throughTheFile)).toEqual(both);
    expect(familiesOf(perFamily)).toEqual(both);
  });

  it('is the same in any order of its blocks, and with some of them repeated', () => {
    const shuffled = fc.shuffledSubarray(throughTheFile, { minLength: throughTheFile.length });
    fc.assert(
      fc.property(shuffled, fc.subarray(throughTheFile), (blocks, again) => {
        const found = read([...blocks, ...again]).map(({ family, segments }) => [family, segments]);
        expect(new Map(found as [string, unknown][])).toEqual(new Map(both as [string, unknown][]));
      }),
    );
  });

  it('may alternate its families, each with as many blocks as the other', () => {
    const [left, right] = [
      uf2Blocks(one, { family: f4 }),
      uf2Blocks({ ...other, bytes: filler(1_000) }, { family: f1 }),
    ];
    const turns = left.flatMap((block, index) => [block, right[index] ?? block]);
    expect(read(turns).map(({ family }) => family)).toEqual(['STM32F4', 'STM32F1']);
  });

  it.each([
    ['the first', throughTheFile.slice(1), 'Block 0 of 7'],
    ['one in the middle', throughTheFile.toSpliced(5, 1), 'Block 5 of 7'],
    ['the last', throughTheFile.slice(0, -1), 'Block 6 of 7'],
    ['one of a family with numbers of its own', perFamily.toSpliced(5, 1), 'Block 1 of 3'],
  ])('is refused when a block is missing: %s', (_which, blocks, where) => {
    expect(faultOf(() => read(blocks))).toBe(`uf2-incomplete, ${where}`);
  });

  it('is read for a chip although blocks of another chip are missing', () => {
    const cut = buildUf2Blocks(perFamily.slice(0, -1));
    expect(uf2.read(cut, stm)).toMatchObject({
      segments: [one],
      target: 'STM32F4',
      others: [{ name: 'RP2040', size: 512 }],
    });
    expect(faultOf(() => uf2.read(buildUf2Blocks(perFamily.slice(1)), stm))).toBe('uf2-incomplete, Block 0 of 4');
  });

  it('names the part that is left out', () => {
    const file = buildUf2Blocks(throughTheFile.toReversed());
    expect(readMemoryFile(file, 0, { own: stm })).toMatchObject({
      segments: [one],
      target: 'STM32F4',
      others: [{ kind: 'chip', name: 'RP2040', size: 600 }],
    });
    expect(readMemoryFile(buildUf2Blocks(perFamily), 0)).toMatchObject({
      target: 'STM32F4',
      others: [{ name: 'RP2040' }],
    });
  });

  it('is refused with their names when both or none are for the flasher', () => {
    const twice = buildUf2Blocks([...uf2Blocks(one, { family: f4 }), ...uf2Blocks(one, { family: f1 })]);
    expect(faultOf(() => uf2.read(twice, stm))).toBe('several-chips, For STM32F4 and STM32F1');
    const none = buildUf2Blocks([...uf2Blocks(other, { family: rp2040 }), ...uf2Blocks(other, { family: 0xada52840 })]);
    expect(faultOf(() => uf2.read(none, stm))).toBe('other-chip, For RP2040 and nRF52840');
  });
});

describe('a UF2 file for an RP2350', () => {
  const [rp2350, absolute] = [0xe48bff59, 0xe48bff57];
  const program = uf2Blocks(other, { family: rp2350 });
  const ignoreTag = Uint8Array.of(0x04, 0xe3, 0x57, 0x99);
  const filler256 = { address: 0x10ff_ff00, bytes: new Uint8Array(256).fill(0xef) };
  const e10 = uf2Blocks(filler256, { family: absolute, total: 2 });
  const withTag = uf2Blocks(filler256, { family: absolute, total: 2, flags: 0x8000 }).map((block) => ({
    ...block,
    behind: ignoreTag,
  }));

  it.each([
    ['without its tag', e10],
    ['with its tag', withTag],
  ])('begins with a filler that is neither written nor a missing block, %s', (_which, front) => {
    expect(read([...front, ...program])).toMatchObject([{ familyId: rp2350, segments: [other] }]);
    expect(faultOf(() => read(front))).toBe('nothing-to-load, null');
  });

  it('has a filler for each of its programs, at addresses of their own', () => {
    const riscv = 0xe48bff5a;
    const second = e10.map((block) => ({ ...block, address: 0x103f_ff00 }));
    const files = [...e10, ...program, ...second, ...uf2Blocks(one, { family: riscv })];
    expect(read(files).map(({ familyId }) => familyId)).toEqual([rp2350, riscv]);
  });

  it('counts a filler that was numbered like the program, and does not write it', () => {
    const total = program.length + 1;
    const numbered = [
      ...uf2Blocks(filler256, { family: absolute, total }),
      ...uf2Blocks(other, { family: rp2350, first: 1, total }),
    ];
    expect(read(numbered)).toMatchObject([{ familyId: rp2350, segments: [other] }]);
    expect(faultOf(() => read(numbered.slice(1)))).toBe(`uf2-incomplete, Block 0 of ${total}`);
  });

  it('knows the filler by its place after a tool gave it another number or the family of the program', () => {
    const total = program.length + 1;
    const last = uf2Blocks(filler256, { family: rp2350, first: program.length, total });
    expect(read([...uf2Blocks(other, { family: rp2350, total }), ...last])).toMatchObject([
      { familyId: rp2350, segments: [other] },
    ]);
  });

  it('writes a block of the family absolute that is no filler', () => {
    const real = { address: 0x1000_0000, bytes: filler(512) };
    expect(read(uf2Blocks(real, { family: absolute }))).toMatchObject([{ familyId: absolute, segments: [real] }]);
    const same = { address: 0x1000_0100, bytes: new Uint8Array(256).fill(0xef) };
    const page = [
      ...uf2Blocks(real, { family: absolute, total: 3 }),
      ...uf2Blocks(same, { family: absolute, first: 2, total: 3 }),
    ];
    expect(faultOf(() => read(page))).toBe('address-twice, 0x10000100');
    const otherTag = withTag.map((block) => ({ ...block, behind: Uint8Array.of(4, 1, 1, 1) }));
    expect(faultOf(() => read([...otherTag, ...program]))).toBe('uf2-incomplete, Block 1 of 2');
  });
});

describe('a UF2 file with sectors that are no blocks', () => {
  const program = buildUf2(one, f4);
  const between = (gap: Uint8Array) => Uint8Array.from([...program.subarray(0, 512), ...gap, ...program.subarray(512)]);

  it('is read without them, and without bytes behind the last block', () => {
    for (const file of [between(new Uint8Array(512)), Uint8Array.from([...program, ...filler(37)])]) {
      expect(readUf2(file)).toMatchObject([{ segments: [one] }]);
    }
  });

  it.each([0, 0xff])('is read behind empty sectors of %i, as a drive does', (fill) => {
    const file = Uint8Array.from([...new Uint8Array(1_024).fill(fill), ...program]);
    expect(formatOf(file)?.kind).toBe('uf2');
    expect(readUf2(file)).toMatchObject([{ segments: [one] }]);
    expect(formatOf(file.subarray(0, 1_024))).toBe(null);
  });

  it('is refused when a block is cut short', () => {
    const cut = Uint8Array.from([...program, ...program.subarray(0, 100)]);
    expect(faultOf(() => readUf2(cut))).toBe('uf2-cut-short, Block at 0x800');
  });
});

describe('a block of a UF2 file', () => {
  it('is refused when it is there twice with different contents', () => {
    const [first, ...rest] = uf2Blocks(one, { family: f4 });
    const changed = { ...first, bytes: filler(256).toReversed() } as Uf2BlockFields;
    expect(faultOf(() => read([first as Uf2BlockFields, ...rest, changed]))).toBe('uf2-block-twice, Block 0 of 4');
  });

  it('is counted and not loaded if it is a comment', () => {
    const program = uf2Blocks(one, { family: f4, total: 6 });
    const comment = uf2Blocks(other, { family: null, first: 4, total: 6, flags: 1, payload: 400 });
    expect(read([...comment, ...program])).toMatchObject([{ family: 'STM32F4', segments: [one] }]);
    expect(faultOf(() => read([...comment.slice(1), ...program]))).toBe('uf2-incomplete, Block 4 of 6');
  });

  it('is reported and not loaded if it belongs to a file system, with any comment flag', () => {
    const program = uf2Blocks(one, { family: f4, total: 6 });
    for (const flags of [0x1000, 0x1001]) {
      const files = uf2Blocks(
        { address: 0, bytes: filler(600) },
        { family: null, first: 4, total: 6, flags, payload: 400 },
      );
      expect(uf2.read(buildUf2Blocks([...program, ...files]), stm)).toMatchObject({
        segments: [one],
        others: [{ kind: 'files', size: 600 }],
      });
      const alone = uf2Blocks({ address: 0, bytes: filler(600) }, { family: null, flags, payload: 400 });
      expect(faultOf(() => uf2.read(buildUf2Blocks(alone), stm))).toBe('nothing-to-load, null');
    }
  });

  it('may hold a hash or tags behind its data, which are not loaded', () => {
    const tags = Uint8Array.from([9, 0xbc, 0xc7, 0x9f, 0x30, 0x2e, 0x31, 0x2e, 0x32, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    for (const flags of [0x4000, 0x8000, 0xc000]) {
      const blocks = uf2Blocks(one, { family: f4, flags, payload: 452 }).map((block) => ({ ...block, behind: tags }));
      expect(read(blocks)).toMatchObject([{ segments: [one] }]);
    }
    expect(faultOf(() => read(uf2Blocks(one, { family: f4, flags: 0x4000, payload: 476 })))).toMatch(/^uf2-damaged/);
  });

  it('has a number below the total', () => {
    expect(faultOf(() => read(uf2Blocks(one, { family: f4, first: 1, total: 4 })))).toBe(
      'uf2-number, Block at 0x600, number 4 of 4',
    );
    expect(faultOf(() => read(uf2Blocks(one, { family: f4, total: 0 })))).toMatch(/^uf2-number/);
  });

  it('may be for any chip, or for an unknown one', () => {
    expect(uf2.read(buildUf2(one, null), stm)).toMatchObject({ segments: [one], target: null, others: [] });
    expect(uf2.read(buildUf2(one, 0x12345678), stm)).toMatchObject({
      segments: [one],
      target: 'the family 0x12345678 (not in the published list of 2026-02-08)',
    });
    const unknown = 'the family 0x12345678 (not in the published list of 2026-02-08)';
    const beside = buildUf2Blocks([...uf2Blocks(one, { family: f4 }), ...uf2Blocks(other, { family: 0x12345678 })]);
    expect(uf2.read(beside, stm)).toMatchObject({ segments: [one], others: [{ name: unknown }] });
  });

  it.each([
    [0x7b3ef230, 'BK7231N'],
    [0x22e0d6fc, 'RTL8710B'],
    [0xe08f7564, 'RTL8720C'],
    [0x675a40b0, 'BK7231U or BK7231T'],
  ])('is refused with the name of the LibreTiny chip that it is for: %x', (family, name) => {
    expect(faultOf(() => uf2.read(buildUf2(one, family), stm))).toBe(`other-chip, For ${name}`);
  });
});
