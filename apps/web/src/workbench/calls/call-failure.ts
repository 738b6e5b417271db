import type { CallFailure } from './call-protocol.ts';

/**
 * What a page is told of anything that a call threw: its class does not survive the way.
 * @param code where the error belongs to a closed list; null else
 */
export function callFailure(error: unknown, code: string | null = null): CallFailure {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : new Error(String(error));
  return { name, message, code };
}
