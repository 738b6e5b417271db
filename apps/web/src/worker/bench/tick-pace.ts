/**
 * Decides how often the page receives a tick: once per frame, or less often while more lines arrive than a user can
 * read. Counts lines; the caller passes the time.
 */
import { tickInterval } from '../../protocol/calls/call-server.ts';
import { untilStep } from '../../shared/paint-step.ts';

/** Lines per frame of the page that fill a console. */
const screenful = 30;

export class TickPace {
  #lines = 0;
  #at = Number.NEGATIVE_INFINITY;
  #flooded = false;

  /** Shortest time from the last tick to the next, in milliseconds. Longer while many lines arrive. */
  get interval(): number {
    return this.#flooded ? untilStep(this.#at) : tickInterval;
  }

  /**
   * Notes a sent tick.
   * @param lines Total of received lines, including those that left the ring.
   * @param at Milliseconds since the Unix epoch.
   */
  sent(lines: number, at: number): void {
    const elapsed = Math.max(tickInterval, at - this.#at);
    this.#flooded = (lines - this.#lines) * tickInterval > screenful * elapsed;
    this.#lines = lines;
    this.#at = at;
  }
}
