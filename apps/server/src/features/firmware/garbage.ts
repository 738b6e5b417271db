/**
 * Empties the store of bytes that nothing needs any more, in the background and in batches. A key that cannot be removed keeps
 * none of the others back: it stays in the ledger and is tried again with the next sweep.
 */
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { BytesRepository } from './bytes.repository.ts';

export interface GarbageOptions {
  readonly repository: Pick<BytesRepository, 'garbage' | 'forget'>;
  readonly store: Pick<BlobStore, 'remove' | 'check'>;
  /** Called after each run that could not remove everything, with the first reason. */
  readonly onFailure: (error: unknown, keys: number) => void;
}

/** Keys that are removed at once. */
const BATCH = 16;

export class Garbage implements AsyncDisposable {
  readonly #options: GarbageOptions;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;

  constructor(options: GarbageOptions) {
    this.#options = options;
  }

  /** Begins to empty it, or once more when a run is under way. Resolves when there is nothing left to try; never rejects. */
  empty(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Waits for the batch that is under way. */
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
    // At once, so that no call comes between this and the last look at what is wanted.
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
        // Bad keys, or a store that is away, which would cost the same time for every batch.
        await store.check();
      }
      last = keys.length === BATCH ? keys.at(-1) : undefined;
    } while (last !== undefined && !this.#isClosed);
  }
}
