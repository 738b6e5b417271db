/** Reading what somebody else wrote: every value is checked by itself, and what is not understood is kept, not lost. */

/** Keys of an object that this version has no meaning for, with their values. */
export type UnknownKeys = Readonly<Record<string, unknown>>;

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(value: unknown): UnknownKeys {
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is UnknownKeys {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

/** All keys but those named. */
export function without(record: UnknownKeys, ...keys: readonly string[]): UnknownKeys {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

/** Never used twice, in any tab. Needs no secure context, as `randomUUID` would. */
export function newId(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('');
}
