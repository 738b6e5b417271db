/** Damaged debug information shows as a read past an end, or as a number that cannot be: both are a `RangeError`. */

/** Runs `read`; `otherwise` when the data is damaged. Any other error is one of this program and goes on. */
export function unlessDamaged<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) {
      return otherwise;
    }
    throw error;
  }
}
