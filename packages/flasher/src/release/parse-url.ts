/** Stands in for `URL.parse`, which Node 20 lacks. Returns null for text that is no address. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch (error) {
    if (error instanceof TypeError) {
      return null;
    }
    throw error;
  }
}
