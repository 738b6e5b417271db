import type { Clock } from '@wirebench/clock';

/**
 * Returns the clock of a computer that is set ahead by `by` milliseconds. It runs at the same speed and shares the
 * timers of `clock`.
 */
export function clockAhead(clock: Clock, by: number): Clock {
  return {
    now: () => clock.now() + by,
    wallTime: () => clock.wallTime() + by,
    schedule: (delay, callback) => clock.schedule(delay, callback),
    sleep: (delay, signal) => clock.sleep(delay, signal),
  };
}
