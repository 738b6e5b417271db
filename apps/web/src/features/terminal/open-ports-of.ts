/** Which ports are open, as the terminal's parts ask for it. */
import { type PortNumber, type PortState, portNumbers } from '@wirebench/serial';
import type { BenchView } from '../../workbench/bench-status.ts';

export type PortStates = Readonly<Record<PortNumber, PortState>>;

export function portStates({ status }: Pick<BenchView, 'status'>): PortStates {
  return {
    1: status.ports[1].state,
    2: status.ports[2].state,
    3: status.ports[3].state,
    4: status.ports[4].state,
  };
}

export function anyPortOpen({ status }: Pick<BenchView, 'status'>): boolean {
  return portNumbers.some((port) => status.ports[port].state !== 'disconnected');
}
