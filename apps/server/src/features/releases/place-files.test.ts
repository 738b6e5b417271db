import { readFirmware } from '@wirebench/flasher/release';
import { describe, expect, it } from 'vitest';
import { buildTable } from '../../../../../packages/flasher/src/esp/testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged } from '../../../../../packages/flasher/src/esp/testing/esp-images.ts';
import { ApiError } from '../../api-error.ts';
import { checkFiles, placeFiles } from './plan-builds.ts';

const file = (fileName: string, size = 0x100) => ({ fileName, size });
const esp32 = { deviceFamily: 'esp', deviceModel: 'esp32' } as const;

function refusalOf(files: Parameters<typeof placeFiles>[0], offsets: readonly string[]): string | null {
  try {
    const placed = placeFiles(files, offsets);
    checkFiles(
      placed.map((one) => ({ ...one, reading: null })),
      esp32,
      [],
    );
    return null;
  } catch (error) {
    return error instanceof ApiError && error.code === 'invalid-request' ? error.message : String(error);
  }
}

describe('placing files', () => {
  it('takes hex with its prefix, in any case, with white space around', () => {
    const files = [file('a.bin'), file('b.bin'), file('c.bin')];
    expect(placeFiles(files, ['0x1000', ' 0x8000 ', '0X0001F000']).map(({ offset }) => offset)).toEqual([
      0x1000, 0x8000, 0x1f000,
    ]);
  });

  it.each<[string, Parameters<typeof placeFiles>[0], string[], string]>([
    ['no file', [], [], 'At least one firmware file with offset is required'],
    ['no offset at all', [file('a.bin')], [''], 'At least one firmware file with offset is required'],
    ['one offset missing', [file('a.bin'), file('b.bin')], ['0x0', ' '], '"b.bin" needs an offset, such as 0x10000.'],
    [
      'fewer offsets than files',
      [file('a.bin'), file('b.bin')],
      ['0x0'],
      'There must be one offset for each file: 2, not 1',
    ],
    [
      'an offset without 0x, which may be hex or decimal',
      [file('app.bin')],
      ['10000'],
      'The offset of "app.bin" has no 0x prefix. Use 0x10000.',
    ],
    [
      'no number',
      [file('a.bin')],
      ['0xZZ'],
      'The offset of "a.bin" must be a hexadecimal address such as 0x10000, below 0x100000000.',
    ],
    [
      'too large a number',
      [file('a.bin')],
      ['0x100000000'],
      'The offset of "a.bin" must be a hexadecimal address such as 0x10000, below 0x100000000.',
    ],
    [
      'an offset that begins no sector',
      [file('app.bin')],
      ['0x2710'],
      '"app.bin" cannot begin at 0x2710: flash is erased in sectors of 4 KB. Give it an offset that ends in 000, in hexadecimal.',
    ],
    ['an empty file', [file('a.bin', 0)], ['0x0'], '"a.bin" is empty. Build it again, or get a fresh copy.'],
    [
      'an end beyond all flash',
      [file('a.bin', 2)],
      ['0xfffff000'],
      '"a.bin" ends at 0xFFFFF002. No flash of an Espressif chip goes beyond 0x08000000. Correct the offset.',
    ],
    [
      'one on the other',
      [file('app.bin', 0x2000), file('boot.bin', 0x1001)],
      ['0x10000', '0xF000'],
      '"boot.bin" and "app.bin" overlap at 0x10000. Remove one of them, or correct the offsets.',
    ],
    [
      'two at one place',
      [file('a.bin'), file('b.bin')],
      ['0x1000', '0x1000'],
      '"a.bin" and "b.bin" overlap at 0x1000. Remove one of them, or correct the offsets.',
    ],
  ])('refuses %s', (_name, files, offsets, sentence) => {
    expect(refusalOf(files, offsets)).toBe(sentence);
  });

  it('refuses a merged image whose app is larger than its slot, as it refuses the app alone', async () => {
    const layout = [{ name: 'app0', type: 0, subtype: 0x10, offset: 0x10000, size: 0x10000 }];
    const app = buildApp({ size: 0x10000 });
    const image = buildMerged([
      [0x1000, buildBootloader()],
      [0x8000, buildTable(layout)],
      [0x10000, app],
    ]);
    const reading = await readFirmware(image);
    expect(() => checkFiles([{ fileName: 'all.bin', size: image.length, offset: 0, reading }], esp32, [])).toThrow(
      'The app in "all.bin" is 65,872 bytes, but partition "app0" holds only 65,536 bytes.',
    );
  });

  it('lets files touch', () => {
    expect(refusalOf([file('a.bin', 0x1000), file('b.bin', 1)], ['0x0', '0x1000'])).toBeNull();
  });
});
