/**
 * Ends connections whose clients do not read their answers. Each holds an open file or a connection to the store, and
 * the bytes that were read ahead for it.
 */
import type { Socket } from 'node:net';

/** Bytes that count as progress. The system takes bytes to send in pieces of 64 KiB. */
const PROGRESS = 16_384;

/** The part of a socket that is observed. */
interface Connection extends Pick<Socket, 'writableLength' | 'bytesWritten'> {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The last observed progress: bytes that the client had taken, and the time (`performance.now()`). */
interface Sent {
  bytes: number;
  at: number;
}

export class SlowReaders {
  readonly #timeout: number;
  readonly #sent = new Map<Connection, Sent>();

  /** @param timeout Milliseconds that an answer may wait for its client without progress. */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Watches `socket`. Call it for each request on it, with the time (`performance.now()`). */
  watch(socket: Connection, now: number): void {
    if (!this.#sent.has(socket)) {
      this.#sent.set(socket, { bytes: 0, at: now });
      socket.once('close', () => this.#sent.delete(socket));
    }
  }

  /**
   * Ends connections that have made no progress for too long at `now` (`performance.now()`). Returns how many it
   * ended.
   */
  sweep(now: number): number {
    let ended = 0;
    for (const [socket, sent] of this.#sent) {
      const waiting = socket.writableLength;
      const bytes = waiting === 0 ? sent.bytes : socket.bytesWritten - waiting;
      if (waiting === 0 || bytes - sent.bytes >= PROGRESS) {
        sent.bytes = bytes;
        sent.at = now;
      } else if (now - sent.at >= this.#timeout) {
        socket.destroy();
        ended++;
      }
    }
    return ended;
  }
}
