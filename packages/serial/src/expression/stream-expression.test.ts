import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, latin1, utf8 } from '../testing/line-channels.ts';
import { ExpressionError } from './expression-error.ts';
import { StreamExpression } from './stream-expression.ts';

/** Returns the match and its groups as texts once it is final, or after a pause at the end; null without one. */
function matchIn(source: string, pieces: readonly Uint8Array[], flags = ''): (string | null)[] | null {
  const expression = new StreamExpression(source, flags);
  const all = latin1(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
  for (const piece of pieces) {
    for (let at = 0; at !== -1 && !expression.isFinal; ) {
      at = expression.take(piece, at);
    }
  }
  if (!expression.isFinal) {
    expression.pause();
  }
  return expression.found?.groups.map((span) => span && all.slice(span.start, span.end)) ?? null;
}

const units = fc.constantFrom('a', 'b', 'A', ' ', '1', '-', '\r', '\n');
const texts = fc.string({ unit: units, maxLength: 14 });
const cuts = fc.array(fc.nat({ max: 14 }), { maxLength: 6 });
const single = fc.constantFrom('a', 'b', '.', '\\w', '\\d', '[ab]', '[^a]', '\\s', ' ', '-', '\\n');
const quantified = fc.tuple(single, fc.constantFrom('', '', '*', '+', '?', '+?', '*?', '{2}', '{1,2}'));
const plain = fc.array(quantified, { minLength: 1, maxLength: 3 }).map((parts) => parts.flat().join(''));
const grouped = fc
  .tuple(fc.constantFrom('(', '(?:', '(?<n>'), plain, fc.option(plain, { nil: '' }))
  .map(([open, first, second]) => `${open}${second === '' ? first : `${first}|${second}`})`);
const source = fc
  .array(fc.oneof(plain, grouped, fc.constantFrom('^', '$', '\\b', '\\B')), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''))
  .filter((text) => text.split('?<n>').length <= 2);

describe('expression over a stream', () => {
  it('finds the match of JavaScript with its groups, however the bytes are cut', () => {
    fc.assert(
      fc.property(source, texts, cuts, fc.constantFrom('', 'i', 's'), (text, stream, at, flags) => {
        const native = [...stream.matchAll(new RegExp(text, `${flags}mg`))];
        // An empty match in front of others changes where JavaScript goes on.
        fc.pre(native.every(([whole]) => whole !== ''));
        const [first] = native;
        const found = matchIn(text, cutAt(utf8(stream), at), flags);
        expect(found).toEqual(first === undefined ? null : [...first].map((group) => group ?? null));
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes the whole number, although its digits come in pieces', () => {
    const expression = new StreamExpression('heap: (\\d+)', '');
    expect(expression.take(utf8('boot\nheap: 1'))).toBe(12);
    expect(expression.isFinal).toBe(false);
    expect(expression.take(utf8('23 bytes'))).toBe(3);
    expect(expression.found?.groups[1]).toEqual({ start: 11, end: 14 });
  });

  it('waits for what follows where the expression asks for it', () => {
    const expression = new StreamExpression('ready$', '');
    expect(expression.take(utf8('ready'))).toBe(-1);
    expect(expression.found).toBeNull();
    expect(expression.take(utf8('\r'))).toBe(1);
    expect(expression.found).toMatchObject({ start: 0, end: 5 });
    expect(matchIn('gw> $', [utf8('boot\r\ngw> ')])).toEqual(['gw> ']);
    expect(matchIn('ok\\b', [utf8('okay ok!')])).toEqual(['ok']);
  });

  it('passes over colours, also cut ones, and keeps their bytes out of no offset', () => {
    const bytes = utf8('\x1b[0;32mgw\x1b[1mx> \x1b[0m');
    for (const at of bytes.keys()) {
      expect(matchIn('^gwx> ', cutAt(bytes, [at]))).toEqual(['gw\x1b[1mx> ']);
    }
    expect(matchIn('\\x1b\\[2J', [utf8('\x1b'), utf8('[2J')])).toEqual(['\x1b[2J']);
  });

  it('reads characters of several bytes, cut or broken', () => {
    const degrees = latin1(utf8('21 °C'));
    for (const at of utf8('21 °C').keys()) {
      expect(matchIn('(\\d+) °C', cutAt(utf8('21 °C'), [at]))).toEqual([degrees, '21']);
    }
    expect(matchIn('a\\ufffdb', [Uint8Array.of(0x61, 0xe2), Uint8Array.of(0x62)])).toEqual(['a\xe2b']);
    expect(matchIn('^..$', [utf8('😀\n')])).toEqual([latin1(utf8('😀'))]);
    expect(matchIn('^.$', [utf8('😀\n')], 'u')).toEqual([latin1(utf8('😀'))]);
  });

  it('does not count empty matches, and is not held up by what takes others forever', () => {
    expect(matchIn('x*', [utf8('abc')])).toBeNull();
    expect(matchIn('(a+)+$', [utf8(`${'a'.repeat(5_000)}!`)])).toBeNull();
    expect(() => new StreamExpression('(', '')).toThrow(ExpressionError);
    expect(() => new StreamExpression('a(?=b)', '')).toThrow(ExpressionError);
  });
});
