/**
 * Decides how often the page receives a tick: once a frame, or less often while more lines arrive than a person can
 * read. Counts lines; the caller passes the time.
 */
import { tickInterval } from '../../protocol/calls/call-server.ts';
import { untilStep } from '../../shared/paint-step.ts';

/** Lines within a frame of the page that fill a console. */
const screenful = 30;

export class TickPace {
  #lines = 0;
  #at = Number.NEGATIVE_INFINITY;
  #flooded = false;

  /** Shortest time from the last tick to the next, in milliseconds: to the next step while lines run by. */
  get interval(): number {
    return this.#flooded ? untilStep(this.#at) : tickInterval;
  }

  /**
   * A tick is sent.
   *
   * @param lines that have come in all, those that left the full buffer included. @param at in milliseconds since the Unix epoch.
   */
  sent(lines: number, at: number): void {
    const elapsed = Math.max(tickInterval, at - this.#at);
    this.#flooded = (lines - this.#lines) * tickInterval > screenful * elapsed;
    this.#lines = lines;
    this.#at = at;
  }
}
