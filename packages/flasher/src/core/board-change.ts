/** A change to the contents of a board's flash besides the files of a plan. Plain values, for the worker. */
import type { FlashRange, FlashRegion } from './region.ts';

/**
 * Change to one partition or area, such as keys of NVS or files of a file system. Everything outside of its sectors
 * stays unchanged.
 */
export interface BoardChange {
  /** Name of the partition or area: `nvs`. A board has at most one change with a name. */
  readonly name: string;
  /** Whole sectors of the partition or area. All writes and erases lie within it. */
  readonly range: FlashRange;
  /**
   * MD5 of the range when the change was made, as 32 lower-case hexadecimal digits. The write is refused if the board
   * holds other contents by then. Null: the change does not depend on the contents.
   */
  readonly basis: string | null;
  /** Whole sectors that are erased and stay empty. They are erased before anything is written. */
  readonly erases: readonly FlashRange[];
  /**
   * Regions of whole sectors in the order in which they must be written. The same sector may come several times,
   * because some formats survive a power cut only in this order. A region is written and verified before the next
   * region that touches it or borders on it. Sectors whose order does not matter belong into one region, which is
   * faster.
   */
  readonly writes: readonly FlashRegion[];
}
