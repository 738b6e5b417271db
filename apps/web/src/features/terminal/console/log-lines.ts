/** Names of the console's logs, and the number of lines in each. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';

/** Name of a log: the port of a pane, or `all` for the single timeline. */
export type LogName = PortNumber | 'all';

type Counted = Pick<BenchTick, 'status'>;
type Used = Pick<BenchTick, 'status' | 'devices'>;

/** Returns the number of lines ever received, including those dropped from the full buffer. */
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

/** Returns the ports that were open at least once since the page was loaded, and the numbers of opened logs. */
export function usedPorts({ status, devices }: Used): PortNumber[] {
  return portNumbers.filter((port) => status.ports[port].connectedAt !== null || devices[port]?.kind === 'log');
}

export interface SplitChoice {
  /** True: each port has its own pane. */
  readonly split: boolean;
  readonly used: readonly PortNumber[];
  /** Ports that the find field lets through. */
  readonly shown: readonly PortNumber[];
  /** Port of the only pane, if there is room for one pane. Null: there is room for all. */
  readonly only: PortNumber | null;
}

/** Returns the names of the logs to show: one for each pane, or `all` if there is nothing to split. */
export function logNames({ split, used, shown, only }: SplitChoice): readonly LogName[] {
  const panes = used.filter((port) => shown.includes(port));
  if (!split || used.length < 2 || panes.length === 0) {
    return ['all'];
  }
  return only === null ? panes : [panes.find((port) => port === only) ?? panes[0] ?? 'all'];
}

/** Arranges panes in rows of two, from left to right, or in one column if `wide` is false. */
export function paneRows(panes: readonly PortNumber[], wide: boolean): readonly (readonly PortNumber[])[] {
  const columns = wide ? 2 : 1;
  return Array.from({ length: Math.ceil(panes.length / columns) }, (_, row) =>
    panes.slice(row * columns, (row + 1) * columns),
  );
}
