import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from './system-clock.ts';

describe('system clock where the browser has a scheduler', () => {
  /** Posted tasks that have not run, oldest first. */
  let tasks: { readonly callback: () => void; readonly delay: number }[] = [];
  let now = 0;

  /** Runs the oldest task `late` milliseconds after its due time. */
  function runNext(late = 0): void {
    const task = tasks.shift();
    expect(task).toBeDefined();
    now += (task?.delay ?? 0) + late;
    task?.callback();
  }

  beforeEach(() => {
    tasks = [];
    now = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.stubGlobal('scheduler', {
      postTask: (callback: () => void, { delay }: { delay: number }) => {
        tasks.push({ callback, delay });
        return new Promise(() => undefined);
      },
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('does not leave short delays to timers, which browsers make longer', () => {
    const fired: number[] = [];
    systemClock.schedule(2.5, () => fired.push(now));
    runNext();
    expect(fired).toEqual([1_003]);
    expect(tasks).toEqual([]);
  });

  it('waits in turns for what is shorter than a millisecond, and is never early', () => {
    const fired: number[] = [];
    systemClock.schedule(0.5, () => fired.push(now));
    runNext();
    runNext(0.25);
    expect(fired).toEqual([]);
    runNext(0.25);
    expect(fired).toEqual([1_000.5]);
    expect(tasks).toEqual([]);
  });

  it('never fires what was cancelled, also between two turns', () => {
    const cancel = systemClock.schedule(0.5, () => expect.unreachable());
    runNext();
    cancel();
    runNext(1);
    expect(tasks).toEqual([]);
  });

  it('leaves longer delays to timers', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const callback = vi.fn();
    systemClock.schedule(4, callback);
    systemClock.schedule(4, () => expect.unreachable())();
    vi.advanceTimersByTime(4);
    expect(callback).toHaveBeenCalledOnce();
    expect(tasks).toEqual([]);
  });
});

describe('system clock elsewhere', () => {
  it('fires short delays as well', async () => {
    vi.stubGlobal('scheduler', undefined);
    const before = systemClock.now();
    await systemClock.sleep(1);
    expect(systemClock.now()).toBeGreaterThan(before);
    vi.unstubAllGlobals();
  });
});
