/** Products of 32-bit numbers. Their upper half exceeds the precision of a JavaScript number. */

/** Returns the upper 32 bits of the product of two unsigned numbers. */
export function upperProduct(one: number, other: number): number {
  const [low1, high1, low2, high2] = [one & 0xffff, one >>> 16, other & 0xffff, other >>> 16];
  const middle = high1 * low2 + ((low1 * low2) >>> 16);
  const rest = low1 * high2 + (middle & 0xffff);
  return (high1 * high2 + (middle >>> 16) + (rest >>> 16)) | 0;
}

/** Returns the upper 32 bits of the product of two signed numbers. */
export function upperSignedProduct(one: number, other: number): number {
  return (upperProduct(one, other) - (one < 0 ? other : 0) - (other < 0 ? one : 0)) | 0;
}
