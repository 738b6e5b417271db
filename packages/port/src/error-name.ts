/** Returns the name of an error, the only part by which browsers distinguish failures; empty for any other value. */
export function errorName(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}
