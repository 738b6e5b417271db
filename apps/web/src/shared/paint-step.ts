/**
 * Synchronises visible changes during traffic (rows, counters, lights): changes in one frame cost a third of changes
 * in separate frames. Steps are counted from the Unix epoch, so that the page and its worker agree on them.
 */

/** Time between two steps, in milliseconds. */
export const paintStep = 100;

/**
 * Time to the first step that is at least `delay` away, in milliseconds. A timer fires a little late or early: ask for half a step
 * less than what is meant, and it stays in step.
 *
 * @param now in milliseconds since the Unix epoch.
 */
export function untilStep(now: number, delay = paintStep / 2): number {
  return Math.ceil((now + delay) / paintStep) * paintStep - now;
}
