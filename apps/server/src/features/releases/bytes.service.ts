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
import { Garbage, type GarbageOptions } from './garbage.ts';

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

  return {
    /**
     * Stores `files` and runs `write`, which has to settle the upload's claims in the transaction that refers to the
     * bytes. If either fails, the bytes are removed, unless something else needs them.
     */
    async hold<Result>(files: readonly SpooledFile[], write: (uploadId: string) => Promise<Result>): Promise<Result> {
      const uploadId = randomUUID();
      const keys = await repository.claim(uploadId, files, timeOf(clock.now()));
      try {
        await keepAll(files, keys);
        return await write(uploadId);
      } catch (error) {
        await abandon(uploadId);
        throw error;
      }
    },

    /** Removes unused bytes in the background. Call it after a transaction that released bytes. */
    clean: (): void => void garbage.empty(),

    /** Removes the remains of interrupted uploads and removals of all processes. */
    async sweep(): Promise<void> {
      await spool.sweep();
      for (const uploadId of await repository.abandoned(timeOf(clock.now() - ABANDONED_AFTER))) {
        await repository.abandon(uploadId);
      }
      await garbage.empty();
    },

    /** Ends the background work. */
    [Symbol.asyncDispose]: () => garbage[Symbol.asyncDispose](),
  };
}
