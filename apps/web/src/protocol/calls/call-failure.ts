import type { CallFailure } from './call-protocol.ts';

/**
 * Converts any thrown value for the page: an error's class is lost between threads.
 *
 * @param code Code if the error belongs to a closed list; else null.
 */
export function callFailure(error: unknown, code: string | null = null): CallFailure {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : new Error(String(error));
  return { name, message, code };
}
