/**
 * Ends connections whose clients do not take what they asked for: each holds an open file or a connection to the store, and what
 * was read ahead for it. Knows sockets only.
 */
import type { Socket } from 'node:net';

/** Bytes that count as progress. The system takes what is sent in pieces of 64 KiB. */
const PROGRESS = 16_384;

/** What can be seen of a connection. */
interface Connection extends Pick<Socket, 'writableLength' | 'bytesWritten'> {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Progress that was seen last: how many bytes the client had taken, and when (`performance.now()`). */
interface Sent {
  bytes: number;
  at: number;
}

export class SlowReaders {
  readonly #timeout: number;
  readonly #sent = new Map<Connection, Sent>();

  /** @param timeout milliseconds that an answer may wait for its client without progress */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** To be called for each request on `socket`, with the time (`performance.now()`). */
  watch(socket: Connection, now: number): void {
    if (!this.#sent.has(socket)) {
      this.#sent.set(socket, { bytes: 0, at: now });
      socket.once('close', () => this.#sent.delete(socket));
    }
  }

  /** Ends those that have taken nothing for too long at `now` (`performance.now()`). Returns how many those were. */
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
