import { joined } from '@wirebench/port/bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { filler } from '../../esp/testing/esp-images.ts';
import { ImageError } from '../image-error.ts';
import { buildIntelHex, buildSRecords, buildTiTxt } from '../testing/formats.ts';
import { formatOf } from './formats.ts';
import { readMemoryFile } from './memory-file.ts';

const stretch = { address: 0x0800_0000, bytes: filler(70) };
const records = {
  'intel-hex': buildIntelHex([stretch]),
  's-record': buildSRecords([stretch]),
  'ti-txt': buildTiTxt([stretch]),
};
type Kind = keyof typeof records;
const kinds = Object.keys(records) as Kind[];

const textOf = (kind: Kind) => new TextDecoder().decode(records[kind]);
const utf8 = (text: string) => new TextEncoder().encode(text);

/** @param width Bytes per character. */
function wide(text: string, width: 2 | 4, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(width * text.length));
  Array.from(text, (character, index) => {
    const [code, at] = [character.charCodeAt(0), index * width];
    return width === 2 ? view.setUint16(at, code, littleEndian) : view.setUint32(at, code, littleEndian);
  });
  return new Uint8Array(view.buffer);
}

function faultOf(bytes: Uint8Array, name = 'app.bin'): string {
  try {
    readMemoryFile(bytes, 0, { name });
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return `${error.code} in line ${error.line}`;
    }
    throw error;
  }
}

describe.each(kinds)('a text of records: %s', (kind) => {
  const text = textOf(kind);
  const mark = '\ufeff';

  it.each([
    ['with the mark of UTF-8', utf8(mark + text)],
    ['as UTF-16, low byte first', wide(mark + text, 2, true)],
    ['as UTF-16, high byte first', wide(mark + text, 2, false)],
    ['as UTF-16 without a mark', wide(text, 2, true)],
    ['as UTF-16 without a mark, high byte first', wide(text, 2, false)],
    ['as UTF-32', wide(mark + text, 4, true)],
    ['as UTF-32, high byte first', wide(mark + text, 4, false)],
    ['with a comment', utf8(`; made by a program\n${text}`)],
    [
      'with comments of several kinds',
      utf8(
        `# für "Wirebench"\r\n\r\n// 1.2\r\n;${text}`.replace(';:', ';\n:').replace(';S', ';\nS').replace(';@', ';\n@'),
      ),
    ],
    ['with the mark of UTF-8 and a comment', utf8(`${mark}; made by a program\n${text}`)],
    ['with a comment that is longer than other files', utf8(`${'; licence\n'.repeat(3_000)}${text}`)],
    ['with empty lines and blanks before it', utf8(`\n\n  \t\n \t ${text}`)],
    ['with lines that end with CR alone', utf8(text.replaceAll('\n', '\r'))],
    ['with blanks around its lines', utf8(text.replaceAll('\n', '  \n\t'))],
    ['with Ctrl+Z at its end', utf8(`${text}\x1a`)],
    ['with Ctrl+Z and zeros at its end', utf8(`${text}\x1a\x1a\0\0\0`)],
    ['with a comment at its end', utf8(`${text}; end\n`)],
    ['in small letters', utf8(text.toLowerCase())],
  ])('is read %s', (_how, bytes) => {
    expect(readMemoryFile(bytes, 0)).toMatchObject({ format: kind, segments: [stretch] });
  });

  it('is refused as text, with its line, behind a text that is no comment', () => {
    const code = `not-${kind}`;
    expect(faultOf(utf8(`Firmware 1.2 for the pump\n${text}`))).toBe(`${code} in line 1`);
    expect(faultOf(utf8(`; 1.2\nFirmware\n${text}`))).toBe(`${code} in line 2`);
    expect(faultOf(wide(`\ufeffüber\n${text}`, 2, true))).toBe(`${code} in line 1`);
  });

  it('is refused when a record in it became a comment or is behind a Ctrl+Z', () => {
    const [first = '', ...rest] = text.split('\n');
    if (kind === 'intel-hex') {
      expect(faultOf(utf8([`;${first.slice(1)}`, ...rest].join('\n')))).toBe('not-intel-hex in line 1');
    }
    expect(faultOf(utf8([first, `\x1a${rest.join('\n')}`].join('\n')))).toMatch(/in line 2$/);
  });

  it('reports a damaged record with its line, also behind skipped lines', () => {
    const lines = `; one\n\n${text}`.split('\n');
    // TI-TXT has no checksums: only an invalid digit is detectable.
    lines[3] = (lines[3] ?? '').replace(/..$/, (sum) => (kind === 'ti-txt' ? '0x' : sum === '00' ? '01' : '00'));
    expect(faultOf(utf8(lines.join('\r\n')))).toMatch(/(-checksum|not-ti-txt) in line 4$/);
  });
});

describe.each([
  ['intel-hex', 'app.hex'],
  ['s-record', 'app.s19'],
] as const)('a file that is named like %s', (kind, name) => {
  it('is refused with other contents, unless they are of another format', () => {
    expect(faultOf(filler(500), name)).toBe(`not-${kind} in line 1`);
    expect(faultOf(utf8('<!DOCTYPE html>\n<p>Not found'), name)).toBe(`not-${kind} in line 1`);
    for (const bytes of Object.values(records)) {
      expect(readMemoryFile(bytes, 0, { name }).segments).toEqual([stretch]);
    }
  });
});

describe('data that resembles records', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['a text', asciiBytes('Some text: :10 is no record, and S1 is none.\n')],
    ['a list', asciiBytes('# list\nname: value\n:colon\n')],
    ['data with a record in it', joined(Uint8Array.of(1, 2, 3, 0), records['intel-hex'])],
    ['UTF-16 of something else', wide('\ufeffhello', 2, true)],
  ])('is not recognised as records: %s', (_what, bytes) => {
    expect(formatOf(bytes)).toBeNull();
  });

  it('is not recognised as records because of zeros in a program', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        fc.pre(bytes.length < 8 || bytes.some((byte) => byte < 9));
        const kind = formatOf(joined(bytes, Uint8Array.of(1)))?.kind ?? null;
        expect(kind === null || kind === 'mcuboot').toBe(true);
      }),
    );
  });

  it.each(['app.elf', 'app.axf', 'app.uf2', 'app.dfu'])('is refused with the name of another format: %s', (name) => {
    expect(faultOf(filler(700), name)).toMatch(/^(?:not-elf|not-uf2|dfu-cut-short) in line null$/);
    expect(faultOf(filler(700), 'app.bin')).toBe('none');
  });
});
