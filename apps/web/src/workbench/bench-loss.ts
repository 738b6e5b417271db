/** Failures of calls after the thread with the ports has ended, and the calls whose failure the user need not see. */
import type { BenchApi } from '../protocol/bench-protocol.ts';
import type { CallFailure } from '../protocol/calls/call-protocol.ts';

export const benchLoss: CallFailure = {
  name: 'BenchLostError',
  message:
    'All ports were closed: the browser ended the background task that held them. Reload the page, then connect again.',
  code: 'bench-lost',
};

/** Asked by what is on the screen, not by a person. */
const quiet: ReadonlySet<keyof BenchApi> = new Set([
  'rows',
  'closePane',
  'plot',
  'plotPicture',
  'incidents',
  'logDumps',
  'logDumpText',
  'statistics',
  'endWait',
  'pause',
  'closeConversation',
  'find',
  'notice',
  'resize',
  'setFraming',
  'setReconnect',
  'setRules',
  'ruleCounts',
  'markStep',
  'markTicks',
]);

export const isQuiet = (call: keyof BenchApi) => quiet.has(call);
