/** Sentences about the end of a run. */

import { count } from '@wirebench/port/numbers';
import { longestFilled } from './captures.ts';
import type { PinnedMessage } from './pinned-message.ts';
import { quoted } from './quoted.ts';
import { answerOf } from './run-notes.ts';
import { maxJumps, type RunEnd } from './run-steps.ts';

/** End of a run at one of its commands. */
export type EndAtStep = Exclude<RunEnd, { kind: 'cancelled' | 'done' }>;

/** Returns the text about the end of a run of one command, for screen readers. */
export function messageEndText(end: RunEnd, message: PinnedMessage | undefined, port: number): string {
  switch (end.kind) {
    case 'cancelled':
      return 'Stopped waiting for the answer';
    case 'done':
      return end.files === 0 ? 'Answer received' : 'File sent';
    default:
      return endSentence(end, message, port);
  }
}

/**
 * Returns a sentence such as `no answer to "AT" within 1000 ms`, without full stop.
 *
 * @param port Number of the port or board of the command.
 */
export function endSentence(end: EndAtStep, message: PinnedMessage | undefined, port: number): string {
  return happened(end, message, message === undefined ? 'the command' : quoted(message), port);
}

/** Returns the same behind the name of the command, such as `no answer within 1000 ms`. */
export function endCause(end: EndAtStep, message: PinnedMessage | undefined, port: number): string {
  return happened(end, message, null, port);
}

/** @param name The command inside the sentence; null: it stands before the sentence. */
function happened(end: EndAtStep, message: PinnedMessage | undefined, name: string | null, port: number): string {
  const named = (words: string) => (name === null ? '' : `${name} ${words} `);
  switch (end.kind) {
    case 'no-answer':
      return `no answer${name === null ? '' : ` to ${name}`} within ${message?.timeoutMs} ms`;
    case 'closed':
      return `Port ${port} was closed before ${name ?? 'it'} was answered`;
    case 'file-failed':
      return `the file after ${name ?? 'it'} was not sent whole`;
    case 'spent':
      return `${named('was')}tried ${end.attempts} times, and no answer went on`;
    case 'too-many-jumps':
      return `the run went from command to command ${count(maxJumps)} times. Let it end earlier`;
    case 'too-long':
      return `${named('is')}longer than ${count(longestFilled)} bytes with its captured text`;
    case 'not-captured':
      return `{${end.reference}}${name === null ? '' : ` in ${name}`} has no value: no answer before it captured one`;
    case 'stopped':
      return stoppedText(end, message, name);
  }
}

function stoppedText(
  { passed, say, answer }: Extract<RunEnd, { kind: 'stopped' }>,
  message: PinnedMessage | undefined,
  name: string | null,
): string {
  const cause =
    answer === null || message === undefined
      ? `no answer${name === null ? '' : ` to ${name}`} within ${message?.timeoutMs} ms`
      : `${name === null ? '' : `${name} was `}answered with ${answerOf(message, answer)}`;
  return `${passed ? 'passed' : 'failed'}: ${say === '' ? cause : say.replace(/\.$/, '')}`;
}
