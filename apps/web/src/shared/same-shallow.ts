/** Returns true for identical values, and for objects with identical fields. */
export function sameShallow(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  const before = Object.entries(a);
  const after = new Map(Object.entries(b));
  return (
    before.length === after.size && before.every(([key, value]) => after.has(key) && Object.is(after.get(key), value))
  );
}
