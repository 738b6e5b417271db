/**
 * Slowly and repeatedly reads the bytes of all versions, to find missing or damaged ones before a user needs them. It
 * repairs nothing.
 */
import type { Clock } from '@wirebench/clock';
import type { StoredBytesMetrics } from '../../metrics/stored-bytes-metrics.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import { type BlobFault, inspectBlob } from '../../storage/blobs/inspect-blob.ts';
import type { BytesRepository } from './bytes.repository.ts';

export interface ScrubOptions {
  readonly repository: Pick<BytesRepository, 'kept' | 'isKept'>;
  readonly store: BlobStore;
  readonly clock: Clock;
  /** Bytes per second. */
  readonly rate: number;
  readonly metrics: StoredBytesMetrics;
  readonly onFault: (fault: BlobFault, key: string) => void;
}

/** Rows per query of the ledger. */
const PAGE = 100;

/** Checks everything once. Rejects if the database or the store is unavailable, or with the signal's reason. */
export async function scrub(options: ScrubOptions, signal: AbortSignal): Promise<void> {
  const { repository, store, clock, rate, metrics, onFault } = options;
  let after = '';
  for (;;) {
    const page = await repository.kept(after, PAGE);
    for (const blob of page) {
      signal.throwIfAborted();
      const fault = await inspectBlob(store, blob, async (bytes) => {
        metrics.countScrubbedBytes(bytes);
        await clock.sleep((bytes / rate) * 1_000, signal);
      });
      metrics.countScrubbedFile();
      // Bytes that were removed during the check are no fault.
      if (fault !== null && (await repository.isKept(blob.key))) {
        metrics.countFault(fault);
        onFault(fault, blob.key);
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) {
      break;
    }
    after = last.sha256;
  }
  metrics.endScrub(clock.now());
}
