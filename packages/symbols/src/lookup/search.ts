/** Binary search in sorted numbers. */

/** Index of the last of `values[from]` … `values[to − 1]`, ascending, that is at most `wanted`; `from − 1` when none is. */
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
