/** Counts the bytes that a port received in each of the last 150 bins of 0.4 s, which is one minute. */

/** Length of a bin, in milliseconds. */
export const binTime = 400;
export const binCount = 150;

export class ActivityBins {
  readonly #bins = new Float64Array(binCount);
  /** Number of the newest bin, counted from the Unix epoch. */
  #newest = 0;
  /** Last value of the port's counter. */
  #counted = 0;

  /**
   * Adds the bytes received since the last call to the current bin.
   *
   * @param received Bytes received since the port was opened. Restarts at 0 when the port is reopened.
   * @param now Milliseconds since the Unix epoch.
   */
  count(received: number, now: number): void {
    const fresh = received >= this.#counted ? received - this.#counted : received;
    this.#counted = received;
    this.#moveTo(now);
    const at = this.#newest % binCount;
    this.#bins[at] = (this.#bins[at] ?? 0) + fresh;
  }

  /** Returns the bytes in each bin, oldest first. The last bin is still filling. */
  read(now: number): Float64Array {
    this.#moveTo(now);
    return Float64Array.from({ length: binCount }, (_, age) => this.#bins[(this.#newest + 1 + age) % binCount] ?? 0);
  }

  #moveTo(now: number): void {
    const bin = Math.floor(now / binTime);
    for (let empty = Math.max(this.#newest + 1, bin - binCount + 1); empty <= bin; empty++) {
      this.#bins[empty % binCount] = 0;
    }
    this.#newest = Math.max(this.#newest, bin);
  }
}

/**
 * Returns the time at a position in a lane. The right edge is the end of the current bin.
 *
 * @param fraction Position from 0 (left edge) to 1 (right edge).
 */
export function timeAt(fraction: number, now: number): number {
  const end = (Math.floor(now / binTime) + 1) * binTime;
  return end - (1 - Math.min(1, Math.max(0, fraction))) * binCount * binTime;
}
