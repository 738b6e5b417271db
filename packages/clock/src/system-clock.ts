import { type Clock, sleepOn } from './clock.ts';

/** Shortest delay, in milliseconds, of a browser timer that is nested more than five deep (HTML, section "Timers"). */
const shortestTimer = 4;

/**
 * The used part of the browser's scheduler (Prioritized Task Scheduling, section 2.1). Node and some browsers lack
 * it.
 */
interface TaskScheduler {
  postTask(callback: () => void, options: { readonly delay: number }): Promise<unknown>;
}

/** The machine's time. `now` has the resolution of `performance.now()`. Works in a page, a worker and Node. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  wallTime: () => Date.now(),
  schedule(delay, callback) {
    const { scheduler } = globalThis as { readonly scheduler?: TaskScheduler };
    if (delay < shortestTimer && scheduler?.postTask !== undefined) {
      return scheduleShort(scheduler, delay, callback);
    }
    const timer = setTimeout(callback, Math.max(0, delay));
    return () => clearTimeout(timer);
  },
  sleep: (delay, signal) => sleepOn(systemClock, delay, signal),
};

/**
 * Runs `callback` through the scheduler, which counts whole milliseconds. Delays under one millisecond are polled
 * task by task, which keeps the processor busy.
 */
function scheduleShort(scheduler: TaskScheduler, delay: number, callback: () => void): () => void {
  const due = performance.now() + delay;
  let cancelled = false;
  const look = () => {
    if (cancelled) {
      return;
    }
    if (performance.now() < due) {
      void scheduler.postTask(look, { delay: 0 });
    } else {
      callback();
    }
  };
  void scheduler.postTask(look, { delay: delay < 1 ? 0 : Math.ceil(delay) });
  return () => {
    cancelled = true;
  };
}
