/** How much a port received in each of the last 150 stretches of 0.4 s: a minute. Counts bytes; draws nothing. */

/** In milliseconds. */
export const binTime = 400;
export const binCount = 150;

export class ActivityBins {
  readonly #bins = new Float64Array(binCount);
  /** Number of the newest stretch since the epoch. */
  #newest = 0;
  /** The counter as it was last seen. */
  #counted = 0;

  /**
   * @param received bytes since the port was opened: it falls to 0 when it is opened again.
   * @param now in milliseconds since the Unix epoch.
   */
  count(received: number, now: number): void {
    const fresh = received >= this.#counted ? received - this.#counted : received;
    this.#counted = received;
    this.#moveTo(now);
    const at = this.#newest % binCount;
    this.#bins[at] = (this.#bins[at] ?? 0) + fresh;
  }

  /** Bytes in each stretch, the oldest first; the last one is still running. */
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

/** The time at a place of a lane, 0 at its left edge and 1 at its right one, where the running stretch ends. */
export function timeAt(fraction: number, now: number): number {
  const end = (Math.floor(now / binTime) + 1) * binTime;
  return end - (1 - Math.min(1, Math.max(0, fraction))) * binCount * binTime;
}
