/** Returns the name of an error, by which browsers tell failures apart; empty for any other value. */
export function errorName(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}
