/** A file of a plan, and the flash ranges of files and partitions. */
import type { FlashRange } from '../../core/region.ts';
import type { FileContents } from '../../images/contents/contents.ts';
import type { ImagePart } from '../images/image-part.ts';
import type { InnerPart } from '../images/inner-parts.ts';
import type { Partition } from '../images/partition-table.ts';

/** A file at its offset with its recognised kind. Its bytes are no longer needed. */
export interface PlacedPart {
  readonly name: string;
  /** Flash offset in bytes. */
  readonly offset: number;
  /** Size in bytes. */
  readonly size: number;
  readonly part: ImagePart;
  /** Parts that the file puts into flash, sector by sector; empty if its bytes were not read. */
  readonly inner: readonly InnerPart[];
  /** Contents that are not firmware, from `contentsOf`; null for firmware and data. */
  readonly contents: FileContents | null;
}

export const rangeOf = ({ offset, size }: Pick<PlacedPart, 'offset' | 'size'>): FlashRange => ({
  offset,
  length: size,
});

export function rangeOfPartition({ offset, size }: Partition): FlashRange {
  return { offset, length: size };
}
