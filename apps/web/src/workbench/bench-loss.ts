/** Failure of calls after the thread with the ports has ended. */
import type { CallFailure } from '../protocol/calls/call-protocol.ts';

export const benchLoss: CallFailure = {
  name: 'BenchLostError',
  message:
    'All ports were closed: the browser ended the background task that held them. Reload the page, then connect again.',
  code: 'bench-lost',
};
