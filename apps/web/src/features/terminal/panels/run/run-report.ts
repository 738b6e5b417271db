/** Text about the end of a run, for the timeline or for screen readers only. */
import type { PortNumber } from '@wirebench/serial';
import { counted } from '../../../../shared/format/numbers.ts';
import type { PinnedMessage } from '../model/pinned-message.ts';
import { quoted } from '../model/quoted.ts';
import type { RunEnd } from './run-steps.ts';

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

export function runReport(end: RunEnd, run: EndedRun): RunReport {
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
  const happened = {
    'no-answer': `no answer to ${what} within ${message?.timeoutMs} ms.`,
    closed: `Port ${run.port} was closed before ${what} was answered.`,
    'file-failed': `the file after ${what} was not sent whole.`,
  }[end.kind];
  const where = all ? ` The run stopped at message ${end.step + 1} of ${run.messages.length}.` : '';
  return { notice: 'warning', text: `${run.panelName}: ${happened}${where}` };
}
