import { describe, expect, it } from 'vitest';
import { inOrder, scheduleAt } from './dates.ts';
import { VirtualClock } from './virtual-clock.ts';

const hour = 3_600_000;

describe('virtual clock', () => {
  it('sets the date without any time for waits passing', async () => {
    const clock = new VirtualClock(1_000);
    let fired = 0;
    clock.schedule(500, () => fired++);
    clock.setDate(hour);
    await clock.settle();
    expect([clock.now(), clock.wallTime(), fired]).toEqual([1_000, 1_000 + hour, 0]);
    await clock.advance(500);
    expect([clock.now(), clock.wallTime(), fired]).toEqual([1_500, 1_500 + hour, 1]);
  });
});

describe('a call at a date', () => {
  it('comes at the date when the date is never set', async () => {
    const clock = new VirtualClock();
    const called: number[] = [];
    scheduleAt(clock, 150_000, () => called.push(clock.wallTime()));
    await clock.advance(10 * hour);
    expect(called).toEqual([150_000]);
  });

  it('comes within a minute after the date was set beyond it', async () => {
    const clock = new VirtualClock();
    let called = 0;
    scheduleAt(clock, 8 * hour, () => called++);
    await clock.advance(hour);
    clock.setDate(9 * hour);
    await clock.advance(60_000);
    expect(called).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('waits longer after the date was set back, also just before the date', async () => {
    const clock = new VirtualClock();
    const called: number[] = [];
    scheduleAt(clock, hour, () => called.push(clock.wallTime()));
    await clock.advance(hour - 1_000);
    clock.setDate(-hour);
    await clock.advance(hour);
    expect(called).toEqual([]);
    await clock.advance(1_000);
    expect(called).toEqual([hour]);
  });

  it('never comes after it was cancelled', async () => {
    const clock = new VirtualClock();
    const cancel = scheduleAt(clock, hour, () => expect.unreachable());
    await clock.advance(hour / 2);
    cancel();
    expect(clock.pending).toBe(0);
  });
});

describe('dates in order', () => {
  it('follow the date forwards at once, for example after the machine has slept', async () => {
    const clock = new VirtualClock(1_000);
    const ordered = inOrder(clock);
    ordered.wallTime();
    clock.setDate(hour);
    expect(ordered.wallTime()).toBe(1_000 + hour);
  });

  it('go on from the last one at their pace after the date was set back', async () => {
    const clock = new VirtualClock(10 * hour);
    const ordered = inOrder(clock);
    const before = ordered.wallTime();
    clock.setDate(-hour);
    expect(ordered.wallTime()).toBe(before);
    await clock.advance(1_000);
    expect(ordered.wallTime()).toBeGreaterThan(before + 999);
    expect(ordered.wallTime()).toBeLessThanOrEqual(before + 1_000);
  });

  it('are those of the system again once it has caught up', async () => {
    const clock = new VirtualClock(10 * hour);
    const ordered = inOrder(clock);
    ordered.wallTime();
    clock.setDate(-5);
    ordered.wallTime();
    await clock.advance(hour);
    expect(ordered.wallTime()).toBe(clock.wallTime());
  });
});
