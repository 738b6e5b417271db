/**
 * Listener for the bench's bytes, in the same thread. It is called while a chunk is processed, so it must be quick
 * and must not throw.
 */
import type { PortNumber } from '@wirebench/serial';

export interface BenchTap {
  /**
   * Receives bytes that the bench's own session received or sent. The buffer belongs to the bench: the tap copies
   * what it keeps.
   */
  bytes(port: PortNumber, lane: 'received' | 'sent', bytes: Uint8Array, at: number): void;
  /** The newest line that was sent to the port has got words beside it, which say whose it is. */
  signed(port: PortNumber, words: string): void;
  /** Something of the bench may have changed. */
  changed(): void;
}
