/** The name of what was thrown, which is how a browser says what happened; empty when it is no error. */
export function errorName(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}
