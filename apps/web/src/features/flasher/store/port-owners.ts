/**
 * Distinguishes the ports of the bench that the flasher has opened from those of the terminal, and keeps what is needed
 * to give a port back that the terminal has lent.
 */
import type { PortSettings, SignalChange } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ByPort } from '../../../protocol/bench-protocol.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';

/** A port that the terminal had open when the flasher took it. */
export interface Loan {
  /** Settings and control lines with which the terminal gets it back. */
  readonly settings: PortSettings;
  readonly signals: Required<Pick<SignalChange, 'dtr' | 'rts'>>;
}

const loans = createStore<ByPort<Loan | null>>(() => ({ 1: null, 2: null, 3: null, 4: null }));

/** Ports whose monitor the flasher has opened and not closed since. */
export const monitored = new Set<PortNumber>();

export const loanOf = (port: PortNumber): Loan | null => loans.getState()[port];

export function setLoan(port: PortNumber, loan: Loan | null): void {
  loans.setState({ [port]: loan });
}

export function useLoan(port: PortNumber): Loan | null {
  return useStore(loans, (all) => all[port]);
}

export function watchLoans(listener: () => void): () => void {
  return loans.subscribe(listener);
}

/** Returns true if the terminal has the port open, or waits for its board. */
export function isTerminals(port: PortNumber): boolean {
  const { state } = benchStatus.tick.status.ports[port];
  return state !== 'disconnected' && !monitored.has(port) && loanOf(port) === null;
}

/** Notes that the terminal lends its open port. Does nothing for any other port. */
export function lendOpenPort(port: PortNumber): void {
  const { state, settings, signals } = benchStatus.tick.status.ports[port];
  if (isTerminals(port) && state === 'connected' && settings !== null) {
    setLoan(port, { settings, signals });
  }
}
