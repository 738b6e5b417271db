/** From what a port, a clock or a signal threw to the one kind of error that this package's clients see. */
import { type BoardState, commonFailureOf } from '../flash-failure.ts';
import { reasonText } from './answers.ts';
import type { Reply } from './command-link.ts';
import { EspError, type EspFailure } from './esp-failure.ts';

/** @param signal the caller's own: its abort is what `cancelled` means. */
export function asEspError(error: unknown, signal?: AbortSignal, state?: BoardState): EspError {
  if (error instanceof EspError) {
    return state === undefined || state === error.state
      ? error
      : new EspError(error.code, { ...(error.detail !== null && { detail: error.detail }), state, cause: error });
  }
  const code = commonFailureOf(error, signal);
  if (code !== null) {
    return new EspError(code, { ...(state !== undefined && { state }), cause: error });
  }
  throw error;
}

/** @throws EspError with `code` when the board refused, and `stopped-answering` when it was silent. */
export function mustBeDone(
  reply: Reply,
  code: EspFailure,
  what: string,
): asserts reply is Extract<Reply, { kind: 'done' }> {
  if (reply.kind === 'late') {
    throw new EspError('stopped-answering', { detail: `No answer to: ${what}.` });
  }
  if (reply.kind === 'refused') {
    throw new EspError(code, { detail: `Refused: ${what}; ${reasonText(reply.reason)}.` });
  }
}
