/** Controls the monitor of a board: a port of the bench on a board that the flasher has released. */
import { pagePaths } from '@wirebench/contract/constants';
import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import { exportFileName, type PortNumber, portNumbers } from '@wirebench/serial';
import { type PortNames, withoutPort } from '../../../protocol/bench/port-part.ts';
import { goTo } from '../../../shared/app-navigation.ts';
import { getBench } from '../../../workbench/bench.ts';
import { CallError } from '../../../workbench/bench-client.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { saveExport } from '../../../workbench/exports/save-export.ts';
import { askForBoardFiles } from '../../../workbench/flasher-boards.ts';
import { failureFrom } from '../state/failure-from.ts';
import { flasherStore, flashOf, say } from './flasher-store.ts';
import { acquiredPort, monitored, setAcquiredPort } from './port-owners.ts';
import { listenToStart, nextLine, observeAbsence, stopListening } from './start-listener.ts';

/** Duration for which a reset line is held, in milliseconds. */
const resetHold = 50;

/** Pending calls that open a port. `closeMonitor` waits for them. */
const opening = new Map<PortNumber, Promise<unknown>>();

/**
 * Opens the monitor. Returns false if that failed, with the reason in the log, or if it was closed while it opened.
 */
export async function openMonitor(port: PortNumber): Promise<boolean> {
  const connecting = connectBench(port);
  opening.set(port, connecting);
  let isOpen = false;
  try {
    const from = await connecting;
    isOpen = true;
    monitored.add(port);
    listenToStart(port, from);
    const restarted = await settleLines(port);
    if (restarted !== null && monitored.has(port)) {
      listenToStart(port, restarted);
    }
    return monitored.has(port);
  } catch (error) {
    // The user may have closed the monitor while its lines were set.
    if (!isOpen || monitored.has(port)) {
      say(port, 'error', `The monitor could not be opened: ${failureFrom(error).message}`);
      if (error instanceof CallError && error.name === withoutPort) {
        observeAbsence(port);
      }
    }
    return false;
  } finally {
    opening.delete(port);
  }
}

/** Opens the bench's port. Resolves with the number of the first log line that the board can have printed since. */
async function connectBench(port: PortNumber): Promise<number> {
  const from = await nextLine();
  await getBench().call('connect', port, { kind: 'same' }, monitorSettings(port));
  return from;
}

/**
 * Opens the monitor and restarts the board, so that the log contains its start from the first line. Opening a port
 * moves its control lines, which resets many boards, and leaves some of them in the bootloader.
 */
export async function watchStart(port: PortNumber): Promise<void> {
  const opened = await openMonitor(port);
  if (opened && consoleOf(port)?.reset === 'circuit') {
    await resetMonitored(port);
  }
}

/**
 * Sets the control lines for a running program, because opening has moved them. Restarts a board whose reset is
 * connected to one of them, and resolves with the number of the first log line of the new start; else with null.
 */
async function settleLines(port: PortNumber): Promise<number | null> {
  const { reset = null, lines = null } = consoleOf(port) ?? {};
  if (lines === null) {
    return null;
  }
  let from: number | null = null;
  if (reset !== null && reset !== 'circuit') {
    await getBench().call('setSignals', port, reset);
    await new Promise((resolve) => setTimeout(resolve, resetHold));
    from = await nextLine();
  }
  await getBench().call('setSignals', port, lines);
  return from;
}

/** Restarts the board's program while the monitor listens. */
export async function resetMonitored(port: PortNumber): Promise<void> {
  const { reset = null } = consoleOf(port) ?? {};
  try {
    // Earlier lines belong to an earlier start.
    const from = await (reset === 'circuit' ? getBench().call('resetBoard', port, 'run') : settleLines(port));
    if (monitored.has(port)) {
      listenToStart(port, from ?? (await nextLine()));
    }
  } catch (error) {
    say(port, 'warning', `The board could not be restarted: ${failureFrom(error).message}`);
  }
}

/** Shows the terminal, which goes on with the same port at the monitor's rate and in the same log. */
export function openInTerminal(port: PortNumber): void {
  if (acquiredPort(port) === null) {
    setAcquiredPort(port, { settings: monitorSettings(port), signals: { dtr: true, rts: false } });
  }
  goTo(pagePaths.uart);
}

/** Shows the terminal with the files of the board on the port. */
export function openBoardFiles(port: PortNumber): void {
  askForBoardFiles(port);
  openInTerminal(port);
}

const consoleOf = (port: PortNumber) => flashOf(port).board?.console ?? null;

/** Closes the monitor, and resolves when its port is closed. Also ends the bench's wait for a board to come back. */
export async function closeMonitor(port: PortNumber): Promise<void> {
  await opening.get(port)?.catch(() => undefined);
  stopListening(port);
  // The last tick of the bench may be older than the answer to a call.
  const open = monitored.delete(port) || benchStatus.tick.status.ports[port].state !== 'disconnected';
  if (open) {
    await getBench()
      .call('disconnect', port)
      .catch((error: unknown) => {
        if (!(error instanceof CallError && error.code === 'not-connected')) {
          throw error;
        }
      });
  }
}

export async function changeMonitorRate(port: PortNumber, monitorBaudRate: number): Promise<void> {
  flasherStore().setState(({ settings }) => ({ settings: { ...settings, monitorBaudRate } }));
  if (benchStatus.tick.status.ports[port].state === 'connected') {
    try {
      const from = await nextLine();
      await getBench().call('reopen', port, monitorSettings(port));
      listenToStart(port, from);
    } catch (error) {
      say(port, 'error', `The monitor could not be opened: ${failureFrom(error).message}`);
    }
  }
}

/** Saves the output of all boards of this page, with times, as a text file. */
export async function saveMonitorLog(): Promise<void> {
  const names = Object.fromEntries(portNumbers.map((port) => [port, flashOf(port).board?.name ?? `Board ${port}`]));
  await saveExport({ kind: 'text', portNames: names as PortNames }, exportFileName(new Date(), 'txt'), {
    done: 'Messages exported to file',
    remedy: 'Record in the terminal instead.',
  });
}

/** Settings of the monitor: those of the terminal for a port acquired from it, at the monitor's rate. */
function monitorSettings(port: PortNumber): PortSettings {
  const { monitorBaudRate } = flasherStore().getState().settings;
  return { ...(acquiredPort(port)?.settings ?? defaultPortSettings), baudRate: monitorBaudRate };
}
