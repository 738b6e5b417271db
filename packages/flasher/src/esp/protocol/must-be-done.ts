/** Turns an unsuccessful reply into a failure. */
import { EspError, type EspFailure } from '../esp-failure.ts';
import { reasonText } from './answers.ts';
import type { Reply } from './command-link.ts';

/** @throws EspError with `code` if the board refused, or `stopped-answering` if it was silent. */
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
