import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributes, colours, styledText } from './styled-text.ts';

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

  it('draws finer palettes to the nearest hue', () => {
    expect(runsOf('\x1b[38;5;208morange')).toEqual([['orange', 'yellow', 0]]);
    expect(runsOf('\x1b[38;5;244mgrey')).toEqual([['grey', 'grey', 0]]);
    expect(runsOf('\x1b[38;2;20;40;220mblue')).toEqual([['blue', 'blue', 0]]);
  });

  it('ignores backgrounds and other control sequences, and never shows them', () => {
    expect(styledText('\x1b[41mred ground\x1b[2K\x1b[1;1Hrest')).toEqual({ text: 'red groundrest', runs: [] });
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
