/** Hashes of all of flash, from before the bench opened a board and from after it has left it. */

/** What the chip calculated of its whole flash. */
export interface FlashHash {
  /** 32 lower-case hexadecimal digits. */
  readonly md5: string;
  readonly bytes: number;
  /** Milliseconds. */
  readonly took: number;
}

/** Whether flash is after the bench as it was before: asked for with a connect. */
export interface FlashCheck {
  readonly mac: string | null;
  readonly before: FlashHash | null;
  readonly after: FlashHash | null;
  /** Which is being calculated. */
  readonly reading: 'before' | 'after' | null;
  /** Why there is no second hash: a sentence. */
  readonly failure: string | null;
}
