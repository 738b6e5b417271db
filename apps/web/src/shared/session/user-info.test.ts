import { describe, expect, it } from 'vitest';
import { testToken } from './testing.ts';
import { readClaims, userInfoFrom } from './token-claims.ts';
import { initials } from './user-info.ts';

describe('initials', () => {
  it.each([
    ['mira.k', 'MK'],
    ['maker', 'MA'],
    ['Ada Augusta King', 'AK'],
    ['ö', 'Ö'],
    ['李小龙', '李小'],
    ['x_y-z', 'XZ'],
    ['  spaced  out ', 'SO'],
    ['', '?'],
    ['...', '?'],
  ])('for %j are %s', (name, expected) => {
    expect(initials(name)).toBe(expected);
  });
});

describe('claims', () => {
  it('are read from a token, letters of any script included', () => {
    expect(readClaims(testToken({ name: 'Mára Ķ 李?>' }))).toEqual({ name: 'Mára Ķ 李?>' });
  });

  it.each(['', 'opaque', 'a.b.c', 'a.!.c', `a.${btoa('"text"')}.c`])('are empty for %j', (token) => {
    expect(readClaims(token)).toEqual({});
  });

  it('name the user by the preferred username, else the name', () => {
    expect(userInfoFrom({ preferred_username: 'mira.k', name: 'Mira' }, {}).name).toBe('mira.k');
    expect(userInfoFrom({ preferred_username: '', name: 'Mira' }, {}).name).toBe('Mira');
  });

  it('take the realm roles from the access token where the identity token has none', () => {
    const access = { realm_access: { roles: ['admin', 7] } };
    expect(userInfoFrom({ name: 'Ada' }, access).roles).toEqual(['admin']);
    expect(userInfoFrom({ name: 'Ada', realm_access: { roles: [] } }, access).roles).toEqual([]);
    expect(userInfoFrom({ name: 'Ada' }, {}).roles).toEqual([]);
    expect(userInfoFrom({ name: 'Ada' }, { groups: ['admin'], ...access }, 'groups').roles).toEqual(['admin']);
  });
});
