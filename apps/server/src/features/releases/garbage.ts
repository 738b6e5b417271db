/**
 * Removes unused bytes from the store, in the background and in batches. A key that cannot be removed does not block
 * the others: it stays in the ledger, and the next sweep retries it.
 */
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { BytesRepository } from './bytes.repository.ts';

export interface GarbageOptions {
  readonly repository: Pick<BytesRepository, 'garbage' | 'forget'>;
  readonly store: Pick<BlobStore, 'remove' | 'check'>;
  /** Called after each run that could not remove everything, with the first reason. */
  readonly onFailure: (error: unknown, keys: number) => void;
}

/** Keys removed simultaneously. */
const BATCH = 16;

export class Garbage implements AsyncDisposable {
  readonly #options: GarbageOptions;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;

  constructor(options: GarbageOptions) {
    this.#options = options;
  }

  /** Starts a run, or another one after the current run. Resolves when nothing is left to try. Never rejects. */
  empty(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Waits for the current batch. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      const failures: unknown[] = [];
      try {
        await this.#removeAll(failures);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) {
        this.#options.onFailure(failures[0], failures.length);
      }
    }
    // No await between the last check of `#isWanted` and this line, so that no call is missed.
    this.#running = null;
  }

  async #removeAll(failures: unknown[]): Promise<void> {
    const { repository, store } = this.#options;
    let last: string | undefined;
    do {
      const keys = await repository.garbage(last ?? '', BATCH);
      const outcomes = await Promise.allSettled(
        keys.map(async (key) => {
          await store.remove(key);
          await repository.forget(key);
        }),
      );
      const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
      failures.push(...failed.map(({ reason }) => reason as unknown));
      if (failed.length > 0 && failed.length === keys.length) {
        // Ends the run if the store is unavailable, because every further batch would fail too.
        await store.check();
      }
      last = keys.length === BATCH ? keys.at(-1) : undefined;
    } while (last !== undefined && !this.#isClosed);
  }
}
