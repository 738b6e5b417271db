import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributes, colours, contrastOf, styledText, wells } from './styled-text.ts';

/** Returns the runs with their text and the name of their colour. */
const runsOf = (source: string) => {
  const { text, runs } = styledText(source);
  return runs.map(({ start, end, style }) => [text.slice(start, end), colours[style & 7], style & ~7]);
};

describe('styled text', () => {
  it('leaves text without control sequences as it is', () => {
    expect(styledText('I (24) boot: <b>&amp;</b>')).toEqual({ text: 'I (24) boot: <b>&amp;</b>', runs: [] });
  });

  it('takes the colours of an ESP-IDF log line', () => {
    expect(runsOf('\x1b[0;32mI (24) boot: ready\x1b[0m')).toEqual([['I (24) boot: ready', 'green', 0]]);
    expect(runsOf('\x1b[0;31mE\x1b[0m \x1b[33mW\x1b[39m rest')).toEqual([
      ['E', 'red', 0],
      ['W', 'yellow', 0],
    ]);
  });

  it('writes bright colours in the same colour and bold, and black and white as text', () => {
    expect(runsOf('\x1b[92mok\x1b[0m')).toEqual([['ok', 'green', attributes.bold]]);
    expect(runsOf('\x1b[90mdim\x1b[30mblack\x1b[37mwhite')).toEqual([['dim', 'grey', attributes.bold]]);
  });

  it('keeps attributes, and the ink of inverse text', () => {
    expect(runsOf('\x1b[1;4mA\x1b[0m\x1b[31;7mB')).toEqual([
      ['A', 'text', attributes.bold | attributes.underline],
      ['B', 'red', attributes.inverse],
    ]);
  });

  it('shows 256 colours and true colours, in either form', () => {
    const inkOf = (source: string) => styledText(source).runs[0]?.ink;
    expect(inkOf('\x1b[38;5;208morange')).toMatchObject({ dark: 0xff_87_00 });
    expect(inkOf('\x1b[38;5;244mgrey')).toMatchObject({ dark: 0x80_80_80 });
    expect(inkOf('\x1b[38;2;20;40;120mblue')).toMatchObject({ light: 0x14_28_78 });
    expect(inkOf('\x1b[38:2::20:40:120mblue')).toEqual(inkOf('\x1b[38;2;20;40;120mblue'));
    expect(inkOf('\x1b[38:5:208mx')).toEqual(inkOf('\x1b[38;5;208mx'));
    expect(runsOf('\x1b[38;5;2mnamed')).toEqual([['named', 'green', 0]]);
  });

  it('shows backgrounds, and swaps them with the ink of inverse text', () => {
    const [run] = styledText('\x1b[44mon blue').runs;
    expect(run).toMatchObject({ paper: 0x00_00_ee, ink: { dark: 0xff_ff_ff, light: 0xff_ff_ff } });
    expect(styledText('\x1b[48;2;1;2;3mx\x1b[49my').runs).toMatchObject([{ start: 0, end: 1, paper: 0x01_02_03 }]);
    expect(styledText('\x1b[38;2;250;240;10;7mx').runs).toMatchObject([{ paper: 0xfa_f0_0a }]);
    expect(styledText('\x1b[31;42;7mx').runs).toMatchObject([{ paper: 0xcd_00_00 }]);
  });

  it('keeps every ink readable, on its background or in both themes', () => {
    const code = fc.oneof(
      fc.integer({ min: 0, max: 110 }).map(String),
      fc.tuple(fc.constantFrom(38, 48), fc.nat({ max: 255 })).map(([kind, colour]) => `${kind};5;${colour}`),
      fc
        .tuple(fc.constantFrom(38, 48), fc.nat({ max: 255 }), fc.nat({ max: 255 }), fc.nat({ max: 255 }))
        .map(([kind, ...rgb]) => `${kind};2;${rgb.join(';')}`),
    );
    fc.assert(
      fc.property(fc.array(code, { minLength: 1, maxLength: 5 }), (codes) => {
        for (const { ink, paper } of styledText(`\x1b[${codes.join(';')}mtext`).runs) {
          expect(paper === undefined || ink !== undefined).toBe(true);
          if (ink !== undefined) {
            expect(contrastOf(ink.dark, paper ?? wells.dark)).toBeGreaterThanOrEqual(4.5);
            expect(contrastOf(ink.light, paper ?? wells.light)).toBeGreaterThanOrEqual(4.5);
          }
        }
      }),
    );
  });

  it('knows the background of the log in both themes', () => {
    const tokens = readFileSync(new URL('../../shared/styles/tokens.css', import.meta.url), 'utf8');
    const values = [...tokens.matchAll(/--color-well: #([0-9a-f]{6});/g)].map((match) =>
      Number.parseInt(match[1] ?? '', 16),
    );
    expect(values).toEqual([wells.dark, wells.light]);
  });

  it('gives runs in order that stay within the text, whatever the sequences', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.array(fc.integer({ min: 0, max: 110 }), { maxLength: 6 }).map((codes) => `\x1b[${codes.join(';')}m`),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { text, runs } = styledText(pieces.join(''));
        let at = 0;
        for (const { start, end, style } of runs) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(style & 7).toBeLessThan(colours.length);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
