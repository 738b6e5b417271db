/**
 * Abilities of a remote port beyond those of a local one. Its timing is done beside its board, because a network would
 * spoil it. It writes the next request as
 * soon as the board has answered, and counts how long the board has had to answer. It also knows the reason of a
 * loss.
 */

/**
 * A frame that a board sends. It lies between two delimiters and has this beginning and end, in bytes as on the wire.
 */
export interface AwaitedFrame {
  readonly delimiter: number;
  readonly begins: Uint8Array;
  readonly ends: Uint8Array;
}

/**
 * All bytes that a board sends between one write and the next: their number and how they begin. Anything else, or
 * silence, keeps the next write from the board until `dropWaiting`.
 */
export interface ExpectedBytes {
  /** First bytes, 1 to 128 of them. */
  readonly begins: Uint8Array;
  /** Number of bytes including `begins`, at most 1,024. */
  readonly length: number;
  /** Time from the last of these bytes to the write, in milliseconds, at most a minute. */
  readonly pause: number;
  /** Longest time for these bytes after the previous write has left the wire, in milliseconds, at most a minute. */
  readonly limit: number;
}

/**
 * Reason why the use of a port ended although its board may still be plugged in. The connection was away for too
 * long, the host took the port back, or sharing ended.
 */
export type RemoteLoss = 'connection' | 'taken-back' | 'ended';

export interface RemoteTiming {
  /** Null while the port is usable, and if its board is gone. */
  readonly lostBy: RemoteLoss | null;
  /** True: `writeAfter` takes `ExpectedBytes`. False for a host of an older version. */
  readonly canExpectBytes: boolean;
  /**
   * Announces a write: it reaches the board only after the board has sent this answer since the previous write. The
   * write must use this same array, which is recognised by identity.
   */
  writeAfter(bytes: Uint8Array, answer: AwaitedFrame | ExpectedBytes): void;
  /**
   * Announces a write of keys as they are pressed, which the host's and the guests' logs do not show. The write must
   * use this same array.
   */
  writeKeys(bytes: Uint8Array): void;
  /** Drops the writes that wait at the host for an answer, and those behind them. */
  dropWaiting(): void;
  /**
   * Returns how long the board has had since the last write left its wire, in milliseconds. Bytes that it has sent by
   * then have arrived when this resolves, but may not be read yet. While the connection is away, the promise stays
   * pending.
   *
   * @throws NetworkError if the port is gone.
   */
  timeToAnswer(): Promise<number>;
}

/** Returns the timing of a remote port; null for a local port. */
export function remoteTimingOf(device: SerialPort): RemoteTiming | null {
  return 'timeToAnswer' in device ? (device as SerialPort & RemoteTiming) : null;
}
