import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { AttemptLimit } from './password-sign-in.ts';

function limit(most = 3) {
  const clock = new VirtualClock(1_000_000);
  return { clock, limit: new AttemptLimit({ most, window: 60_000 }, clock) };
}

describe('a limit on attempts', () => {
  it('lets a few through, then says how long to wait, for each key by itself', async () => {
    const { clock, limit: attempts } = limit();
    expect([1, 2, 3].map(() => attempts.take('one'))).toEqual([0, 0, 0]);
    await clock.advance(20_000);
    expect(attempts.take('one')).toBe(40);
    expect(attempts.take('other')).toBe(0);
    await clock.advance(39_999);
    expect(attempts.take('one')).toBe(1);
    await clock.advance(1);
    expect(attempts.take('one')).toBe(0);
  });

  it('does not count what was given back, and gives back no more than was taken', () => {
    const { limit: attempts } = limit(1);
    attempts.giveBack('one');
    expect(attempts.take('one')).toBe(0);
    attempts.giveBack('one');
    attempts.giveBack('one');
    expect([attempts.take('one'), attempts.take('one')]).toEqual([0, 60]);
  });

  it('keeps ten thousand keys at the most, the newest', () => {
    const { limit: attempts } = limit(1);
    attempts.take('oldest');
    for (let number = 0; number < 9_999; number++) {
      attempts.take(`key ${number}`);
    }
    expect(attempts.take('oldest')).toBe(60);
    attempts.take('one more');
    expect([attempts.take('oldest'), attempts.take('one more')]).toEqual([0, 60]);
  });
});
