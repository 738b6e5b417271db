/** Which ports are open, as the terminal's parts ask for it. */
import { type PortNumber, type PortState, portNumbers } from '@wirebench/serial';
import type { BenchView } from '../../workbench/bench-status.ts';

/**
 * `watching`: a port of a shared bench is open, and this guest may not type on it. `guest-away`, `host-away`: it is open, and the connection
 * to it is lost, here or where it is.
 */
export type SendState = PortState | 'watching' | 'guest-away' | 'host-away';

export type PortStates = Readonly<Record<PortNumber, SendState>>;

type PortsView = Pick<BenchView, 'status' | 'devices'>;

export function portStates(view: PortsView): PortStates {
  return { 1: sendState(view, 1), 2: sendState(view, 2), 3: sendState(view, 3), 4: sendState(view, 4) };
}

function sendState({ status, devices }: PortsView, port: PortNumber): SendState {
  const { state } = status.ports[port];
  const { away = null, right = null } = devices[port] ?? {};
  if (state !== 'connected') {
    return state;
  }
  return away !== null ? `${away}-away` : right === 'watch' ? 'watching' : 'connected';
}

export function anyPortOpen({ status }: Pick<BenchView, 'status'>): boolean {
  return portNumbers.some((port) => status.ports[port].state !== 'disconnected');
}

/** Why nothing can be sent to a port of a shared bench although it is open; null where that is not so. */
export function blockedText(port: PortNumber, state: SendState): string | null {
  switch (state) {
    case 'watching':
      return `You may watch. Ask to type to send on port ${port}.`;
    case 'guest-away':
      return 'Your connection is lost. You can send again when it is back.';
    case 'host-away':
      return 'The connection of the host is lost. You can send again when it is back.';
    default:
      return null;
  }
}
