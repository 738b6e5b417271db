import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { remembered } from './remembered.ts';

describe('a remembered answer', () => {
  it('is computed once for all callers that arrive during it and for a time afterwards', async () => {
    const clock = new VirtualClock();
    let asked = 0;
    const ask = remembered(1_000, clock, async () => {
      await clock.sleep(5_000);
      return ++asked;
    });
    const answers = Promise.all(Array.from({ length: 1_000 }, ask));
    await clock.advance(5_000);
    expect(new Set(await answers)).toEqual(new Set([1]));
    await clock.advance(999);
    expect(await ask()).toBe(1);
    await clock.advance(1);
    const next = ask();
    await clock.advance(5_000);
    expect(await next).toBe(2);
  });

  it('may be a failure, which expires at the same time', async () => {
    const clock = new VirtualClock();
    let asked = 0;
    const ask = remembered(1_000, clock, () =>
      ++asked < 2 ? Promise.reject(new Error('away')) : Promise.resolve(asked),
    );
    await expect(ask()).rejects.toThrow('away');
    await expect(ask()).rejects.toThrow('away');
    expect(asked).toBe(1);
    await clock.advance(1_000);
    expect(await ask()).toBe(2);
  });
});
