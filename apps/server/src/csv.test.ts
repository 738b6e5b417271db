import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecord, harmlessCell } from './csv.ts';

/** Reads RFC 4180, as a spreadsheet does. */
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
  unit: fc.oneof(fc.constantFrom(...',"\r\n=+-@\t\'＝ab'), fc.string({ unit: 'grapheme', maxLength: 1 })),
});

describe('CSV', () => {
  it('gives back what was written, harmless cells as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyText, { minLength: 1 })), (records) => {
        expect(parseCsv(records.map(csvRecord).join(''))).toEqual(records.map((cells) => cells.map(harmlessCell)));
      }),
    );
  });

  it('lets no cell begin like a formula, and changes no other', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const harmless = harmlessCell(text);
        expect(harmless).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect([text, `'${text}`]).toContain(harmless);
      }),
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('makes %j harmless', (text) => {
    expect(harmlessCell(text)).toBe(`'${text}`);
  });

  it('quotes what would break a record, and nothing else', () => {
    expect(csvRecord(['plain', 'a,b', 'say "hi"', 'two\r\nlines', ''])).toBe(
      'plain,"a,b","say ""hi""","two\r\nlines",\r\n',
    );
  });
});
