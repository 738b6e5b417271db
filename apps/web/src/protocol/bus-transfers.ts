/** Lists of transfers on the I2C bus, made once or repeatedly. The bench's page sends them to the lab's worker. */

/**
 * One transfer of a list: writes bytes, then reads bytes after a repeated start. `delay` is the pause before it, in
 * microseconds.
 */
export interface BusTransfer {
  /** 7-bit address. */
  readonly address: number;
  readonly write: Uint8Array;
  readonly read: number;
  readonly delay: number;
}

/**
 * Limits of a list, because descriptions come from other people. Times within a list are in µs, intervals between
 * lists in ms.
 */
export const deviceLimits = {
  lowestAddress: 0x08,
  highestAddress: 0x77,
  transfers: 400,
  delay: 200_000_000,
  shortestInterval: 10,
  longestInterval: 3_600_000,
} as const;

export interface RepeatedJob {
  readonly address: number;
  readonly transfers: readonly BusTransfer[];
  /** Milliseconds from the start of one cycle to the start of the next. */
  readonly interval: number;
}

/** Result of one cycle of a repeated list. */
export interface DeviceCycle {
  readonly address: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Null if the cycle failed. */
  readonly answers: readonly Uint8Array[] | null;
  readonly failure: string | null;
  /** True: the list is no longer repeated, although the page did not end it. */
  readonly ended: boolean;
}
