/** How the hex layout divides bytes into rows. */

/** Bytes of a row. */
export const hexRowBytes = 16;

/** Rows that `length` bytes take: at least one. */
export function hexRowsOf(length: number): number {
  return Math.max(1, Math.ceil(length / hexRowBytes));
}
