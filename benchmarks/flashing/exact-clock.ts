/**
 * The machine's time, kept to tens of microseconds: a timer of Node comes a millisecond late, and a wire that hands on its
 * bytes that late with each of hundreds of answers is slower than the one it stands for. Never early.
 */
import { type Clock, systemClock } from '@wirebench/clock';

/** A timer of Node may come this late, in milliseconds; what is left is waited for in small steps. */
const LATENESS = 2;
/** Length of such a step, in milliseconds: others have their turn in between. */
const STEP = 0.05;

const nobody = new Int32Array(new SharedArrayBuffer(4));

/** @param onSpent called with the CPU milliseconds that waiting and what was waited for have taken */
export function countedClock(onSpent: (milliseconds: number) => void): Clock {
  return {
    now: () => systemClock.now(),
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

/** CPU milliseconds of this one thread: no other one's work is anybody's. */
export function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
