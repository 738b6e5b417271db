import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { limited, within } from './time-limit.ts';

const unsettled = () => new Promise<void>(() => undefined);

describe('a limit in time', () => {
  it.each([
    ['fulfilled', () => Promise.resolve()],
    ['rejected', () => Promise.reject(new Error('no'))],
    ['late', unsettled],
  ] as const)('says that work was %s, and leaves no timer', async (outcome, work) => {
    const clock = new VirtualClock();
    const waiting = within(clock, 100, work());
    await clock.advance(100);
    expect(await waiting).toBe(outcome);
    expect(clock.pending).toBe(0);
  });

  it('aborts work that takes a signal when the time is up', async () => {
    const clock = new VirtualClock();
    const { signal } = limited(clock, 100, new AbortController().signal);
    await clock.advance(99);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts work with the caller’s own reason, and not after it is cancelled', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const limit = limited(clock, 100, abort.signal);
    limit.cancel();
    await clock.advance(200);
    expect(limit.signal.aborted).toBe(false);
    abort.abort(new Error('enough'));
    expect(limit.signal.reason).toMatchObject({ message: 'enough' });
  });
});
