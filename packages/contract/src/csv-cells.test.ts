import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecord, harmlessCell } from './csv-cells.ts';

/** Parses CSV by RFC 4180, as a spreadsheet does. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let rest = text;
  while (rest !== '') {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (match === null) {
      throw new Error(`Not CSV: ${JSON.stringify(rest)}`);
    }
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      records.push(cells);
      cells = [];
    }
    rest = rest.slice(match[0].length);
  }
  return records;
}

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom(...',;"\r\n=+-@\t\'＝ab'), fc.string({ unit: 'grapheme', maxLength: 1 })),
});

describe('CSV', () => {
  it('gives back what was written, harmless cells as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyText, { minLength: 1 })), (records) => {
        expect(parseCsv(records.map(csvRecord).join(''))).toEqual(records.map((cells) => cells.map(harmlessCell)));
      }),
    );
  });

  it('lets no part of a cell begin like a formula, wherever it is separated, and changes nothing else', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const harmless = harmlessCell(text);
        for (const part of harmless.split(/[;\t\r\n]/)) {
          expect(part.replace(/^ +/, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
        }
        expect(harmless).not.toMatch(/^[\t\r\n]/);
        expect(harmless.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['fine words;=1+1;the rest', "fine words;'=1+1;the rest"],
    ['fine words;  @SUM(A1)', "fine words;  '@SUM(A1)"],
    ['two\tcells\t-1', "two\tcells\t'-1"],
    ['two\nlines\n=1', "two\nlines\n'=1"],
    ['a=b; c-d', 'a=b; c-d'],
    ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z'],
  ])('makes %j harmless', (text, harmless) => {
    expect(harmlessCell(text)).toBe(harmless);
  });

  it('quotes what would break a record, and nothing else', () => {
    expect(csvRecord(['plain', 'a,b', 'say "hi"', 'two\r\nlines', ''])).toBe(
      'plain,"a,b","say ""hi""","two\r\nlines",\r\n',
    );
  });
});
