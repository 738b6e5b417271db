import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Captures, hasReference, longestFilled, templateOf } from './captures.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const none = new Uint8Array();

function filled(captures: Captures, content: string): string {
  const result = captures.fill(templateOf(content, none));
  return result.ok ? new TextDecoder().decode(result.bytes) : `missing ${result.missing}`;
}

function captured(...groups: readonly (string | null)[]): Captures {
  const captures = new Captures();
  captures.add({
    groups: ['all', ...groups].map((text) => (text === null ? null : bytes(text))),
    names: [null, 'first'],
  });
  return captures;
}

describe('captured text', () => {
  it('takes the place of its number and its name', () => {
    expect(filled(captured('4711', 'x'), 'unlock {1}-{2} {first} {0}')).toBe('unlock 4711-x 4711 all');
  });

  it('has a brace where there are two, and leaves other braces alone', () => {
    expect(filled(captured('4711'), '{{1} {"a": {}} {10} {-} }} {{{1}')).toBe('{1} {"a": {}} {10} {-} }} {4711');
    expect(hasReference('{{1} {"a": 1}')).toBe(false);
    expect(hasReference('set {name}')).toBe(true);
  });

  it('is missing before an answer gave it, and where its group was not part of the match', () => {
    expect(filled(new Captures(), 'unlock {1}')).toBe('missing 1');
    expect(filled(captured(null), 'unlock {1}')).toBe('missing 1');
    expect(filled(captured('a'), 'unlock {other}')).toBe('missing other');
  });

  it('is that of the newest answer with groups; names stay', () => {
    const captures = captured('old');
    captures.add({ groups: [bytes('OK')], names: [] });
    expect(filled(captures, '{1}')).toBe('old');
    captures.add({ groups: [bytes('all'), bytes('new')], names: [null, null] });
    expect(filled(captures, '{1} {first}')).toBe('new old');
  });

  it('goes into the message byte by byte, with the ending', () => {
    const captures = new Captures();
    captures.add({ groups: [none, Uint8Array.of(0xff, 0x00)], names: [] });
    expect(captures.fill(templateOf('a{1}', bytes('\r\n')))).toEqual({
      ok: true,
      bytes: Uint8Array.of(0x61, 0xff, 0x00, 0x0d, 0x0a),
    });
  });

  it('never makes a message longer than the limit', () => {
    const captures = captured('x'.repeat(longestFilled));
    expect(filled(captures, '{1}')).toHaveLength(longestFilled);
    expect(captures.fill(templateOf('{1}{1}', none))).toEqual({ ok: false, missing: null });
  });

  it('changes no text without references', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/\{\{|\{(\d|[A-Za-z_]\w*)\}/.test(text));
        expect(filled(new Captures(), text)).toBe(new TextDecoder().decode(bytes(text)));
      }),
    );
  });
});
