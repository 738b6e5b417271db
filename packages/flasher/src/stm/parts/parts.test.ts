import { describe, expect, it } from 'vitest';
import { flashStart, sectorsOf } from './flash-layout.ts';
import { sectorsOfPart } from './layout-option.ts';
import { modelOf } from './model.ts';
import { factsOf, partOf, type StmPart, stmParts } from './part-table.ts';
import { describeOptions } from './read-options.ts';

const KIB = 1_024;

function part(productId: number): StmPart {
  const found = partOf(productId);
  if (found === null) {
    throw new Error(`No part ${productId.toString(16)}.`);
  }
  return found;
}

describe('the table of parts', () => {
  it('has each product id once', () => {
    expect(new Set(stmParts.map(({ productId }) => productId)).size).toBe(stmParts.length);
  });

  it.each(stmParts.map((one) => [one.name, one] as const))(
    'divides the flash of %s without gap or overlap',
    (_name, one) => {
      for (const layout of [one.layout, one.otherLayout ?? one.layout]) {
        const sectors = sectorsOf(layout, one.largestFlash);
        expect(sectors.reduce((sum, { length }) => sum + length, 0)).toBe(one.largestFlash);
        expect(sectors[0]?.offset).toBe(flashStart);
        for (const [index, { offset, length }] of sectors.entries()) {
          expect(sectors[index + 1]?.offset ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(offset + length);
        }
        expect(new Set(sectors.map(({ code }) => code)).size).toBe(sectors.length);
        const { granularity } = factsOf(one);
        expect(sectors.every(({ length }) => length % granularity === 0)).toBe(true);
      }
    },
  );

  it('names each family by a model that releases know', () => {
    expect(stmParts.map(({ family }) => modelOf(family))).not.toContain(null);
    expect(modelOf('WB')).toBe('stm32w');
    expect(modelOf('L0')).toBe('stm32l');
  });
});

describe('sectors', () => {
  it('are four of 16, one of 64 and seven of 128 KB for 1 MB of an STM32F4', () => {
    const sizes = sectorsOf(part(0x413).layout, 1_024 * KIB).map(({ length }) => length / KIB);
    expect(sizes).toEqual([16, 16, 16, 16, 64, 128, 128, 128, 128, 128, 128, 128]);
  });

  it('begin with number 12 in bank 2 of an STM32F42x', () => {
    const sectors = sectorsOfPart(part(0x419), 2_048 * KIB, new Uint8Array(16));
    expect(sectors).toHaveLength(24);
    expect(sectors[12]).toEqual({ code: 12, offset: 0x0810_0000, length: 16 * KIB });
  });

  it('skip numbers for 1 MB in two banks', () => {
    const optionBytes = new Uint8Array(16);
    optionBytes[9] = 0x40;
    const sectors = sectorsOfPart(part(0x419), 1_024 * KIB, optionBytes);
    expect(sectors.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(sectors[8]?.offset).toBe(0x0808_0000);
  });

  it('are a megabyte apart on a small H7 with two banks, and in one bank without a second', () => {
    expect(sectorsOf(part(0x450).layout, 1_024 * KIB)[4]).toEqual({
      code: 8,
      offset: 0x0810_0000,
      length: 128 * KIB,
    });
    expect(sectorsOf(part(0x450).layout, 128 * KIB)).toHaveLength(1);
  });

  it('begin in bank 2 of a small STM32G47x at the same place as in a large one', () => {
    const sectors = sectorsOfPart(part(0x469), 256 * KIB, null);
    expect(sectors[64]).toEqual({ code: 128, offset: 0x0804_0000, length: 2 * KIB });
  });

  it.each([
    [0x415, 512, 0x20_0000, 256],
    [0x415, 512, 0, 128],
    [0x467, 256, 0x20_0000, 256],
    [0x467, 256, 0, 64],
    [0x467, 128, 0x20_0000, 32],
  ])('have page numbers by option bit 21 for 0x%s with %i KB', (productId, kib, option, code) => {
    const optionBytes = new Uint8Array(16);
    new DataView(optionBytes.buffer).setUint32(0, option, true);
    const sectors = sectorsOfPart(part(productId), kib * KIB, optionBytes);
    const half = sectors[sectors.length / 2];
    expect(half?.offset).toBe(flashStart + (kib / 2) * KIB);
    expect(half?.code).toBe(code);
  });

  it('are half as large with two banks on an STM32F76x', () => {
    const [two, one] = [new Uint8Array(32), new Uint8Array(32)];
    one[9] = 0x20;
    expect(sectorsOfPart(part(0x451), 2_048 * KIB, one)[0]?.length).toBe(32 * KIB);
    expect(sectorsOfPart(part(0x451), 2_048 * KIB, two)[0]?.length).toBe(16 * KIB);
  });
});

describe('option bytes', () => {
  const meaningsOf = (productId: number, bytes: Uint8Array) => {
    const { family } = part(productId);
    const range = factsOf(part(productId)).optionBytes ?? { offset: 0, length: 0 };
    return Object.fromEntries(describeOptions(family, range, bytes).fields.map(({ name, meaning }) => [name, meaning]));
  };

  it('report no protection with the factory values of an STM32F1', () => {
    const bytes = Uint8Array.of(0xa5, 0x5a, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0);
    expect(meaningsOf(0x410, bytes)).toMatchObject({ RDP: 'Not protected', WRP: 'Not write-protected' });
  });

  it('report the level of the brown-out reset of an STM32F4', () => {
    const bytes = new Uint8Array(16);
    bytes.set([0xef, 0xaa], 0);
    bytes.set([0xff, 0x0f], 8);
    expect(meaningsOf(0x413, bytes)).toMatchObject({
      RDP: 'Level 0: not protected',
      BOR_LEV: 'Off',
      WRP: 'Not write-protected',
    });
  });

  it('report the selection of the start address of an STM32L4', () => {
    const bytes = new Uint8Array(16);
    new DataView(bytes.buffer).setUint32(0, 0xffef_f8aa, true);
    expect(meaningsOf(0x415, bytes)).toMatchObject({
      RDP: 'Level 0: not protected',
      nSWBOOT0: 'The BOOT0 pin decides where the part starts',
      IWDG_SW: 'The program starts the independent watchdog',
    });
  });

  it('have only the fields that are there if they are truncated', () => {
    expect(describeOptions('L4', { offset: 0, length: 1 }, Uint8Array.of(0xaa)).fields).toHaveLength(1);
  });
});
