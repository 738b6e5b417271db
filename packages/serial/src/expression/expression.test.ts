import { random } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { Characters } from './characters.ts';
import { Expression } from './expression.ts';
import { ExpressionError, type ExpressionFailure } from './expression-error.ts';
import { compileExpression } from './program.ts';
import { Simulation } from './simulation.ts';
import { parseExpression } from './syntax.ts';

const test = (source: string, text: string, flags = ''): boolean => {
  const bytes = utf8(text);
  return new Expression(source, flags).test(bytes, 0, bytes.length);
};

/** Expressions with all supported syntax over few characters, so that matches and near misses are frequent. */
const single = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    '.',
    '\\w',
    '\\W',
    '\\d',
    '\\s',
    '[ab]',
    '[^a]',
    '[]',
    '[^]',
    '[a-c_]',
    '\\x61',
    '\\u0062',
    'é',
    ' ',
  ],
  ...['\\.', '\\n', '\\0', '[\\]\\\\]', '[\\b]', '-', '\\/', ']', '\\cA', '1', '\\c', '\\X61'],
  ...['\\ud83d\\ude00', '😀', '\\u{1f600}', '\\p{L}', '\\P{Lu}', '{', '}', '{1', '\\x', '\\u'],
);
const assertion = fc.constantFrom('^', '$', '\\b', '\\B');
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '{0}', '*?', '+?', '??', '{1,2}?');
const { source: sources } = fc.letrec<{ source: string; term: string }>((tie) => ({
  source: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('term'),
    fc.array(tie('term'), { maxLength: 4 }).map((terms) => terms.join('')),
    fc.tuple(tie('source'), tie('source')).map((options) => options.join('|')),
  ),
  term: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    single,
    assertion,
    fc.tuple(single, quantifier).map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('(', '(?:', '(?<name>'), tie('source')).map(([open, inside]) => `${open}${inside})`),
    fc.tuple(tie('source'), quantifier).map(([inside, times]) => `(?:${inside})${times}`),
  ),
}));
const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'c', ' ', '_', '1', '.', '-', 'é', '\0', '\t', '😀', 'ſ', '\\', ']'),
  maxLength: 12,
});
/** V8 misses matches beside `$` and `\B` if a character has two units and the flag `u` is set: `/[^a]$/u` in `😀`. */
const flagsAndTexts = fc
  .tuple(fc.constantFrom('', 'i', 's', 'u', 'iu', 'isu'), texts)
  .map(([flags, text]) => [flags, flags.includes('u') ? text.replaceAll('😀', 'c') : text] as const);

/**
 * Returns JavaScript's own expression; undefined if it rejects the source. `^` is replaced by an equivalent
 * lookbehind, because V8 14.6 misses matches where `^` follows a lazy loop over all characters. An example is
 * `/[^]*?a^|b/` in `b`. Older versions, Perl and Python find it.
 */
function native(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source.replaceAll(/(?<!\[)\^/g, '(?<![^])'), flags);
  } catch {
    return undefined;
  }
}

describe('expression', () => {
  it('finds a match exactly where JavaScript finds one', () => {
    fc.assert(
      fc.property(sources, flagsAndTexts, (source, [flags, text]) => {
        const expected = native(source, flags);
        fc.pre(expected !== undefined);
        expect(test(source, text, flags)).toBe(expected?.test(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('marks the same as JavaScript, if no loop has an empty body', () => {
    const loopFree = fc
      .array(
        fc.oneof(
          single,
          assertion,
          fc.tuple(single, quantifier).map((parts) => parts.join('')),
        ),
        { maxLength: 4 },
      )
      .map((terms) => terms.join(''));
    const alternatives = fc.array(loopFree, { minLength: 1, maxLength: 3 }).map((options) => options.join('|'));
    fc.assert(
      fc.property(alternatives, flagsAndTexts, (source, [flags, text]) => {
        const expected = native(source, `${flags}g`);
        fc.pre(expected !== undefined);
        const spans = [...text.matchAll(expected ?? /./g)].map(({ index, 0: match }) => ({
          start: index,
          end: index + match.length,
        }));
        expect(new Expression(source, flags).spans(text, 100)).toEqual(spans.filter(({ start, end }) => end > start));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not delayed by expressions that take other engines forever', () => {
    const line = 'a'.repeat(5_000);
    expect(test('^(a+)+$', `${line}!`)).toBe(false);
    expect(test('(a|aa)*b', line)).toBe(false);
    expect(test('.*.*.*.*=', line)).toBe(false);
    expect(test('(x+x+)+y', 'x'.repeat(5_000))).toBe(false);
    expect(new Expression('(a*)*b', '').spans(line, 10)).toEqual([]);
  });

  it('keeps matching after its table was rebuilt, and after it was given up', () => {
    const expression = new Expression('a.{14}c', '');
    const { below } = random('letters');
    const letters = (count: number) => Array.from({ length: count }, () => 'abbb'.charAt(below(4))).join('');
    for (let length = 1_000; length <= 30_000; length += 1_000) {
      const line = letters(length);
      for (const text of [line, `${line}a${'b'.repeat(14)}c`, `${line}${'b'.repeat(15)}c`]) {
        const bytes = utf8(text);
        expect(expression.test(bytes, 0, bytes.length)).toBe(/a.{14}c/.test(text));
      }
    }
  });

  it('knows the classes of many characters that are not ASCII', () => {
    const letters = Array.from({ length: 60 }, (_, index) => String.fromCharCode(0x400 + index));
    const expression = new Expression(letters.map((letter) => `${letter}x`).join('|'), '');
    for (const letter of letters) {
      const bytes = utf8(`no ${letter}${letter} and ${letter}x`);
      expect(expression.test(bytes, 0, bytes.length)).toBe(true);
      expect(expression.test(bytes, 0, bytes.length - 1)).toBe(false);
    }
  });

  it('distinguishes many different letters', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
    expect(test(alphabet, `${alphabet.slice(1)}${alphabet}`)).toBe(true);
    expect(test(alphabet, `${alphabet.slice(0, -1)}z${alphabet.slice(1)}`)).toBe(false);
  });

  it('passes over colours, and takes every other control for a character', () => {
    expect(test('^E \\(12\\) wifi$', '\x1b[0;31mE (12) \x1b[38:5:1mwi\x1b[mfi\x1b[0m')).toBe(true);
    expect(test('^\\x1b\\[2J', '\x1b[2J')).toBe(true);
    expect(test('\\x1b', '\x1b[31')).toBe(true);
  });

  it('takes a byte that is no text for a character of its own', () => {
    const bytes = Uint8Array.of(0x61, 0xe2, 0x82, 0x62);
    expect(new Expression('^a\\ufffd\\ufffdb$', '').test(bytes, 0, 4)).toBe(true);
    expect(new Expression('^a\\ufffd$', '').test(utf8('aé'), 0, 2)).toBe(true);
    expect(new Expression('^.$', 'u').test(utf8('😀'), 0, 4)).toBe(true);
    expect(new Expression('^..$', '').test(utf8('😀'), 0, 4)).toBe(true);
  });

  it.each<[ExpressionFailure, string]>([
    ['invalid', '('],
    ['lookaround', 'a(?=b)'],
    ['lookaround', '^(?!.*heartbeat)'],
    ['lookaround', '(?<=a)b'],
    ['lookaround', '(?<!a)b'],
    ['backreference', '(a)\\1'],
    ['backreference', '(?<x>a)\\k<x>'],
    ['modifiers', '(?i:a)b'],
    ['too-large', 'a{1000}'],
    ['too-large', '(?:(?:a{20}){20}){20}'],
    ['too-large', `${'('.repeat(200)}a${')'.repeat(200)}`],
  ])('refuses with the code %s: %s', (code, source) => {
    expect(() => new Expression(source, '')).toThrow(ExpressionError);
    expect(() => new Expression(source, '')).toThrow(expect.objectContaining({ code }));
  });

  it('does not count repetitions of nothing', () => {
    expect(test('(?:){1000000000}a', 'a')).toBe(true);
    expect(test('(?:a{0}){1000000000}', '')).toBe(true);
  });
});

describe('simulation', () => {
  it('finds a match exactly where JavaScript finds one', () => {
    fc.assert(
      fc.property(sources, flagsAndTexts, (source, [flags, text]) => {
        const expected = native(source, flags);
        fc.pre(expected !== undefined);
        const unicode = flags.includes('u');
        const program = compileExpression(parseExpression(source, unicode));
        const simulation = new Simulation(program, new Characters(program.atoms, flags), unicode, true);
        const bytes = utf8(`^${text}$`);
        expect(simulation.test(bytes, 1, bytes.length - 1)).toBe(expected?.test(text));
      }),
      { numRuns: 1_000 },
    );
  });
});
