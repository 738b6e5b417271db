import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FilterFailure,
  filterFailureText,
  joinWords,
  parseFilterField,
  partWords,
  withQuotes,
} from './filter-field.ts';
import type { LineTerm } from './line-query.ts';

const text = (words: string): LineTerm => ({ kind: 'text', text: words, ignoreCase: true });
const query = (field: string) => {
  const parsed = parseFilterField(field);
  return parsed.ok ? parsed.query : parsed.code;
};

describe('filter field', () => {
  it('takes words side by side as one phrase, as it was typed', () => {
    expect(query('  wifi   lost ')).toEqual({ terms: [text('wifi   lost')] });
    expect(query('line 42')).toEqual({ terms: [text('line 42')] });
    expect(query('port:1 line 42 dir:rx not:line 7 "a b" c d')).toEqual({
      terms: [text('line 42'), { ...text('line'), not: true }, text('7'), text('a b'), text('c d')],
      ports: [1],
      directions: ['received'],
    });
    expect(query('')).toEqual({ terms: [] });
    expect(parseFilterField('Wifi', { matchCase: true })).toMatchObject({
      query: { terms: [{ kind: 'text', text: 'Wifi', ignoreCase: false }] },
    });
  });

  it('takes words apart that and: or quotes part', () => {
    expect(query('line and:42')).toEqual({ terms: [text('line'), text('42')] });
    expect(query('"line" "42"')).toEqual({ terms: [text('line'), text('42')] });
    expect(query('a AND:b c and:not:d')).toEqual({ terms: [text('a'), text('b c'), { ...text('d'), not: true }] });
    expect(query('a and:')).toBe('nothing-behind');
  });

  it('is parted, joined and quoted again without another meaning', () => {
    expect(partWords('port:1 line 42 ok not:x')).toBe('port:1 line and:42 and:ok not:x');
    expect(joinWords('port:1 line and:42 and:ok not:x')).toBe('port:1 line 42 ok not:x');
    expect([partWords('wifi'), partWords('"a b" /c d/ hex:B5 62'), joinWords('line 42')]).toEqual([null, null, null]);
    expect(withQuotes('line 42 and:a "b" c and:d e')).toBe('"line 42" a "b" c "d e"');
  });

  it.each([
    ['/ login: ?$/', ' login: ?$'],
    ['/ $/', ' $'],
    ['/ login: /i', ' login: '],
    ['port:1 / ready$/', ' ready$'],
    ['/\\/ a/', String.raw`\/ a`],
    ['wifi / lost$/', ' lost$'],
    ['not:/ ok$/', ' ok$'],
  ])('takes %s as an expression although it begins with a blank', (field, source) => {
    const parsed = query(field);
    expect(typeof parsed === 'object' && parsed.terms.at(-1)).toMatchObject({ kind: 'regex', source });
  });

  it.each(['10 / 20 / 30', '/ 20', '/', '//', '// remark', 'a / b'])('takes %s as text', (field) => {
    expect(query(field)).toEqual({ terms: [text(field)] });
  });

  it('takes ports, directions and levels beside them', () => {
    expect(query('port:1,2 wifi dir:rx level:warning,ERROR Port:4')).toEqual({
      terms: [text('wifi')],
      ports: [1, 2, 4],
      directions: ['received'],
      levels: ['warning', 'error'],
    });
    expect(query('dir:tx,notice')).toEqual({ terms: [], directions: ['sent', 'notice'] });
  });

  it('keeps together what is in quotes, also what looks like a token', () => {
    expect(query('"no saved channel" "port:1" ""a')).toBe('nothing-behind');
    expect(query('"no saved channel" "port:1" say"hi"')).toEqual({
      terms: [text('no saved channel'), text('port:1'), text('say"hi"')],
    });
    expect(query(String.raw`"a \"b\" c:\\d \n"`)).toEqual({ terms: [text(String.raw`a "b" c:\d \n`)] });
  });

  it('takes a regular expression with its flags', () => {
    expect(query(String.raw`/wifi: .*[/"] \/x/i`)).toEqual({
      terms: [{ kind: 'regex', source: String.raw`wifi: .*[/"] \/x`, ignoreCase: true, flags: '' }],
    });
    expect(query('/a/gsu b')).toEqual({
      terms: [{ kind: 'regex', source: 'a', ignoreCase: false, flags: 'su' }, text('b')],
    });
    expect(query('// / a/b')).toEqual({ terms: [text('// / a/b')] });
  });

  it('takes bytes', () => {
    const hex = { kind: 'hex', bytes: Uint8Array.of(0xb5, 0x62) };
    expect(query('hex:"B5 62"')).toEqual({ terms: [hex] });
    expect(query('hex:B5 62')).toEqual({ terms: [hex] });
    expect(query('hex:62 6F 6F')).toEqual(query('hex:626F6F'));
    expect(query('hex:626F 6F20')).toEqual(query('hex:626F6F20'));
    expect(query('hex:B5 62 port:1 add')).toEqual({
      terms: [hex, { kind: 'text', text: 'add', ignoreCase: true }],
      ports: [1],
    });
    expect(query('hex:B562 "62"')).toEqual({ terms: [hex, { kind: 'text', text: '62', ignoreCase: true }] });
    expect(query('hex:B562 dead "6"')).toEqual({ terms: [hex, text('dead'), text('6')] });
    expect(query('HEX:b562')).toEqual({ terms: [hex] });
  });

  it('leaves out what is behind not:', () => {
    expect(query('not:heartbeat not:"a b" not:/x$/ not:hex:00')).toEqual({
      terms: [
        { ...text('heartbeat'), not: true },
        { ...text('a b'), not: true },
        { kind: 'regex', source: 'x$', ignoreCase: false, flags: '', not: true },
        { kind: 'hex', bytes: Uint8Array.of(0), not: true },
      ],
    });
  });

  it('looks for words that only resemble a token', () => {
    expect(query('wifi: -40 http://x import:1')).toEqual({
      terms: [text('wifi: -40 http://x import:1')],
    });
  });

  it('says where each thing stands, so that it can be shown and taken away', () => {
    const field = 'port:1,2 "a b"  /c/i level:error';
    const parsed = parseFilterField(field);
    expect(parsed.ok && parsed.tokens.map(({ kind, start, end }) => [kind, field.slice(start, end)])).toEqual([
      ['ports', 'port:1,2'],
      ['term', '"a b"'],
      ['term', '/c/i'],
      ['levels', 'level:error'],
    ]);
  });

  it.each<[FilterFailure, string, string, string]>([
    ['unknown-port', 'a port:1,5', '5', 'There is no port 5. Ports are 1 to 4, as in port:1,2.'],
    [
      'unknown-direction',
      'dir:up',
      'up',
      'There is no direction up. Directions are rx, tx and notice, as in dir:rx,tx.',
    ],
    [
      'unknown-level',
      'level:fatal b',
      'fatal',
      'There is no level fatal. Levels are info, success, warning and error.',
    ],
    ['nothing-behind', 'a port: b', 'port:', 'Nothing follows port:'],
    ['nothing-behind', 'port:1,', 'port:1,', 'Nothing follows port:1,'],
    ['nothing-behind', 'x not:', 'not:', 'Nothing follows not:'],
    ['nothing-behind', 'hex:""', 'hex:""', 'Nothing follows hex:""'],
    ['unclosed-quote', 'a "b c', '"b c', filterFailureText['unclosed-quote']],
    ['unclosed-expression', 'a /b [/] c', '/b [/] c', filterFailureText['unclosed-expression']],
    [
      'unknown-flag',
      '/dev/ttyUSB0',
      'ttyUSB0',
      'There is no flag ttyUSB0. Flags are i, s and u. Text that begins with a slash goes in quotes.',
    ],
    ['bad-expression', 'a /(/', '/(/', 'Invalid regular expression: /(/: Unterminated group'],
    [
      'bad-expression',
      '/^(?!x)/',
      '/^(?!x)/',
      'Lookahead and lookbehind are not supported here. To leave lines out, use not: in the filter.',
    ],
    ['bad-hex', 'hex:B5G2', 'B5G2', 'B5G2 has characters that are not hex digits'],
    [
      'long-hex',
      `hex:${'00'.repeat(129)}`,
      '00'.repeat(129),
      'This is too long. A search can have at most 256 hex digits.',
    ],
    ['odd-hex', 'hex:"B5 6"', '"B5 6"', '"B5 6" needs two hex digits for each byte'],
    ['odd-hex', 'hex:62 6F 6F 6', '62 6F 6F 6', '62 6F 6F 6 needs two hex digits for each byte'],
    ['odd-hex', 'hex:62 a port:1', '62 a', '62 a needs two hex digits for each byte'],
    ['odd-hex', 'x hex:62 6F6', '62 6F6', '62 6F6 needs two hex digits for each byte'],
  ])('refuses with %s: %s', (code, field, place, message) => {
    const parsed = parseFilterField(field);
    expect(parsed).toMatchObject({ ok: false, code, message });
    expect(!parsed.ok && field.slice(parsed.start, parsed.end)).toBe(place);
  });

  it('finds any text again that is put in quotes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: fc.constantFrom(...'"\\ a:/é\n😀') }), { maxLength: 4 }),
        (words) => {
          const field = words.map((word) => `"${word.replaceAll(/["\\]/g, '\\$&')}"`).join(' ');
          expect(query(field)).toEqual({ terms: words.map(text) });
        },
      ),
    );
  });

  it('gives a query or a fault within the field, whatever is typed', () => {
    const typed = fc.array(
      fc.constantFrom('port:', 'dir:', 'hex:', 'not:', '"', '/', ' ', '1', ',', 'rx', '\\', '[', 'a', '(', 'B5'),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(typed, (pieces) => {
        const field = pieces.join('');
        const parsed = parseFilterField(field);
        if (!parsed.ok) {
          expect(parsed.start).toBeLessThanOrEqual(parsed.end);
          expect(parsed.end).toBeLessThanOrEqual(field.length);
          expect(parsed.message).not.toContain('{');
        }
      }),
      { numRuns: 500 },
    );
  });
});
