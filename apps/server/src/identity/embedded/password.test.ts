import { describe, expect, it } from 'vitest';
import { dummyPasswordHash, hashPassword, isPassword, passwordFaultOf } from './password.ts';

const password = 'correct horse battery';

describe('a stored password', () => {
  it('matches its password and no other', async () => {
    const stored = await hashPassword(password);
    expect(await isPassword(password, stored)).toBe(true);
    for (const other of ['', 'Correct horse battery', `${password} `, password.slice(0, -1)]) {
      expect(await isPassword(other, stored)).toBe(false);
    }
  });

  it('has a salt of its own and does not contain the password', async () => {
    const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
    expect(one).not.toBe(other);
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('matches the password in any Unicode form', async () => {
    expect(await isPassword('Schlüssel ﬁnden'.normalize('NFD'), await hashPassword('Schlüssel finden'))).toBe(true);
  });

  it('has a dummy for unknown users, which matches nothing and costs the same check', async () => {
    const dummy = dummyPasswordHash();
    expect(dummy.split('$').slice(0, 4)).toEqual((await hashPassword(password)).split('$').slice(0, 4));
    expect(await isPassword('', dummy)).toBe(false);
  });

  it('causes an error, not a match, if its format is unknown', async () => {
    await expect(isPassword(password, password)).rejects.toThrow('The format of the stored password is unknown');
  });
});

describe('a new password', () => {
  it.each([
    ['eleven long', 'too-short'],
    ['twelve chars', null],
    ['ünïcödé zwölf', null],
    ['x'.repeat(12), 'too-simple'],
    ['abababababab', 'too-simple'],
    ['my name is Mina M', 'contains-name'],
    ['😀😁😂😃😄😅😆😇😈😉😊', 'too-short'],
    [`ab cd ${'e'.repeat(123)}`, 'too-long'],
    [`ab cd ${'e'.repeat(122)}`, null],
  ])('is checked for length, variety and name: %j gives %s', (text, fault) => {
    expect(passwordFaultOf(text, 'mina')).toBe(fault);
  });
});
