/**
 * What changes again and again while data comes in (rows that run by, counters, lights) changes in step: changes of one frame
 * cost the page a third of what they cost in frames of their own. Steps are counted from the Unix epoch, so that the page and
 * its worker agree on them.
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
