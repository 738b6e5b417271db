/** Which ports are open, as the terminal's parts ask for it. */
import { type PortNumber, type PortState, portNumbers } from '@wirebench/serial';
import type { BenchView } from '../../workbench/bench-status.ts';

/** `watching`: a port of a shared bench is open, and this guest may not type on it. */
export type SendState = PortState | 'watching';

export type PortStates = Readonly<Record<PortNumber, SendState>>;

type PortsView = Pick<BenchView, 'status' | 'devices'>;

export function portStates(view: PortsView): PortStates {
  return { 1: sendState(view, 1), 2: sendState(view, 2), 3: sendState(view, 3), 4: sendState(view, 4) };
}

function sendState({ status, devices }: PortsView, port: PortNumber): SendState {
  const { state } = status.ports[port];
  return state === 'connected' && devices[port]?.right === 'watch' ? 'watching' : state;
}

export function anyPortOpen({ status }: Pick<BenchView, 'status'>): boolean {
  return portNumbers.some((port) => status.ports[port].state !== 'disconnected');
}

/** Why nothing is sent to a port that is watched. */
export const watchingText = (port: PortNumber) => `You may watch. Ask to type to send on port ${port}.`;
