/** State of the opened logs on their page, as the log worker reports it. */
import type { PortNumber } from '@wirebench/serial';
import { useShallow } from 'zustand/react/shallow';
import type { LogTick, OpenedLog } from '../../protocol/log-protocol.ts';
import { pageStore } from '../../shared/page-store.ts';

const noLogs: LogTick = { logs: [], isMerged: false, work: null };

const logStore = pageStore<LogTick>(noLogs);

export function takeLogTick(tick: LogTick): void {
  const { logs } = logStore.getState();
  // Unchanged logs keep their objects, so that components do not render again.
  const isSame = JSON.stringify(logs) === JSON.stringify(tick.logs);
  logStore.setState(isSame ? { ...tick, logs } : tick);
}

/** Bytes before the first line that it does not contain: a byte order mark. */
export const longestMark = 3;

/** True: all lines of the file are held. */
export const isWhole = ({ from, to, size }: OpenedLog): boolean => from <= longestMark && to >= size;

/** True: some lines of the port's opened log are not held. Null: of any port. */
export const useHasPart = (port: PortNumber | null): boolean =>
  useLogs(({ logs }) => logs.some((log) => (port ?? log.log) === log.log && !isWhole(log)));

export const openedLogs = (): LogTick => logStore.getState();

/** A part of the state, compared by its fields. */
export function useLogs<Part>(select: (tick: LogTick) => Part): Part {
  return logStore.use(useShallow(select));
}
