/** What the program says by itself, to whoever listens. Knows no event by name. */
import type { ProbeFrame } from './frames.ts';

/** Bytes of the status at the end of an event. */
const statusSize = 4;

export class ProbeEvents {
  readonly #listeners = new Set<(event: ProbeFrame) => void>();

  /** @returns how to end it */
  listen(take: (event: ProbeFrame) => void): () => void {
    this.#listeners.add(take);
    return () => this.#listeners.delete(take);
  }

  /** @param data with the status */
  tell({ op, value, data }: { readonly op: number; readonly value: number; readonly data: Uint8Array }): void {
    const event = { op, value, data: data.slice(0, -statusSize), reason: null };
    for (const take of [...this.#listeners]) {
      take(event);
    }
  }
}
