/**
 * Helpers for data that other versions or other people wrote. Unknown fields are kept, so that they are not lost when
 * saving.
 */

/** Keys of an object that this version does not know, with their values. */
export type UnknownKeys = Readonly<Record<string, unknown>>;

/** Returns a copy of `record` without `keys`. */
export function without(record: UnknownKeys, ...keys: readonly string[]): UnknownKeys {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

/** Returns a random id that is unique across tabs. Unlike `randomUUID`, it needs no secure context. */
export function newId(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('');
}
