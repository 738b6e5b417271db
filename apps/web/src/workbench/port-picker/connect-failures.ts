/**
 * The last connect failure of each port, for the components that show remedies. Contains only failures that the user
 * can fix. The timeline reports all failures.
 */
import type { PortSettings } from '@wirebench/port';
import { type PortNumber, portNumbers, type SessionFailure } from '@wirebench/serial';
import type { PortSource } from '../../protocol/bench/port-part.ts';
import { pageStore } from '../../shared/page-store.ts';

const remediable = [
  'busy',
  'permission-denied',
  'device-gone',
  'bad-settings',
  'no-memory',
  'open-here',
] as const satisfies readonly SessionFailure[];

/** Codes of failures with a remedy. `nothing-picked`: the browser's dialog was closed without a choice. */
export type ConnectFailureCode = (typeof remediable)[number] | 'nothing-picked';

export interface ConnectFailure {
  readonly code: ConnectFailureCode;
  /** The port or demo device that could not be opened. Null: none was chosen. */
  readonly source: PortSource | null;
  readonly settings: PortSettings;
}

type ConnectFailures = Readonly<Record<PortNumber, ConnectFailure | null>>;

const connectFailures = pageStore<ConnectFailures>({ 1: null, 2: null, 3: null, 4: null });

/** Returns the code if it has a remedy, else null. */
export function connectFailureCode(code: string | null): ConnectFailureCode | null {
  return remediable.find((known) => known === code) ?? null;
}

/**
 * A closed dialog replaces the advice for another port, because the advice is the same.
 *
 * @param failure Null clears the failure, after it was dismissed or before a retry.
 */
export function setConnectFailure(port: PortNumber, failure: ConnectFailure | null): void {
  if (failure?.code === 'nothing-picked') {
    clearNothingPicked();
  }
  connectFailures.setState({ [port]: failure });
}

/** Call this when a board was chosen or connected: the list had one. */
export function clearNothingPicked(): void {
  for (const port of portNumbers) {
    if (connectFailures.getState()[port]?.code === 'nothing-picked') {
      connectFailures.setState({ [port]: null });
    }
  }
}

export function useConnectFailure(port: PortNumber): ConnectFailure | null {
  return connectFailures.use((failures) => failures[port]);
}
