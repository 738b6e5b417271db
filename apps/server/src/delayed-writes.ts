/**
 * Writes what is collected in memory once a second or so, so that many small things cost one write and keep nobody waiting. A process that
 * crashes loses what it was told in the last second; one that stops writes it first. Knows nothing of what it writes.
 */
import type { Clock } from '@wirebench/clock';
import { DatabaseUnavailableError } from './storage/database/database-failure.ts';

export interface DelayedWritesOptions<Item> {
  readonly clock: Clock;
  /** Nothing waits to be written. */
  readonly isEmpty: () => boolean;
  /** All that waits, which does not wait any more. */
  readonly take: () => readonly Item[];
  /** What could not be written waits again. */
  readonly putBack: (items: readonly Item[]) => void;
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Items of one call of `write`: the database is free again in between. */
  readonly slice: number;
  /** Called with the reason when something could not be written. It is kept and tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds from the first thing that is not written until all are. */
const WRITE_AFTER = 750;

export class DelayedWrites<Item> implements AsyncDisposable {
  readonly #options: DelayedWritesOptions<Item>;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> | null = null;
  /** What the last attempt to write failed with; null when it did not. */
  #failure: unknown = null;

  constructor(options: DelayedWritesOptions<Item>) {
    this.#options = options;
  }

  /**
   * Throws `DatabaseUnavailableError` while what came before cannot be written: there is never more than a second of it that a
   * crash would lose.
   */
  check(): void {
    if (this.#failure !== null) {
      throw new DatabaseUnavailableError({ cause: this.#failure });
    }
  }

  /** To be called when something waits. */
  schedule(): void {
    this.#cancel ??= this.#options.clock.schedule(WRITE_AFTER, () => {
      this.#cancel = null;
      void this.write();
    });
  }

  /** Never rejects. Whoever asks while a write is under way waits for that one. */
  write(): Promise<void> {
    if (this.#options.isEmpty()) {
      return this.#writing ?? Promise.resolve();
    }
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Writes what has come until now. Resolves also when it could not be written. */
  async settle(): Promise<void> {
    await this.#writing;
    await this.write();
  }

  /** Writes what is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.settle();
    this.#cancel?.();
  }

  async #writeAll(): Promise<void> {
    const { take, putBack, write, slice, onFailure } = this.#options;
    const items = take();
    let written = 0;
    try {
      for (; written < items.length; written += slice) {
        await write(items.slice(written, written + slice));
      }
      this.#failure = null;
    } catch (error) {
      this.#failure = error;
      putBack(items.slice(written));
      this.schedule();
      onFailure(error);
    }
  }
}
