/**
 * Why the last connect of each port came to nothing, for who shows a remedy. Holds only failures that a person can do
 * something about; the timeline has the words for all of them.
 */
import type { PortSettings } from '@wirebench/port';
import type { PortNumber, SessionFailure } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PortSource } from '../bench-protocol.ts';

const remediable = [
  'busy',
  'permission-denied',
  'device-gone',
  'bad-settings',
  'no-memory',
  'open-here',
] as const satisfies readonly SessionFailure[];

/** `nothing-picked`: the browser's dialog was closed without a choice. */
export type ConnectFailureCode = (typeof remediable)[number] | 'nothing-picked';

export interface ConnectFailure {
  readonly code: ConnectFailureCode;
  /** What was to be opened; null when it did not come to that. */
  readonly source: PortSource | null;
  readonly settings: PortSettings;
}

type ConnectFailures = Readonly<Record<PortNumber, ConnectFailure | null>>;

const connectFailures = createStore<ConnectFailures>(() => ({ 1: null, 2: null, 3: null, 4: null }));

/** Null for what has no remedy of its own. */
export function connectFailureCode(code: string | null): ConnectFailureCode | null {
  return remediable.find((known) => known === code) ?? null;
}

/** @param failure null when it is over: dismissed, or tried again. */
export function setConnectFailure(port: PortNumber, failure: ConnectFailure | null): void {
  connectFailures.setState({ [port]: failure });
}

export function useConnectFailure(port: PortNumber): ConnectFailure | null {
  return useStore(connectFailures, (failures) => failures[port]);
}
