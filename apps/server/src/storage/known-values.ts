/**
 * Values of columns that a newer version of the product may have written. While servers of two versions run on one
 * database, the older one leaves out what it does not know: an answer never fails on it, and never shows it as something
 * else.
 */

/** Returns true for one of the values that this version knows. */
export function isKnown<Value extends string>(known: readonly Value[], value: string | null): value is Value {
  return (known as readonly (string | null)[]).includes(value);
}
