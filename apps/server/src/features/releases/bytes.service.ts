/**
 * Keeps the ledger and the file store consistent, even if a process ends between two steps: bytes that a version uses
 * are in the store, and unused bytes are removed. `bytes.repository.ts` defines the order of the steps.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import type { SpooledFile } from '../../storage/blobs/spooled-file.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import type { BytesRepository } from './bytes.repository.ts';

interface GarbageOptions {
  readonly repository: Pick<BytesRepository, 'garbage' | 'forget'>;
  readonly store: Pick<BlobStore, 'remove' | 'check'>;
  /** Called after each run that could not remove everything, with the first reason. */
  readonly onFailure: (error: unknown, keys: number) => void;
}

/** Keys removed simultaneously. */
const BATCH = 16;

/**
 * Removes unused bytes from the store, in the background and in batches. A key that cannot be removed does not block
 * the others: it stays in the ledger, and the next sweep retries it.
 */
class Garbage implements AsyncDisposable {
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

export interface BytesServiceOptions {
  readonly repository: BytesRepository;
  readonly store: BlobStore;
  readonly spool: Spool;
  readonly clock: Clock;
  /** Called for bytes that could not be removed from the store. */
  readonly onGarbageLeft: GarbageOptions['onFailure'];
}

/** Milliseconds after which an upload with all its bytes counts as abandoned. Storing the files of all builds takes minutes. */
const ABANDONED_AFTER = 3_600_000;

/** Files that an upload stores at once: those of a version of the simple form with its ELF file. */
const AT_ONCE = 5;

export type BytesService = ReturnType<typeof bytesService>;

export function bytesService({ repository, store, spool, clock, onGarbageLeft }: BytesServiceOptions) {
  const timeOf = (moment: number) => new Date(moment).toISOString();
  const garbage = new Garbage({ repository, store, onFailure: onGarbageLeft });

  /** Releases the claims. If the database is unavailable, a later sweep does it. */
  async function abandon(uploadId: string): Promise<void> {
    try {
      await repository.abandon(uploadId);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) {
        throw error;
      }
    }
    void garbage.empty();
  }

  /**
   * Stores the files, a few at once. It waits for all that have begun, even after a failure. Otherwise bytes stored
   * later would have no claim.
   */
  async function keepAll(files: readonly SpooledFile[], keys: ReadonlyMap<string, string>): Promise<void> {
    const distinct = new Map(files.map((file) => [file.sha256, file]));
    const waiting = [...distinct];
    while (waiting.length > 0) {
      const outcomes = await Promise.allSettled(
        waiting.splice(0, AT_ONCE).map(async ([sha256, file]) => {
          const key = keys.get(sha256);
          if (key !== undefined) {
            await store.keep(key, file);
          }
        }),
      );
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') {
          throw outcome.reason;
        }
      }
    }
  }

  /** Uploads in progress. A date that was set forwards must not make them look abandoned. */
  const held = new Set<string>();

  async function storeAll<Result>(
    uploadId: string,
    files: readonly SpooledFile[],
    write: (uploadId: string) => Promise<Result>,
  ): Promise<Result> {
    const keys = await repository.claim(uploadId, files, timeOf(clock.wallTime()));
    try {
      await keepAll(files, keys);
      return await write(uploadId);
    } catch (error) {
      await abandon(uploadId);
      throw error;
    }
  }

  return {
    /**
     * Stores `files` and runs `write`, which has to settle the upload's claims in the transaction that refers to the
     * bytes. If either fails, the bytes are removed, unless something else needs them.
     */
    async hold<Result>(files: readonly SpooledFile[], write: (uploadId: string) => Promise<Result>): Promise<Result> {
      const uploadId = randomUUID();
      held.add(uploadId);
      try {
        return await storeAll(uploadId, files, write);
      } finally {
        held.delete(uploadId);
      }
    },

    /** Removes unused bytes in the background. Call it after a transaction that released bytes. */
    clean: (): void => void garbage.empty(),

    /** Removes the remains of interrupted uploads and removals of all processes. */
    async sweep(): Promise<void> {
      await spool.sweep();
      for (const uploadId of await repository.abandoned(timeOf(clock.wallTime() - ABANDONED_AFTER))) {
        if (!held.has(uploadId)) {
          await repository.abandon(uploadId);
        }
      }
      await repository.releaseUnused();
      await garbage.empty();
    },

    /** Ends the background work. */
    [Symbol.asyncDispose]: () => garbage[Symbol.asyncDispose](),
  };
}
