/**
 * Keeps the ledger and the file store in step: whatever a version names is in the store, whatever nobody needs goes, however a
 * process ends in between. Knows no versions; `bytes.repository.ts` says in which order things have to happen.
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

/** Milliseconds after which an upload that has all its bytes counts as given up. Putting four files takes seconds. */
const ABANDONED_AFTER = 3_600_000;

export type BytesService = ReturnType<typeof bytesService>;

export function bytesService({ repository, store, spool, clock, onGarbageLeft }: BytesServiceOptions) {
  const timeOf = (moment: number) => new Date(moment).toISOString();
  const garbage = new Garbage({ repository, store, onFailure: onGarbageLeft });

  /** When the database is away, the claims are given up by a later sweep. */
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

  /** All at once, and ends when the last of them has: what fails must not be followed by bytes that nobody knows of. */
  async function keepAll(files: readonly SpooledFile[], keys: ReadonlyMap<string, string>): Promise<void> {
    const distinct = new Map(files.map((file) => [file.sha256, file]));
    const outcomes = await Promise.allSettled(
      [...distinct].map(async ([sha256, file]) => {
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

  return {
    /**
     * Puts `files` into the store and runs `write`, which has to settle the upload's claims in the transaction that refers to
     * the bytes. When either fails, the bytes go again, unless something else needs them.
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

    /** To be called after a transaction that released bytes. Nobody has to wait for the store. */
    clean: (): void => void garbage.empty(),

    /** What interrupted uploads and removals of any process have left behind. */
    async sweep(): Promise<void> {
      await spool.sweep();
      for (const uploadId of await repository.abandoned(timeOf(clock.now() - ABANDONED_AFTER))) {
        await repository.abandon(uploadId);
      }
      await garbage.empty();
    },

    /** Ends what goes on in the background. */
    [Symbol.asyncDispose]: () => garbage[Symbol.asyncDispose](),
  };
}
