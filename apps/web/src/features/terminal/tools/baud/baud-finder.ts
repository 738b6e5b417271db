/** Searches for the baud rate of each port. At most one search runs on a port, and its last result is kept. */
import type { BaudFinding, PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { requestPort } from '../../../../hardware/port-request.ts';
import type { PortSource } from '../../../../protocol/bench-protocol.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { findBaudRate } from '../../../../workbench/bench-waits.ts';
import { setConnectFailure } from '../../../../workbench/port-picker/connect-failures.ts';
import { connectSource, reportingFailure } from '../../../../workbench/port-picker/connect-port.ts';
import { changePortSettings, terminalSettingsNow } from '../../settings/settings-store.ts';

export type BaudSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly cancel: () => void }
  | { readonly kind: 'found'; readonly finding: BaudFinding }
  | { readonly kind: 'failed'; readonly message: string };

const none: BaudSearch = { kind: 'none' };

const searches = createStore<Readonly<Record<PortNumber, BaudSearch>>>(() => ({ 1: none, 2: none, 3: none, 4: none }));

export function useBaudSearch(port: PortNumber): BaudSearch {
  return useStore(searches, (all) => all[port]);
}

const settingsOf = (port: PortNumber) => terminalSettingsNow().ports[port].settings;

/** Listens to `source`, or to the open board if the port has one. */
export async function startBaudSearch(port: PortNumber, source: PortSource): Promise<void> {
  if (searches.getState()[port].kind === 'running') {
    return;
  }
  const cancelled = new AbortController();
  searches.setState({ [port]: { kind: 'running', cancel: () => cancelled.abort() } });
  try {
    const finding = await findBaudRate(port, source, settingsOf(port), cancelled.signal);
    searches.setState({ [port]: { kind: 'found', finding } });
  } catch (error) {
    searches.setState({ [port]: cancelled.signal.aborted ? none : { kind: 'failed', message: messageOf(error) } });
  }
}

/**
 * Opens the browser's port dialog, then listens to the picked board. Call it from a click: the dialog needs user
 * activation.
 */
export async function pickAndSearch(port: PortNumber): Promise<void> {
  try {
    const place = await requestPort();
    if (place === null) {
      setConnectFailure(port, { code: 'nothing-picked', source: null, settings: settingsOf(port) });
    } else {
      await startBaudSearch(port, { kind: 'serial', place });
    }
  } catch (error) {
    searches.setState({ [port]: { kind: 'failed', message: messageOf(error) } });
  }
}

/** Stores the rate and opens the board at it. */
export async function applyBaudRate(port: PortNumber, baudRate: number): Promise<void> {
  changePortSettings(port, { baudRate });
  if (benchStatus.tick.status.ports[port].state === 'connected') {
    await reportingFailure(port, getBench().call('reopen', port, settingsOf(port)));
  } else {
    await connectSource(port, { kind: 'same' }, settingsOf(port));
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
