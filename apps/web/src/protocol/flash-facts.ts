/** Hashes of all of flash: before the bench opened a board, and after it has left the board. */

/** Hash of the whole flash, calculated by the chip. */
export interface FlashHash {
  /** 32 lower-case hexadecimal digits. */
  readonly md5: string;
  readonly bytes: number;
  /** Time that the hash took, in milliseconds. */
  readonly took: number;
}

/** Comparison of flash before and after the bench, requested with a connect. */
export interface FlashCheck {
  readonly mac: string | null;
  readonly before: FlashHash | null;
  readonly after: FlashHash | null;
  /** The hash that is being calculated. */
  readonly reading: 'before' | 'after' | null;
  /** Reason for the missing second hash, as a sentence. */
  readonly failure: string | null;
  /** Reason for which the board stays in its bootloader after a hash, and what to do; null if it was restarted. */
  readonly notRestarted: string | null;
}
