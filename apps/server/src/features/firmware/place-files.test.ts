import { findOverlap, formatOffset, parseOffset } from '@wirebench/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api-error.ts';
import { placeFiles } from './place-files.ts';

const file = (fileName: string, size = 0x100) => ({ fileName, size });

function refusalOf(files: Parameters<typeof placeFiles>[0], offsets: readonly string[]): string | null {
  try {
    placeFiles(files, offsets);
    return null;
  } catch (error) {
    return error instanceof ApiError && error.code === 'invalid-request' ? error.message : String(error);
  }
}

describe('placing files', () => {
  it('takes hex and decimal, in any case, with white space around', () => {
    const files = [file('a.bin'), file('b.bin'), file('c.bin')];
    expect(placeFiles(files, ['0x1000', ' 32768 ', '0X0001F000']).map(({ offset }) => offset)).toEqual([
      0x1000, 32_768, 0x1f000,
    ]);
  });

  it.each<[string, Parameters<typeof placeFiles>[0], string[], string]>([
    ['no file', [], [], 'At least one firmware file with offset is required'],
    ['no offset at all', [file('a.bin')], [''], 'At least one firmware file with offset is required'],
    ['one offset missing', [file('a.bin'), file('b.bin')], ['0x0', ' '], '"b.bin" needs an offset, such as 0x10000'],
    [
      'fewer offsets than files',
      [file('a.bin'), file('b.bin')],
      ['0x0'],
      'There must be one offset for each file: 2, not 1',
    ],
    [
      'no number',
      [file('a.bin')],
      ['0xZZ'],
      'The offset of "a.bin" must be hex such as 0x10000 or a decimal number, below 0x100000000',
    ],
    [
      'too large a number',
      [file('a.bin')],
      ['0x100000000'],
      'The offset of "a.bin" must be hex such as 0x10000 or a decimal number, below 0x100000000',
    ],
    ['an empty file', [file('a.bin', 0)], ['0x0'], '"a.bin" is empty'],
    [
      'an end beyond all flash',
      [file('a.bin', 2)],
      ['0xffffffff'],
      '"a.bin" at 0xffffffff ends above 0x100000000, where no flash is',
    ],
    [
      'one on the other',
      [file('app.bin', 0x2000), file('boot.bin', 0x1001)],
      ['0x10000', '0xF000'],
      'Files must not overlap: "boot.bin" (0xf000 to 0x10000) and "app.bin" (0x10000 to 0x11fff) do.',
    ],
    [
      'two at one place',
      [file('a.bin'), file('b.bin')],
      ['4096', '0x1000'],
      'Files must not overlap: "a.bin" (0x1000 to 0x10ff) and "b.bin" (0x1000 to 0x10ff) do.',
    ],
  ])('refuses %s', (_name, files, offsets, sentence) => {
    expect(refusalOf(files, offsets)).toBe(sentence);
  });

  it('lets files touch, and one end where flash does', () => {
    expect(refusalOf([file('a.bin', 0x1000), file('b.bin', 1)], ['0x0', '0x1000'])).toBeNull();
    expect(refusalOf([file('a.bin', 1)], ['0xffffffff'])).toBeNull();
  });
});

describe('offsets', () => {
  it('are read as they are written', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.boolean(), (offset, upper) => {
        const text = formatOffset(offset);
        expect(parseOffset(upper ? text.toUpperCase() : text)).toBe(offset);
        expect(parseOffset(String(offset))).toBe(offset);
      }),
      {
        examples: [
          [0, true],
          [0xffff_ffff, false],
        ],
      },
    );
  });

  it('are below 2³² or nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const offset = parseOffset(text);
        expect(offset === null || (Number.isInteger(offset) && offset >= 0 && offset < 2 ** 32)).toBe(true);
      }),
    );
    for (const text of [
      '',
      '0x',
      '-1',
      '+1',
      '1e3',
      '1.0',
      '0b1',
      '1_000',
      '٣',
      '0x1g',
      '4294967296',
      '9'.repeat(30),
    ]) {
      expect(parseOffset(text), text).toBeNull();
    }
  });
});

describe('overlap', () => {
  const region = fc.record({ fileName: fc.string(), offset: fc.nat(60), size: fc.nat(12) });

  it('is found exactly when two files share a byte, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(region, { maxLength: 6 }), (regions) => {
        const owners = new Map<number, number>();
        let shared = false;
        for (const [index, { offset, size }] of regions.entries()) {
          for (let address = offset; address < offset + size; address++) {
            shared ||= owners.has(address);
            owners.set(address, index);
          }
        }
        expect(findOverlap(regions) !== null).toBe(shared);
        expect(findOverlap(regions.toReversed()) !== null).toBe(shared);
      }),
    );
  });

  it('names two that really share a byte, the lower one first', () => {
    fc.assert(
      fc.property(fc.array(region, { maxLength: 6 }), (regions) => {
        const [lower, upper] = findOverlap(regions) ?? [];
        if (lower !== undefined && upper !== undefined) {
          expect(lower.offset).toBeLessThanOrEqual(upper.offset);
          expect(lower.offset + lower.size).toBeGreaterThan(upper.offset);
        }
      }),
    );
  });
});
