/** What the inspector says about a file. Plain values: they cross a worker's border as they are. */
import type { FailureText } from '../../flash-failure.ts';
import type { EspSegment } from '../esp/esp-image.ts';
import type { MergedPart } from '../esp/merged-image.ts';
import type { Partition } from '../esp/partition-table.ts';
import type { FormatKind } from '../formats/formats.ts';
import type { ReportFact, ReportPart } from '../formats/image-format.ts';
import type { ImageFault } from '../image-error.ts';

export type { ReportFact, ReportPart };

export type ReportKind =
  | 'esp-app'
  | 'esp-bootloader'
  | 'esp-merged'
  | 'partition-table'
  | 'ota-data'
  | 'nvs'
  | 'file-system'
  | FormatKind
  | 'cortex-m'
  | 'text'
  | 'empty'
  | 'unknown';

export interface ReportFault extends FailureText {
  readonly code: ImageFault;
}

export interface ImageReport {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Of the whole file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly kind: ReportKind;
  /** One line: `App blink 1.2.3 for ESP32-S3, ESP-IDF v5.1.2`. */
  readonly title: string;
  readonly facts: readonly ReportFact[];
  /** Sentences that a person should know before flashing it. */
  readonly notes: readonly string[];
  readonly faults: readonly ReportFault[];
  /** Of an image: what the chip loads. */
  readonly segments: readonly EspSegment[];
  /** Of a partition table, or the one in a merged image. */
  readonly partitions: readonly Partition[];
  /** Of a merged image, an archive, or a file with addresses. */
  readonly parts: readonly ReportPart[];
}

/** What the describers fill in; the rest is the same for all files. */
export type Described = Pick<ImageReport, 'kind' | 'title'> & Partial<Omit<ImageReport, 'name' | 'size' | 'sha256'>>;

export function partsOfMerged(parts: readonly MergedPart[]): ReportPart[] {
  return parts.map(({ name, offset, size }) => ({ name, address: offset, size }));
}
