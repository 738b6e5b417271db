/** The logs of the console by name, and how many lines each of them has. Counts; knows no element. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BenchTick } from '../../../workbench/bench-protocol.ts';

/** The port of a pane; `all` where there is one timeline. */
export type LogName = PortNumber | 'all';

type Counted = Pick<BenchTick, 'status'>;

/** Lines that have come in all, those that left the full buffer included. */
export function arrivedLines({ status }: Counted, name: LogName): number {
  if (name === 'all') {
    return status.lines + status.droppedLines;
  }
  const { heldLines: held, droppedLines } = status.ports[name];
  return held + droppedLines;
}

export function heldLines({ status }: Counted, name: LogName): number {
  return name === 'all' ? status.lines : status.ports[name].heldLines;
}

/** Ports that have been open since the page was loaded. */
export function usedPorts({ status }: Counted): PortNumber[] {
  return portNumbers.filter((port) => status.ports[port].connectedAt !== null);
}

export interface SplitChoice {
  /** Each port in a pane of its own. */
  readonly split: boolean;
  readonly used: readonly PortNumber[];
  /** Those that the find field lets through. */
  readonly shown: readonly PortNumber[];
  /** There is room for one pane only: that of this port, as far as it has one. Null where there is room for all. */
  readonly only: PortNumber | null;
}

/** Which logs there are: one for all ports while there is nothing to split. */
export function logNames({ split, used, shown, only }: SplitChoice): readonly LogName[] {
  const panes = used.filter((port) => shown.includes(port));
  if (!split || used.length < 2 || panes.length === 0) {
    return ['all'];
  }
  return only === null ? panes : [panes.find((port) => port === only) ?? panes[0] ?? 'all'];
}

/** Panes in rows of two, from left to right; in one column where there is no room for two. */
export function paneRows(panes: readonly PortNumber[], wide: boolean): readonly (readonly PortNumber[])[] {
  const columns = wide ? 2 : 1;
  return Array.from({ length: Math.ceil(panes.length / columns) }, (_, row) =>
    panes.slice(row * columns, (row + 1) * columns),
  );
}
