/** Reading what somebody else wrote: every value is checked by itself, and what is not understood is kept, not lost. */

/** Keys of an object that this version has no meaning for, with their values. */
export type UnknownKeys = Readonly<Record<string, unknown>>;

/** All keys but those named. */
export function without(record: UnknownKeys, ...keys: readonly string[]): UnknownKeys {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

/** Never used twice, in any tab. Needs no secure context, as `randomUUID` would. */
export function newId(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('');
}
