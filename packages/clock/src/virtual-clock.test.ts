import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.ts';

describe('virtual clock', () => {
  it('fires timers in order of their due time, ties in order of creation', async () => {
    const clock = new VirtualClock(1_000);
    const fired: string[] = [];
    clock.schedule(20, () => fired.push('late'));
    clock.schedule(10, () => fired.push('early'));
    clock.schedule(10, () => fired.push('early, second'));
    await clock.advance(20);
    expect(fired).toEqual(['early', 'early, second', 'late']);
    expect(clock.now()).toBe(1_020);
  });

  it('fires a timer that a timer scheduled, within the same advance', async () => {
    const clock = new VirtualClock();
    const fired: number[] = [];
    clock.schedule(5, () => clock.schedule(5, () => fired.push(clock.now())));
    await clock.advance(9);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([10]);
  });

  it('lets a loop of sleeps run on', async () => {
    const clock = new VirtualClock();
    let turns = 0;
    void (async () => {
      for (;;) {
        await clock.sleep(100);
        turns++;
      }
    })();
    await clock.advance(1_000);
    expect(turns).toBe(10);
  });

  it.each([0, 1e-9])('throws when a callback schedules itself again and time stands still: delay %d', async (delay) => {
    const clock = new VirtualClock(1_000_000_000);
    const again = () => {
      clock.schedule(delay, again);
    };
    again();
    await expect(clock.advance(1)).rejects.toThrow(
      'The virtual clock is stuck at 1000000000 ms: 10000 timers have fired without progress in time.',
    );
  });

  it('fires any number of timers while time goes on', async () => {
    const clock = new VirtualClock();
    let fired = 0;
    const again = () => {
      fired++;
      clock.schedule(0.5, again);
    };
    clock.schedule(0, again);
    await clock.advance(6_000);
    expect(fired).toBe(12_001);
  });

  it('never fires what was cancelled', async () => {
    const clock = new VirtualClock();
    const cancel = clock.schedule(1, () => expect.unreachable());
    cancel();
    await clock.advance(10);
    expect(clock.pending).toBe(0);
  });

  it('rejects a sleep with the reason of its signal, and forgets the timer', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const sleeping = clock.sleep(1_000, abort.signal);
    abort.abort(new Error('cancelled'));
    await expect(sleeping).rejects.toThrow('cancelled');
    expect(clock.pending).toBe(0);
  });
});
