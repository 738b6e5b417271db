/** Who reads along with the bench, in its own thread: called in the middle of things, so it must be quick and must not throw. */
import type { PortNumber } from '@wirebench/serial';

export interface BenchTap {
  /** What the bench's own session has received or sent. The bytes are not the tap's: it copies what it keeps. */
  bytes(port: PortNumber, lane: 'received' | 'sent', bytes: Uint8Array, at: number): void;
  /** The newest line that was sent to the port has got words beside it, which say whose it is. */
  signed(port: PortNumber, words: string): void;
  /** Something of the bench may have changed. */
  changed(): void;
}
