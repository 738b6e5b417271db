import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { type VerifiedToken, VerifiedTokens } from './token-verifier.ts';
import type { User } from './user.ts';

const now = 1_800_000_000_000;

function tokenOf(username: string): VerifiedToken {
  const user: User = { subject: username, username, name: null, email: null, picture: null, roles: [] };
  return { user, claims: { sub: username } };
}

describe('verified tokens', () => {
  it('are known for a minute, each for its own user', async () => {
    const clock = new VirtualClock(now);
    const tokens = new VerifiedTokens(clock);
    for (const name of ['maker', 'tinkerer']) {
      tokens.remember(`token of ${name}`, tokenOf(name), now + 300_000);
    }
    expect(tokens.find('token of nobody')).toBeNull();
    await clock.advance(59_999);
    expect(tokens.find('token of maker')?.user.username).toBe('maker');
    expect(tokens.find('token of tinkerer')?.user.username).toBe('tinkerer');
    await clock.advance(1);
    expect(tokens.find('token of maker')).toBeNull();
  });

  it('are not known any more from the moment on that they expire', async () => {
    const clock = new VirtualClock(now);
    const tokens = new VerifiedTokens(clock);
    tokens.remember('token', tokenOf('maker'), now + 1_000);
    await clock.advance(999);
    expect(tokens.find('token')).not.toBeNull();
    await clock.advance(1);
    expect(tokens.find('token')).toBeNull();
  });

  it('are five thousand at the most', () => {
    const tokens = new VerifiedTokens(new VirtualClock(now));
    for (let number = 0; number < 5_010; number++) {
      tokens.remember(`token ${number}`, tokenOf('maker'), now + 300_000);
    }
    const known = Array.from({ length: 5_010 }, (_, number) => tokens.find(`token ${number}`) !== null);
    expect(known.indexOf(true)).toBe(10);
    expect(known.filter(Boolean)).toHaveLength(5_000);
  });
});
