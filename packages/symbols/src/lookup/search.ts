/** Binary search in sorted numbers. */

/**
 * Returns the index of the last number that is at most `wanted`; `from − 1` if all are higher. Searches
 * `values[from]` … `values[to − 1]`, which must be ascending.
 */
export function lastAtMost(values: ArrayLike<number>, wanted: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Number.POSITIVE_INFINITY) <= wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
