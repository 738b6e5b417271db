/** Lists of transfers on the I2C bus, once or again and again, as the bench's page gives them to the lab's host. */

/** One transfer of a list: bytes written, then bytes read after a repeated start, `delay` microseconds after the one before. */
export interface BusTransfer {
  /** 7 bits. */
  readonly address: number;
  readonly write: Uint8Array;
  readonly read: number;
  readonly delay: number;
}

/** What a list may be at most, whoever wrote the description that it comes from. Times of a list in µs, between lists in ms. */
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
  /** Milliseconds from one beginning to the next. */
  readonly interval: number;
}

/** One time that a repeated list was carried out. */
export interface DeviceCycle {
  readonly address: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Null when it failed. */
  readonly answers: readonly Uint8Array[] | null;
  readonly failure: string | null;
  /** It is not repeated any more, and nobody has asked for that. */
  readonly ended: boolean;
}
