/**
 * Counts the bytes of the last minute in bins of a tenth of a second, in a ring of fixed size. A read costs one
 * addition; rates and lanes are computed on request. It has no timer.
 */

/** Width of a bin in milliseconds: a tenth of a second. */
const BIN = 100;
/** Bins of a rate: one second. */
const RATE_BINS = 10;
/** Bins of the meter in one bin of a lane. */
const LANE_SHARE = 4;
/** Width of a lane's bin in milliseconds, and the number of bins: 60 s in bins of 0.4 s. */
export const laneBin = BIN * LANE_SHARE;
export const laneBins = 150;
const RING_BINS = laneBins * LANE_SHARE + RATE_BINS;

export interface Lane {
  /** Start of the first bin in milliseconds since the Unix epoch, a multiple of `laneBin`. */
  readonly start: number;
  /** Bytes in each bin, oldest first; the last one is the current bin. May be transferred. */
  readonly bytes: Float64Array<ArrayBuffer>;
}

export class TrafficMeter {
  readonly #bins = new Float64Array(RING_BINS);
  /** Number of the newest bin, counted from the Unix epoch. */
  #newest = 0;
  /** Bytes of the last whole second before the newest bin. */
  #second = 0;
  /** First bin that counts for the peak. `#peakSecond` is `#second` without earlier bins. */
  #peakFrom = 0;
  #peakSecond = 0;
  #peak = 0;

  /** @param at Milliseconds since the Unix epoch, never before the previous call. */
  add(bytes: number, at: number): void {
    this.#advance(at);
    const slot = this.#newest % RING_BINS;
    this.#bins[slot] = (this.#bins[slot] ?? 0) + bytes;
  }

  /** Returns the bytes of the last second, up to the last full tenth of a second. */
  rate(now: number): number {
    this.#advance(now);
    return this.#second;
  }

  /** Returns the most bytes in one second since the last `resetPeak`. */
  peak(now: number): number {
    this.#advance(now);
    return this.#peak;
  }

  lane(now: number): Lane {
    this.#advance(now);
    const last = Math.floor(now / laneBin);
    const first = last - laneBins + 1;
    const bytes = new Float64Array(laneBins);
    for (let bin = Math.max(first * LANE_SHARE, this.#newest - RING_BINS + 1); bin <= this.#newest; bin++) {
      const index = Math.floor(bin / LANE_SHARE) - first;
      bytes[index] = (bytes[index] ?? 0) + (this.#bins[bin % RING_BINS] ?? 0);
    }
    return { start: first * laneBin, bytes };
  }

  /**
   * Resets the peak. Bytes from more than a tenth of a second before `now` no longer count for it; the last minute
   * stays.
   */
  resetPeak(now: number): void {
    this.#advance(now);
    this.#peakFrom = this.#newest;
    this.#peakSecond = 0;
    this.#peak = 0;
  }

  #advance(at: number): void {
    const bin = Math.floor(at / BIN);
    if (bin - this.#newest >= RING_BINS) {
      this.#finishBins(RATE_BINS);
      this.#bins.fill(0);
      this.#second = 0;
      this.#peakSecond = 0;
      this.#newest = bin;
    }
    while (this.#newest < bin) {
      this.#finishBins(1);
    }
  }

  /** Ends the newest bin and begins another one, `count` times. */
  #finishBins(count: number): void {
    for (let turn = 0; turn < count; turn++) {
      const ended = this.#bins[this.#newest % RING_BINS] ?? 0;
      const left = this.#bins[(this.#newest - RATE_BINS + RING_BINS) % RING_BINS] ?? 0;
      this.#second += ended - left;
      this.#peakSecond += ended - (this.#newest - RATE_BINS >= this.#peakFrom ? left : 0);
      this.#peak = Math.max(this.#peak, this.#peakSecond);
      this.#newest++;
      this.#bins[this.#newest % RING_BINS] = 0;
    }
  }
}
