/** Distributes the program's unsolicited events to listeners. */
import type { ProbeFrame } from './frames.ts';

/** Size of the status at the end of an event, in bytes. */
const statusSize = 4;

export class ProbeEvents {
  readonly #listeners = new Set<(event: ProbeFrame) => void>();

  /**
   * Adds a listener for all events.
   *
   * @returns A function that removes the listener.
   */
  listen(take: (event: ProbeFrame) => void): () => void {
    this.#listeners.add(take);
    return () => this.#listeners.delete(take);
  }

  /**
   * Passes an event on to all listeners.
   *
   * @param data Data including the status.
   */
  tell({ op, value, data }: { readonly op: number; readonly value: number; readonly data: Uint8Array }): void {
    const event = { op, value, data: data.slice(0, -statusSize), reason: null };
    for (const take of [...this.#listeners]) {
      take(event);
    }
  }
}
