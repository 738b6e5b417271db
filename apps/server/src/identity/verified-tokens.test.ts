import { describe, expect, it } from 'vitest';
import type { User } from './user.ts';
import { type VerifiedToken, VerifiedTokens } from './verified-tokens.ts';

const now = 1_800_000_000_000;

function tokenOf(username: string): VerifiedToken {
  const user: User = { subject: username, username, name: null, email: null, picture: null, roles: [] };
  return { user, claims: { sub: username } };
}

describe('verified tokens', () => {
  it('are known for a minute, each for its own user', () => {
    const tokens = new VerifiedTokens();
    for (const name of ['maker', 'tinkerer']) {
      tokens.remember(`token of ${name}`, tokenOf(name), { now, expiry: now + 300_000 });
    }
    expect(tokens.find('token of maker', now + 59_999)?.user.username).toBe('maker');
    expect(tokens.find('token of tinkerer', now + 59_999)?.user.username).toBe('tinkerer');
    expect(tokens.find('token of maker', now + 60_000)).toBeNull();
    expect(tokens.find('token of nobody', now)).toBeNull();
  });

  it('are not known any more from the moment on that they expire', () => {
    const tokens = new VerifiedTokens();
    tokens.remember('token', tokenOf('maker'), { now, expiry: now + 1_000 });
    expect(tokens.find('token', now + 999)).not.toBeNull();
    expect(tokens.find('token', now + 1_000)).toBeNull();
  });

  it('are five thousand at the most', () => {
    const tokens = new VerifiedTokens();
    for (let number = 0; number < 5_010; number++) {
      tokens.remember(`token ${number}`, tokenOf('maker'), { now, expiry: now + 300_000 });
    }
    const known = Array.from({ length: 5_010 }, (_, number) => tokens.find(`token ${number}`, now) !== null);
    expect(known.indexOf(true)).toBe(10);
    expect(known.filter(Boolean)).toHaveLength(5_000);
  });
});
