/** Returns a short reason of an error, for use in brackets: a system error code, or the first line of its message. */
import { DatabaseUnavailableError } from './database/database-failure.ts';

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error instanceof DatabaseUnavailableError) {
    return reasonOf(error.cause);
  }
  return 'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('E') &&
    !error.code.startsWith('ERR_')
    ? error.code
    : (error.message.split('\n', 1)[0] ?? error.name);
}
