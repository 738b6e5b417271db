/** What carries messages: a WebSocket satisfies it with a few lines, and so do two ends in a test. Knows nothing of what it carries. */

/** A message is one call of `send` on the other side: whole, in order, or the link closes. */
export interface MessageLink {
  /** Never throws. What is sent while the link opens is sent when it has; after `close` it is dropped. */
  send(message: Uint8Array<ArrayBuffer>): void;
  /** Bytes that were sent and have not left yet, where the link knows. */
  readonly buffered?: number;
  close(): void;
  /** Set before the first message can arrive. */
  onmessage: ((message: Uint8Array) => void) | null;
  /** Called once, also when the link could not be opened; not after `close`. Codes are those of a WebSocket. */
  onclose: ((code: number) => void) | null;
}

/**
 * Connects to the relay.
 * @param resume what the relay's last welcome had, or null the first time.
 */
export type Dial = (resume: string | null) => MessageLink;
