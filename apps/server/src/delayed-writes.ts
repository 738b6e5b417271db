/**
 * Collects small writes in memory and saves them about once a second, so that many of them cost one write and no
 * caller waits. A process that crashes loses the items of the last second. A stop saves them first.
 */
import type { Clock } from '@wirebench/clock';
import { DatabaseUnavailableError } from './storage/database/database-failure.ts';

export interface DelayedWritesOptions<Item> {
  readonly clock: Clock;
  /** True: no items wait to be written. */
  readonly isEmpty: () => boolean;
  /** Returns all waiting items and removes them from the queue. */
  readonly take: () => readonly Item[];
  /** Puts items back that could not be written. */
  readonly putBack: (items: readonly Item[]) => void;
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Items per call of `write`. The database is free between two calls. */
  readonly slice: number;
  /** Called with the reason when a write has failed. The items are kept and retried. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds from the first waiting item until all are written. */
const WRITE_AFTER = 750;

export class DelayedWrites<Item> implements AsyncDisposable {
  readonly #options: DelayedWritesOptions<Item>;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> | null = null;
  /** Error of the last write; null if it succeeded. */
  #failure: unknown = null;

  constructor(options: DelayedWritesOptions<Item>) {
    this.#options = options;
  }

  /**
   * Checks that writes succeed at present. This limits what a crash can lose to one second of items.
   *
   * @throws DatabaseUnavailableError while earlier items cannot be written.
   */
  check(): void {
    if (this.#failure !== null) {
      throw new DatabaseUnavailableError({ cause: this.#failure });
    }
  }

  /** Schedules a write. Call it when an item waits. */
  schedule(): void {
    this.#cancel ??= this.#options.clock.schedule(WRITE_AFTER, () => {
      this.#cancel = null;
      void this.write();
    });
  }

  /** Writes all waiting items. Never rejects. A call during a write waits for that write. */
  write(): Promise<void> {
    if (this.#options.isEmpty()) {
      return this.#writing ?? Promise.resolve();
    }
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Writes all items that have arrived until now. Resolves even if the write fails. */
  async settle(): Promise<void> {
    await this.#writing;
    await this.write();
  }

  /** Writes the remaining items. */
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
