/**
 * Transport of messages between a side and the relay. In the product a thin wrapper around a WebSocket; in tests a
 * pair of connected ends.
 */

/** A connection. Each call of `send` arrives as one whole message, in order, or the link closes. */
export interface MessageLink {
  /**
   * Sends a message; never throws. Messages sent while the link opens leave once it is open. After `close` they are
   * dropped.
   */
  send(message: Uint8Array<ArrayBuffer>): void;
  /** Bytes that were sent but have not left yet, if the link knows. */
  readonly buffered?: number;
  close(): void;
  /** Must be set before the first message can arrive. */
  onmessage: ((message: Uint8Array) => void) | null;
  /** Called once, also if the link could not be opened; not after `close`. The code is that of a WebSocket. */
  onclose: ((code: number) => void) | null;
}

/**
 * Connects to the relay.
 *
 * @param resume Token of the relay's last welcome; null on the first connection.
 */
export type Dial = (resume: string | null) => MessageLink;
