import type { PortNumber } from '@wirebench/serial';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { cancelPaste, isPasting } from './paste-dock-store.ts';

/** Ends the paste to a port, and the text that is on its way there. Returns false if there was nothing to end. */
export function stopSending(port: PortNumber): boolean {
  if (isPasting(port)) {
    cancelPaste();
    return true;
  }
  if (benchStatus.tick.sending[port] === null) {
    return false;
  }
  void getBench().call('stopSending', port);
  return true;
}
