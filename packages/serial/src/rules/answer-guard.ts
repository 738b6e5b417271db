/**
 * Finds a rule that answers itself: its answer, or the echo of it, triggers the rule again. Knows only times.
 */

/** Most answers within the span. One more is a loop. */
const MAX_ANSWERS = 5;
/** In milliseconds. */
const SPAN = 1_000;

export class AnswerGuard {
  readonly #times: number[] = [];

  /**
   * Counts an answer.
   *
   * @param at Milliseconds since the Unix epoch.
   * @returns False if it would be one too many within a second.
   */
  allows(at: number): boolean {
    const times = this.#times;
    while (times.length > 0 && at - (times[0] as number) >= SPAN) {
      times.shift();
    }
    times.push(at);
    return times.length <= MAX_ANSWERS;
  }
}

/** Says that a rule was switched off because its answers came too often. */
export function loopText(name: string): string {
  return `The rule "${name}" was switched off: it answered more than ${MAX_ANSWERS} times within a second, so its answer probably triggers it again. Change its condition before you switch it on.`;
}
