/** Searches for the baud rate of each port. At most one search runs on a port, and its last result is kept. */
import type { BaudFinding, PortNumber } from '@wirebench/serial';
import { requestPort } from '../../../hardware/port-request.ts';
import type { PortSource } from '../../../protocol/bench/port-part.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { findBaudRate } from '../../../workbench/bench-waits.ts';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectSource, reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import {
  type BaudSearch,
  changeTerminalPort,
  noSearch,
  terminalPortNow,
  useTerminalPort,
} from '../terminal-session.ts';
import { changePortSettings, terminalSettingsNow } from './settings-store.ts';

export function useBaudSearch(port: PortNumber): BaudSearch {
  return useTerminalPort(port, ({ search }) => search);
}

const settingsOf = (port: PortNumber) => terminalSettingsNow().ports[port].settings;

/**
 * Listens to `source`, or to the open board if the port has one.
 *
 * @returns null if it was cancelled, has failed, or another search runs on the port.
 */
export async function startBaudSearch(port: PortNumber, source: PortSource): Promise<BaudFinding | null> {
  if (terminalPortNow(port).search.kind === 'running') {
    return null;
  }
  const cancelled = new AbortController();
  changeTerminalPort(port, { search: { kind: 'running', cancel: () => cancelled.abort() } });
  try {
    const finding = await findBaudRate(port, source, settingsOf(port), cancelled.signal);
    changeTerminalPort(port, { search: { kind: 'found', finding } });
    return finding;
  } catch (error) {
    changeTerminalPort(port, {
      search: cancelled.signal.aborted ? noSearch : { kind: 'failed', message: messageOf(error) },
    });
    return null;
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
    changeTerminalPort(port, { search: { kind: 'failed', message: messageOf(error) } });
  }
}

/**
 * Stores the rate and opens the board at it.
 *
 * @param isOpen True if the port is open, also where the page has not been told yet.
 */
export async function applyBaudRate(
  port: PortNumber,
  baudRate: number,
  isOpen = benchStatus.tick.status.ports[port].state === 'connected',
): Promise<void> {
  changePortSettings(port, { baudRate });
  if (isOpen) {
    await reportingFailure(port, getBench().call('reopen', port, settingsOf(port)));
  } else {
    await connectSource(port, { kind: 'same' }, settingsOf(port));
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
