/** Faults of stored bytes that readers and the scrub have found. */
import type { BlobFault } from '../storage/blobs/inspect-blob.ts';
import type { Metric } from './exposition.ts';

export class StoredBytesMetrics {
  readonly #faults: Record<BlobFault, number> = { missing: 0, damaged: 0 };
  #scrubbedBytes = 0;
  #scrubbedFiles = 0;
  /** Milliseconds since the Unix epoch; null before the first pass. */
  #scrubEnded: number | null = null;

  readonly metrics: readonly Metric[] = [
    {
      name: 'wirebench_stored_file_faults_total',
      help: 'How often bytes of a version were found missing or damaged, by readers and by the scrub.',
      type: 'counter',
      samples: () => Object.entries(this.#faults).map(([fault, value]) => ({ labels: { fault }, value })),
    },
    {
      name: 'wirebench_scrub_bytes_total',
      help: 'Bytes that the scrub has read.',
      type: 'counter',
      samples: () => [{ value: this.#scrubbedBytes }],
    },
    {
      name: 'wirebench_scrub_files_total',
      help: 'Files that the scrub has looked at.',
      type: 'counter',
      samples: () => [{ value: this.#scrubbedFiles }],
    },
    {
      name: 'wirebench_scrub_last_pass_timestamp_seconds',
      help: 'When the scrub had last looked at all files; missing before that.',
      type: 'gauge',
      samples: () => (this.#scrubEnded === null ? [] : [{ value: Math.floor(this.#scrubEnded / 1_000) }]),
    },
  ];

  countFault(fault: BlobFault): void {
    this.#faults[fault]++;
  }

  countScrubbedBytes(bytes: number): void {
    this.#scrubbedBytes += bytes;
  }

  countScrubbedFile(): void {
    this.#scrubbedFiles++;
  }

  /** @param now Milliseconds since the Unix epoch. */
  endScrub(now: number): void {
    this.#scrubEnded = now;
  }
}
