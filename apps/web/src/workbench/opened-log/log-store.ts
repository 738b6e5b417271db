/** State of the opened logs on their page, as the log worker reports it. */
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { createStore } from 'zustand/vanilla';
import type { LogTick } from '../../protocol/log-protocol.ts';

const noLogs: LogTick = { logs: [], isMerged: false, work: null };

const logStore = createStore<LogTick>(() => noLogs);

export function takeLogTick(tick: LogTick): void {
  const { logs } = logStore.getState();
  // Unchanged logs keep their objects, so that components do not render again.
  const isSame = JSON.stringify(logs) === JSON.stringify(tick.logs);
  logStore.setState(isSame ? { ...tick, logs } : tick);
}

export const openedLogs = (): LogTick => logStore.getState();

/** A part of the state, compared by its fields. */
export function useLogs<Part>(select: (tick: LogTick) => Part): Part {
  return useStore(logStore, useShallow(select));
}
