import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPublicName, normalizePublicName, publicNameKey } from './public-names.ts';

describe('a public name', () => {
  it.each(['maker', 'mira.k', "Conan O'Brien", '回路屋', 'Ünal_77', 'a-b', 'Βασίλης', 'Мария'])('may be %j', (name) => {
    expect(checkPublicName(name)).toBeNull();
  });

  it.each([
    ['', 'empty'],
    [' \u00a0\u3000', 'empty'],
    ['a', 'tooShort'],
    ['x'.repeat(41), 'tooLong'],
    ['mira@example.org', 'email'],
    ['mira＠example.org', 'email'],
    ['<b>mira</b>', 'characters'],
    ['mi\u200bra', 'characters'],
    ['mi\u202era', 'characters'],
    ['mira\u0000k', 'characters'],
    ['\u3164\u3164\u3164', 'characters'],
    ['z\u0300\u0301\u0302\u0303algo', 'characters'],
    ['-mira', 'characters'],
    ['auth0|5f7c8ec7', 'characters'],
    ['аdmin', 'mixedScripts'],
    ['wirebench', 'reserved'],
    ['Wire-Bench', 'reserved'],
    ['ＷＩＲＥＢＥＮＣＨ', 'reserved'],
    [' A D M I N ', 'reserved'],
    ['Maker 4F2A', 'reserved'],
    ['maker-4f2a', 'reserved'],
  ] as const)('may not be %j: %s', (name, fault) => {
    expect(checkPublicName(name)).toBe(fault);
  });

  it('is the same in any case, width and punctuation, and with any space', () => {
    const keys = ['Mira K', 'mira k', 'MIRA\u00a0K', 'mira.k', 'Mira_K', 'Ｍｉｒａ　Ｋ', "mira-k'"].map(publicNameKey);
    expect(new Set(keys)).toEqual(new Set(['mirak']));
    expect(publicNameKey('ﬁn')).toBe(publicNameKey('FIN'));
  });

  it('is kept as it was checked, and under one key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 45 }), (name) => {
        const kept = normalizePublicName(name);
        expect(checkPublicName(kept)).toBe(checkPublicName(name));
        expect(publicNameKey(kept)).toBe(publicNameKey(name));
        if (checkPublicName(name) === null) {
          expect(publicNameKey(name)).not.toBe('');
        }
      }),
    );
  });
});
