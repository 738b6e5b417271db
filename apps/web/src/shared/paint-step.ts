/**
 * Synchronises visible changes during traffic (rows, counters, lights). Changes in one frame cost a third of changes
 * in separate frames. Steps are counted from the Unix epoch, so that the page and its worker agree on them.
 */

/** Time between two steps, in milliseconds. */
export const paintStep = 100;

/**
 * Returns the time to the first step that is at least `delay` away, in milliseconds. Timers fire a little early or
 * late. Pass half a step less than the wanted delay to stay in step.
 * @param now Milliseconds since the Unix epoch.
 */
export function untilStep(now: number, delay = paintStep / 2): number {
  return Math.ceil((now + delay) / paintStep) * paintStep - now;
}
