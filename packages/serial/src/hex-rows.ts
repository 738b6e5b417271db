/** Division of bytes into rows of the hex layout. */

/** Bytes of one row. */
export const hexRowBytes = 16;

/** Returns the number of rows for `length` bytes: at least one. */
export function hexRowsOf(length: number): number {
  return Math.max(1, Math.ceil(length / hexRowBytes));
}
