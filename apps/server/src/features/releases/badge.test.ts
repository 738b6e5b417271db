import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeMarkup } from './markup.ts';
import { badgeSvg } from './shared.service.ts';

/** Any code units, including control characters and lone surrogates. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units));

const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

describe('badge', () => {
  it('says what and which', () => {
    const svg = badgeSvg('Blinker', '1.2.0');
    expect(textsOf(svg)).toEqual(['Blinker', '1.2.0']);
    expect(svg).toContain('<title>Blinker: 1.2.0</title>');
  });

  it('cuts long names, never through a character', () => {
    expect(textsOf(badgeSvg('🛠'.repeat(40), '1'))).toEqual([`${'🛠'.repeat(29)}…`, '1']);
  });

  it('has no element and no attribute but its own, whatever it is called', () => {
    const elements = (svg: string) => svg.replace(/>[^<]*</g, '><').replace(/="[^"]*"/g, '=""');
    const plain = elements(badgeSvg('a', 'b'));
    fc.assert(
      fc.property(anyText, anyText, (label, value) => {
        expect(elements(badgeSvg(label, value))).toBe(plain);
      }),
      { examples: [['"><script>alert(1)</script>', "' onload='x"]] },
    );
  });
});

describe('markup', () => {
  it('keeps text as text', () => {
    expect(escapeMarkup(`<b a="1" c='2'>&amp;\0\ud800`)).toBe(
      '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;\ufffd\ufffd',
    );
  });
});
