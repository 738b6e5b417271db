/**
 * Places the times of a board's own clock on a plot's axis. Milliseconds since 1970 are such times themselves. Any other count is
 * placed by the arrival of the first line with one, so that the distances between points are those of the board.
 */

/** Counts from here on are milliseconds since 1970: 2000-01-01. A board would have to run for 30 years to reach it. */
const EPOCH = 946_684_800_000;
/** Step back from which a count has begun again, in milliseconds. Lines that were sent together may be out of order. */
const MAX_BACK = 1_000;
/**
 * Distance of a count from the arrival of its line from which it is placed again, in milliseconds: the board does not count
 * milliseconds, or its lines were held up. Crystals part by less in a week.
 */
const MAX_DISTANCE = 60_000;

export class BoardClock {
  /** Added to counts; null before the first. */
  #offset: number | null = null;
  #newest = Number.NEGATIVE_INFINITY;

  /** Forgets the place of counts: the board has started again, and counts from zero. */
  restart(): void {
    this.#offset = null;
  }

  /**
   * Takes the newest time of a line. Call it before `placeOf` for each of the line's times.
   *
   * @param arrival Time of the line, in milliseconds since the Unix epoch. NaN: unknown.
   * @param drawnAt Time at which a line without a known time is drawn.
   */
  take(newest: number, arrival: number, drawnAt: number): void {
    if (newest >= EPOCH) {
      return;
    }
    const isBack = newest < this.#newest - MAX_BACK;
    const isFar = this.#offset !== null && Math.abs(newest + this.#offset - arrival) > MAX_DISTANCE;
    if (this.#offset === null || isBack || isFar) {
      const last = this.#offset === null ? drawnAt : Math.max(drawnAt, this.#newest + this.#offset);
      this.#offset = (Number.isNaN(arrival) ? last : arrival) - newest;
    }
    this.#newest = newest;
  }

  /** Returns the place of a time, in milliseconds since the Unix epoch. */
  placeOf(time: number): number {
    return time >= EPOCH ? time : time + (this.#offset ?? 0);
  }
}
