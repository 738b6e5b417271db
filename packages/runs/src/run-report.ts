/** Sentences about the end of a run. */

import { count, counted } from '@wirebench/port/numbers';
import type { PortNumber } from '@wirebench/serial';
import { longestFilled } from './captures.ts';
import type { PinnedMessage } from './pinned-message.ts';
import { quoted } from './quoted.ts';
import type { RuleVerdict } from './rule-checks.ts';
import { answerOf } from './run-notes.ts';
import { maxJumps, type RunEnd } from './run-steps.ts';

/** A run of one message, or of all messages of a panel or JKit. */
export interface EndedRun {
  readonly kind: 'message' | 'all';
  readonly panelName: string;
  readonly port: PortNumber;
  readonly messages: readonly PinnedMessage[];
}

export interface RunReport {
  /** Level of the notice on the timeline. Null: the text is only announced to screen readers. */
  readonly notice: 'info' | 'warning' | null;
  readonly text: string;
}

/** Checks of a run of all messages, at its end. */
export interface DecidedChecks {
  readonly verdicts: readonly RuleVerdict[];
  /** Longest time of the messages in seconds, if it ended the run; else null. */
  readonly missedLimit: number | null;
}

/**
 * Text about the end of a run, for the timeline or for screen readers only.
 *
 * @param checks Null: the run has none, or a person has stopped it.
 */
export function runReport(end: RunEnd, run: EndedRun, checks: DecidedChecks | null = null): RunReport {
  if (checks === null || (checks.verdicts.length === 0 && checks.missedLimit === null)) {
    return plainReport(end, run);
  }
  const { verdicts, missedLimit } = checks;
  const faults = [
    ...(missedLimit === null ? [] : [`not done within ${missedLimit} s`]),
    ...verdicts.flatMap(({ fault }) => fault ?? []),
  ];
  const { panelName } = run;
  const kept = `${counted(verdicts.length, 'rule')} kept`;
  if (end.kind === 'cancelled') {
    return { notice: 'warning', text: `${panelName}: failed: ${faults.join('; ')}.` };
  }
  const { notice, text } = plainReport(end, run);
  if (end.kind === 'done') {
    const sent = text.slice(panelName.length + 2);
    return faults.length === 0
      ? { notice, text: `${panelName}: passed: ${sent}, ${kept}` }
      : { notice: 'warning', text: `${panelName}: failed: ${faults.join('; ')}. ${sent}.` };
  }
  return faults.length === 0
    ? { notice, text: `${text} ${kept}.` }
    : { notice: 'warning', text: `${panelName}: failed: ${faults.join('; ')}. ${text.slice(panelName.length + 2)}` };
}

function plainReport(end: RunEnd, run: EndedRun): RunReport {
  const all = run.kind === 'all';
  if (end.kind === 'cancelled') {
    return { notice: null, text: all ? 'Run stopped' : 'Stopped waiting for the answer' };
  }
  if (end.kind === 'done') {
    const answers = end.answered === 0 ? '' : `, ${counted(end.answered, 'answer')} received`;
    const files = end.files === 0 ? '' : `, ${counted(end.files, 'file')} sent`;
    return all
      ? { notice: 'info', text: `${run.panelName}: ${counted(end.sent, 'message')} sent${answers}${files}` }
      : { notice: null, text: end.files === 0 ? 'Answer received' : 'File sent' };
  }
  const message = run.messages[end.step];
  const what = message === undefined ? 'the message' : quoted(message);
  const where = all ? ` The run stopped at message ${end.step + 1} of ${run.messages.length}.` : '';
  const isPassed = end.kind === 'stopped' && end.passed;
  return {
    notice: isPassed ? 'info' : 'warning',
    text: `${run.panelName}: ${happened(end, message, what, run)}${where}`,
  };
}

/** Returns the sentence about the message at which the run stopped. */
function happened(
  end: Exclude<RunEnd, { kind: 'cancelled' | 'done' }>,
  message: PinnedMessage | undefined,
  what: string,
  { port }: EndedRun,
): string {
  switch (end.kind) {
    case 'no-answer':
      return `no answer to ${what} within ${message?.timeoutMs} ms.`;
    case 'closed':
      return `Port ${port} was closed before ${what} was answered.`;
    case 'file-failed':
      return `the file after ${what} was not sent whole.`;
    case 'spent':
      return `${what} was tried ${end.attempts} times, and no answer went on.`;
    case 'too-many-jumps':
      return `the run went from message to message ${count(maxJumps)} times. Let it end earlier.`;
    case 'too-long':
      return `${what} is longer than ${count(longestFilled)} bytes with its captured text.`;
    case 'not-captured':
      return `{${end.reference}} in ${what} has no value: no answer before it captured one.`;
    case 'stopped':
      return stoppedText(end, message, what);
  }
}

function stoppedText(
  { passed, say, answer }: Extract<RunEnd, { kind: 'stopped' }>,
  message: PinnedMessage | undefined,
  what: string,
): string {
  const cause =
    answer === null || message === undefined
      ? `no answer to ${what} within ${message?.timeoutMs} ms`
      : `${what} was answered with ${answerOf(message, answer)}`;
  return `${passed ? 'passed' : 'failed'}: ${say === '' ? cause : say.replace(/\.$/, '')}.`;
}
