import type { Clock } from '@wirebench/clock';

/** The clock of a computer that is set wrong by so many milliseconds: as quick as the other, and waited on together with it. */
export function clockAhead(clock: Clock, by: number): Clock {
  return {
    now: () => clock.now() + by,
    schedule: (delay, callback) => clock.schedule(delay, callback),
    sleep: (delay, signal) => clock.sleep(delay, signal),
  };
}
