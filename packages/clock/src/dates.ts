/** Dates to wait for, and dates in order. Apart from the clock, which every page loads at its start. */
import type { Clock } from './clock.ts';

/** Longest wait of `scheduleAt` before it reads the date again, in milliseconds. */
const LOOK_AGAIN = 60_000;

/**
 * Calls `callback` once when the date has reached `moment`, at most a minute late if the date was set during the wait.
 *
 * @param moment Milliseconds since the Unix epoch.
 * @returns A function that cancels the call.
 */
export function scheduleAt(
  clock: Pick<Clock, 'wallTime' | 'schedule'>,
  moment: number,
  callback: () => void,
): () => void {
  let cancel: () => void;
  const wait = () => {
    const left = Math.max(0, moment - clock.wallTime());
    cancel = clock.schedule(Math.min(left, LOOK_AGAIN), left <= LOOK_AGAIN ? atEnd : wait);
  };
  const atEnd = () => {
    if (clock.wallTime() < moment) {
      wait();
    } else {
      callback();
    }
  };
  wait();
  return () => cancel();
}

/** Pace of dates that are ahead of the system's. It is below that of `now`, so that the system's date catches up. */
const PACE_AHEAD = 0.9999;

/**
 * Returns a clock whose dates are in order: `wallTime` never goes backwards. It follows the date forwards at once, for
 * example after the machine has slept. After the date was set back it goes on from its last value, almost at the pace
 * of `now`, until the date has caught up.
 */
export function inOrder(clock: Clock): Clock {
  let latest = Number.NEGATIVE_INFINITY;
  let readAt = 0;
  return {
    now: () => clock.now(),
    schedule: (delay, callback) => clock.schedule(delay, callback),
    sleep: (delay, signal) => clock.sleep(delay, signal),
    wallTime() {
      const now = clock.now();
      latest = Math.max(clock.wallTime(), latest + (now - readAt) * PACE_AHEAD);
      readAt = now;
      return latest;
    },
  };
}
