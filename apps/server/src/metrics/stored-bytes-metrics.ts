/** Faults of stored bytes that readers have found. */
import type { BlobFault } from '../storage/blobs/inspect-blob.ts';
import type { Metric } from './exposition.ts';

export class StoredBytesMetrics {
  readonly #faults: Record<BlobFault, number> = { missing: 0, damaged: 0 };

  readonly metrics: readonly Metric[] = [
    {
      name: 'wirebench_stored_file_faults_total',
      help: 'How often readers found bytes of a version missing or damaged.',
      type: 'counter',
      samples: () => Object.entries(this.#faults).map(([fault, value]) => ({ labels: { fault }, value })),
    },
  ];

  countFault(fault: BlobFault): void {
    this.#faults[fault]++;
  }
}
