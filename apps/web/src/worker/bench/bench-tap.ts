/**
 * Listener for the bench's bytes, in the same thread. It is called while a chunk is processed, so it must be quick
 * and must not throw.
 */
import type { PortNumber } from '@wirebench/serial';

export interface BenchTap {
  /**
   * Receives bytes that the bench's own session received or sent. The buffer belongs to the bench; the tap must copy
   * bytes that it keeps.
   */
  bytes(port: PortNumber, lane: 'received' | 'sent', bytes: Uint8Array, at: number): void;
  /** Called when the newest sent line of the port receives a label with its author. */
  signed(port: PortNumber, words: string): void;
  /** Called when any state of the bench may have changed. */
  changed(): void;
}

/** Hears chunks of the bench's own ports, under the same conditions. */
export interface ChunkListener {
  received(port: PortNumber, bytes: Uint8Array, at: number): void;
  sent?(port: PortNumber, bytes: Uint8Array): void;
}
