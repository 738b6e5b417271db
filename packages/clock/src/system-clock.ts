import { type Clock, sleepOn } from './clock.ts';

/** The machine's time, with the resolution of `performance.now()`; the same in a page, a worker and Node. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
  sleep: (delay, signal) => sleepOn(systemClock, delay, signal),
};
