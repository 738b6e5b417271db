/**
 * The machine's clock, accurate to tens of microseconds and never early. A Node timer fires a millisecond late. Over
 * hundreds of answers, a simulated wire with such timers would be slower than a real one.
 */
import { type Clock, systemClock } from '@wirebench/clock';

/** Maximum lateness of a Node timer in milliseconds. The remaining time is waited in small steps. */
const LATENESS = 2;
/** Length of such a step in milliseconds. Other callbacks run between steps. */
const STEP = 0.05;

const nobody = new Int32Array(new SharedArrayBuffer(4));

/**
 * Makes an exact clock that reports its processor time.
 *
 * @param onSpent Receives the CPU milliseconds of each wait and its callback.
 */
export function countedClock(onSpent: (milliseconds: number) => void): Clock {
  return {
    now: () => systemClock.now(),
    wallTime: () => systemClock.wallTime(),
    sleep: (delay, signal) => systemClock.sleep(delay, signal),
    schedule(delay, callback) {
      const due = performance.now() + delay;
      let cancelled = false;
      const look = () => {
        if (cancelled) {
          return;
        }
        const start = threadCpu();
        const left = due - performance.now();
        if (left <= 0) {
          callback();
        } else {
          Atomics.wait(nobody, 0, 0, Math.min(left, STEP));
          setImmediate(look);
        }
        onSpent(threadCpu() - start);
      };
      const timer = delay > LATENESS ? setTimeout(look, delay - LATENESS) : undefined;
      if (timer === undefined) {
        setImmediate(look);
      }
      return () => {
        cancelled = true;
        clearTimeout(timer);
      };
    },
  };
}

export const exactClock: Clock = countedClock(() => undefined);

/** Returns the CPU time of this thread in milliseconds, without that of other threads. */
export function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
