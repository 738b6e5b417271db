import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { expandFiles } from '../../esp/build-output/expand-files.ts';
import { filler } from '../../esp/testing/esp-images.ts';
import { ImageError } from '../image-error.ts';
import { buildTiTxt, type Stretch } from '../testing/formats.ts';
import { isMemoryFile, readMemoryFile } from './memory-file.ts';
import { readTiTxt } from './ti-txt.ts';

/** Returns stretches in the order of addresses that never touch. */
function stretchesBelow(limit: number) {
  const step = Math.floor(limit / 4);
  const stretch = fc.record({ gap: fc.nat(step - 400), bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }) });
  return fc
    .array(stretch, { minLength: 1, maxLength: 4 })
    .map((some) => some.map(({ gap, bytes }, index): Stretch => ({ address: index * step + gap, bytes })));
}

function codeOf(lines: readonly string[]): string {
  try {
    readTiTxt(asciiBytes(lines.join('\r\n')));
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return error.line === null ? error.code : `${error.code} in line ${error.line}`;
    }
    throw error;
  }
}

/** The example of SLAU048, appendix A.2. */
const example = [
  '@F000',
  '31 40 00 03 B2 40 80 5A 20 01 D2 D3 22 00 D2 E3',
  '21 00 3F 40 E8 FD 1F 83 FE 23 F9 3F',
  '@FFFE',
  '00 F0',
  'Q',
];
const line = example[1] ?? '';

describe('TI-TXT', () => {
  it('is read as it was written, in any width and kind of line', () => {
    const options = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
    });
    fc.assert(
      fc.property(stretchesBelow(2 ** 32), options, (stretches, chosen) => {
        expect(readTiTxt(buildTiTxt(stretches, chosen))).toEqual({ segments: stretches, entry: null });
      }),
    );
  });

  it('is read as its document shows it', () => {
    const { segments } = readTiTxt(asciiBytes(example.join('\n')));
    expect(segments.map(({ address, bytes }) => [address, bytes.length])).toEqual([
      [0xf000, 28],
      [0xfffe, 2],
    ]);
    expect(segments[1]?.bytes).toEqual(Uint8Array.of(0x00, 0xf0));
  });

  it('takes several blanks between bytes, addresses of any width, and sections that touch or are empty', () => {
    const lines = ['@0', '01\t02  03', '@00000003', '04', '@10000', 'q'];
    expect(readTiTxt(asciiBytes(lines.join('\n'))).segments).toEqual([
      { address: 0, bytes: Uint8Array.of(1, 2, 3, 4) },
    ]);
  });

  it.each([
    ['not-ti-txt in line 2', ['@F000', 'hello', 'q']],
    ['not-ti-txt in line 2', ['@F000', '31 4', 'q']],
    ['not-ti-txt in line 2', ['@F000', '31 400 03', 'q']],
    ['not-ti-txt in line 2', ['@F000', '3140 00', 'q']],
    ['not-ti-txt in line 2', ['@F000', '31 G0', 'q']],
    ['not-ti-txt in line 2', ['@F000', '31,40', 'q']],
    ['not-ti-txt in line 3', ['@F000', '31 40', 'quit']],
    ['not-ti-txt in line 1', [':00000001FF']],
    ['titxt-address in line 1', ['@', '31 40', 'q']],
    ['titxt-address in line 1', ['@F00G', '31 40', 'q']],
    ['titxt-address in line 1', ['@ F000', '31 40', 'q']],
    ['titxt-address in line 1', ['@F000 31 40', 'q']],
    ['titxt-address in line 3', ['@F000', '31 40', '@123456789', '00', 'q']],
    ['titxt-no-address in line 1', ['31 40', 'q']],
    ['titxt-no-address in line 3', ['; comment', '', '31 40', '@F000', 'q']],
    ['titxt-length in line 4', ['@F000', line, '31 40', line, 'q']],
    ['titxt-length in line 3', ['@F000', '31 40', line, 'q']],
    ['titxt-after-end in line 4', ['@F000', '31 40', 'q', '31 40']],
    ['titxt-after-end in line 4', ['@F000', '31 40', 'q', 'q']],
    ['titxt-no-end', ['@F000', '31 40']],
    ['nothing-to-load', ['q']],
    ['nothing-to-load', ['@F000', 'q']],
    ['address-twice', ['@F000', '31 40', '@F001', '41', 'q']],
    ['address-range in line 2', ['@FFFFFFFF', '31 40', 'q']],
  ])('has its fault named with its line: %s', (code, lines) => {
    expect(codeOf(lines)).toBe(code);
  });

  it('is read or refused with a code, whatever replaces one character', () => {
    const file = buildTiTxt([{ address: 0xf000, bytes: filler(70) }]);
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.constantFrom(...'0aFG@q;: \n'), (at, character) => {
        const damaged = Uint8Array.from(file);
        damaged[at] = character.charCodeAt(0);
        expect(codeOf([new TextDecoder().decode(damaged)])).toMatch(/^[a-z0-9 -]+$/);
      }),
    );
  });

  it('notices every byte that is missing inside a section', () => {
    const lines = new TextDecoder().decode(buildTiTxt([{ address: 0xf000, bytes: filler(70) }])).split('\n');
    for (const at of [1, 2, 3, 4]) {
      const cut = lines.with(at, (lines[at] ?? '').slice(3));
      expect(codeOf(cut)).toBe(`titxt-length in line ${at === 1 ? 3 : at + 2}`);
    }
  });
});

describe('a .txt file', () => {
  const file = buildTiTxt([{ address: 0xf000, bytes: filler(40) }]);

  it('is a program when its contents are TI-TXT, whatever its name is', () => {
    for (const name of ['app.txt', 'APP.TXT', 'app.bin', '']) {
      expect(readMemoryFile(file, 0, { name })).toMatchObject({
        format: 'ti-txt',
        formatName: 'TI-TXT',
        segments: [{ address: 0xf000, bytes: filler(40) }],
        entry: null,
      });
    }
    expect(isMemoryFile('build/app.txt', file)).toBe(true);
    expect(isMemoryFile('build/app.log', file)).toBe(false);
  });

  it.each([
    ['notes', 'Flash the board, then press reset.\n'],
    ['a word', 'hello'],
    ['nothing', ''],
    ['an address of mail', '@alice wrote:\n> 12 34\n'],
    ['a number behind an @', 'See ticket\n@1234\nand ask.\n'],
    ['Intel HEX', ':0100000001FE\n:00000001FF\n'],
  ])('is no firmware with %s in it', (_, text) => {
    expect(isMemoryFile('notes.txt', asciiBytes(text))).toBe(false);
  });

  it('is not flashed to an Espressif chip', () => {
    expect(expandFiles([{ name: 'app.txt', bytes: file }]).files).toMatchObject([{ address: null, bytes: file }]);
  });
});
