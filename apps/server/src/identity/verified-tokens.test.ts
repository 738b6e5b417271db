import { describe, expect, it } from 'vitest';
import type { User } from './user.ts';
import { VerifiedTokens } from './verified-tokens.ts';

const now = 1_800_000_000_000;

function userCalled(username: string): User {
  return { subject: username, username, name: null, email: null, picture: null, roles: [] };
}

describe('verified tokens', () => {
  it('are known for a minute, each for its own user', () => {
    const tokens = new VerifiedTokens();
    for (const name of ['maker', 'tinkerer']) {
      tokens.remember(`token of ${name}`, userCalled(name), { now, expiry: now + 300_000 });
    }
    expect(tokens.userOf('token of maker', now + 59_999)?.username).toBe('maker');
    expect(tokens.userOf('token of tinkerer', now + 59_999)?.username).toBe('tinkerer');
    expect(tokens.userOf('token of maker', now + 60_000)).toBeNull();
    expect(tokens.userOf('token of nobody', now)).toBeNull();
  });

  it('are not known any more from the moment on that they expire', () => {
    const tokens = new VerifiedTokens();
    tokens.remember('token', userCalled('maker'), { now, expiry: now + 1_000 });
    expect(tokens.userOf('token', now + 999)).not.toBeNull();
    expect(tokens.userOf('token', now + 1_000)).toBeNull();
  });

  it('are five thousand at the most', () => {
    const tokens = new VerifiedTokens();
    for (let number = 0; number < 5_010; number++) {
      tokens.remember(`token ${number}`, userCalled('maker'), { now, expiry: now + 300_000 });
    }
    const known = Array.from({ length: 5_010 }, (_, number) => tokens.userOf(`token ${number}`, now) !== null);
    expect(known.indexOf(true)).toBe(10);
    expect(known.filter(Boolean)).toHaveLength(5_000);
  });
});
