/**
 * Handles damaged debug information. Damage causes a read past an end or an impossible number; both throw a
 * `RangeError`.
 */

/**
 * Returns the result of `read`, or `otherwise` if the data is damaged. Errors other than `RangeError` are bugs of
 * this program and are rethrown.
 */
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
