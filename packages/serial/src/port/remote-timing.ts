/**
 * What a port whose board is somewhere else does there, because a network would spoil it: writing the next request as soon as the board has
 * answered the one before, and counting how long the board has had for an answer; and why it is lost. Knows no protocol.
 */

/** A frame that a board sends: it stands between two delimiters, and begins and ends with these bytes, as they are on the wire. */
export interface AwaitedFrame {
  readonly delimiter: number;
  readonly begins: Uint8Array;
  readonly ends: Uint8Array;
}

/**
 * All that a board sends between one write and the next: so many bytes, and how they begin. Anything else, and silence, keeps the next write
 * from the board until `dropWaiting`.
 */
export interface ExpectedBytes {
  /** 1 to 128 bytes. */
  readonly begins: Uint8Array;
  /** Bytes in all, those of `begins` included; up to 1,024. */
  readonly length: number;
  /** Milliseconds from the last of them to the write; up to a minute. */
  readonly pause: number;
  /** Milliseconds that they may take once the write before has left the wire; up to a minute. */
  readonly limit: number;
}

/**
 * What ended the use of a port although its board may still be plugged in: a connection that was away for too long, whoever shares the
 * board, or the end of sharing it.
 */
export type RemoteLoss = 'connection' | 'taken-back' | 'ended';

export interface RemoteTiming {
  /** Null while the port is there, and when it is its board that is gone. */
  readonly lostBy: RemoteLoss | null;
  /** Whether `writeAfter` takes `ExpectedBytes`: the other side may be of an older version. */
  readonly canExpectBytes: boolean;
  /**
   * These bytes, which are written next, reach the board when it has sent such an answer since what was written before them, and not before.
   * It is this array that is recognised when it is written.
   */
  writeAfter(bytes: Uint8Array, answer: AwaitedFrame | ExpectedBytes): void;
  /** Throws away what waits there for an answer, and what follows it. */
  dropWaiting(): void;
  /**
   * Milliseconds that the board has had since what was written last left the wire there. What it had sent by then has arrived when this resolves,
   * but may not have been read yet. While the connection is away, so is the answer.
   * @throws NetworkError when the port is gone.
   */
  timeToAnswer(): Promise<number>;
}

/** Null for a port that is here. */
export function remoteTimingOf(device: SerialPort): RemoteTiming | null {
  return 'timeToAnswer' in device ? (device as SerialPort & RemoteTiming) : null;
}
