/** States of the ports as the terminal sees them, including those of a shared bench. */
import { type PortNumber, type PortState, portNumbers } from '@wirebench/serial';
import type { BenchView } from '../../workbench/bench-status.ts';

/**
 * State of a port for sending. `watching`: the port of a shared bench is open, but this guest may not type.
 * `guest-away`, `host-away`: it is open, but the guest's or the host's connection to the relay is lost.
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

/** Returns true if a board is on the port: opened here, lent to a guest, or shared by the host of this bench; or if it is an opened log. */
export function isInUse(
  { status, users, devices }: Pick<BenchView, 'status' | 'users' | 'devices'>,
  port: PortNumber,
): boolean {
  const remote = devices[port];
  return (
    status.ports[port].state !== 'disconnected' ||
    users[port] !== null ||
    remote?.kind === 'log' ||
    (remote?.kind === 'remote' && remote.right !== null)
  );
}

/** Returns the number of ports that are open here or lent to a guest. */
export function openCount({ status, users }: Pick<BenchView, 'status' | 'users'>): number {
  return portNumbers.filter(
    (port) => ['connected', 'disconnecting'].includes(status.ports[port].state) || users[port] !== null,
  ).length;
}

export function anyPortOpen({ status }: Pick<BenchView, 'status'>): boolean {
  return portNumbers.some((port) => status.ports[port].state !== 'disconnected');
}

/** Returns the reason why an open port of a shared bench cannot be sent to, or null for other states. */
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
