/** Recognises boards of a bench that another user shares, and adapts the message when such a board is lost. */
import type { PortNumber } from '@wirebench/serial';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import type { FailureFacts } from '../state/flash-state.ts';
import { flashOf, useFlasher } from './flasher-store.ts';

const isShared = (port: PortNumber) =>
  flashOf(port).source?.kind === 'remote' || benchStatus.tick.devices[port]?.kind === 'remote';

export function useIsShared(port: PortNumber): boolean {
  const wasRemote = useFlasher(({ flashes }) => flashes[port].source?.kind === 'remote');
  const isRemote = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  return wasRemote || isRemote;
}

/**
 * Replaces the message of `unplugged` for a shared board: the page cannot see its plug, and the bench or a connection
 * may be lost instead.
 */
export function withoutPlug(port: PortNumber, failure: FailureFacts): FailureFacts {
  return failure.code === 'unplugged' && isShared(port)
    ? { ...failure, message: 'The shared board is not there any more.' }
    : failure;
}
