/**
 * Distinguishes the ports of the bench that the flasher has opened from those of the terminal, and keeps what is needed
 * to release an acquired port to the terminal.
 */
import type { PortSettings, SignalChange } from '@wirebench/port';
import type { ByPort, PortNumber } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';

/** A port that the terminal had open when the flasher took it. */
export interface AcquiredPort {
  /** Settings and control lines with which the terminal gets it back. */
  readonly settings: PortSettings;
  readonly signals: Required<Pick<SignalChange, 'dtr' | 'rts'>>;
}

const acquiredPorts = pageStore<ByPort<AcquiredPort | null>>({ 1: null, 2: null, 3: null, 4: null });

/** Ports whose monitor the flasher has opened and not closed since. */
export const monitored = new Set<PortNumber>();

export const acquiredPort = (port: PortNumber): AcquiredPort | null => acquiredPorts.getState()[port];

export function setAcquiredPort(port: PortNumber, acquired: AcquiredPort | null): void {
  acquiredPorts.setState({ [port]: acquired });
}

export function useAcquiredPort(port: PortNumber): AcquiredPort | null {
  return acquiredPorts.use((all) => all[port]);
}

export function watchAcquiredPorts(listener: () => void): () => void {
  return acquiredPorts.subscribe(listener);
}

/** Returns true if the terminal has the port open, or waits for its board. */
export function isTerminals(port: PortNumber): boolean {
  const { state } = benchStatus.tick.status.ports[port];
  return state !== 'disconnected' && !monitored.has(port) && acquiredPort(port) === null;
}

/** Notes the terminal’s open port as acquired. Does nothing for any other port. */
export function acquireOpenPort(port: PortNumber): void {
  const { state, settings, signals } = benchStatus.tick.status.ports[port];
  if (isTerminals(port) && state === 'connected' && settings !== null) {
    setAcquiredPort(port, { settings, signals });
  }
}
