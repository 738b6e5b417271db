/** Reading JSON that somebody else wrote: nothing is what it should be until it was looked at. */

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

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
