/** A file of a plan, and the flash that files and partitions take. */
import type { FlashRange } from '../../core/region.ts';
import type { FileContents } from '../../images/contents/contents.ts';
import type { ImagePart } from '../images/image-part.ts';
import type { Partition } from '../images/partition-table.ts';

/** A file at its offset, and what it is. Its bytes were looked at already. */
export interface PlacedPart {
  readonly name: string;
  /** Address in flash, in bytes. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  readonly part: ImagePart;
  /** What it is instead of firmware, as `contentsOf` says; null for firmware and data. */
  readonly contents: FileContents | null;
}

export const rangeOf = ({ offset, size }: Pick<PlacedPart, 'offset' | 'size'>): FlashRange => ({
  offset,
  length: size,
});

export function rangeOfPartition({ offset, size }: Partition): FlashRange {
  return { offset, length: size };
}
