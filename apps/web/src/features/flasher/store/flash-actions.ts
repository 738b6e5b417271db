/**
 * User actions on a board: connect, write, stop, restart, release. Every outcome goes to the store, so no action
 * rejects for a board's failure.
 */
import type { PortNumber } from '@wirebench/serial';
import { requestPort } from '../../../hardware/port-request.ts';
import { requestUsb, type UsbFilter } from '../../../hardware/web-usb.ts';
import { CallError } from '../../../protocol/calls/call-client.ts';
import type { ConnectRequest, ConnectTry } from '../../../protocol/flash-protocol.ts';
import type { FlashSource } from '../../../protocol/usb-source.ts';
import { getBench } from '../../../workbench/bench.ts';
import type { ConnectedBoard, OwnSettings } from '../../../workbench/families.ts';
import { hasSeriesNetwork } from '../../../workbench/improv/series.ts';
import { atCurrentPlace } from '../../../workbench/port-picker/at-current-place.ts';
import { commonFailure, failureFrom } from '../state/failure-from.ts';
import { isBusy } from '../state/flash-state.ts';
import { setUpWifiOf } from './batch-wifi.ts';
import { dropChanges } from './board-changes.ts';
import { dropContents, noteConnection } from './board-contents.ts';
import { noteBoard, noteReturn, placeNow } from './board-ports.ts';
import { getFlasher } from './flasher-line.ts';
import { dispatch, flasherStore, flashOf, pageFamily, say } from './flasher-store.ts';
import { probeAfterStart } from './improv-probe.ts';
import { closeMonitor, watchStart } from './monitor-actions.ts';
import { offerNextStep } from './next-step.ts';
import { planNow } from './plan-actions.ts';
import { acquireOpenPort } from './port-owners.ts';
import { type ChosenImage, imageFor, keepReceipt } from './receipt-actions.ts';
import { chooseByHand } from './release-builds.ts';
import { tracked } from './running-work.ts';
import { withoutPlug } from './shared-board.ts';

/** Opens the browser's dialog, then the picked port. Must be called directly from a click. */
export function connectPicked(port: PortNumber, attempt: ConnectTry = {}): Promise<void> {
  return connectAsked(port, false, attempt, async () => {
    const place = await requestPort();
    return place && { kind: 'serial', place };
  });
}

/** Works like `connectPicked`, for USB devices with these ids. */
export function connectPickedUsb(port: PortNumber, filter: UsbFilter): Promise<void> {
  return connectAsked(port, true, {}, async () => {
    const place = await requestUsb(filter);
    return place && { kind: 'usb', place };
  });
}

async function connectAsked(
  port: PortNumber,
  usb: boolean,
  attempt: ConnectTry,
  ask: () => Promise<FlashSource | null>,
): Promise<void> {
  let source: FlashSource | null;
  try {
    source = await ask();
  } catch (error) {
    const { message } = failureFrom(error);
    dispatch(port, { type: 'refused', usb, failure: { ...commonFailure('permission-denied'), detail: message } });
    return;
  }
  if (source !== null) {
    await connect(port, source, attempt);
  }
}

/**
 * Brings the board into its bootloader, identifies it, and plans the write.
 *
 * @param expectedId Any other board is refused.
 */
export function connect(
  port: PortNumber,
  source: FlashSource,
  attempt: ConnectTry = {},
  expectedId?: string,
): Promise<void> {
  return isBusy(flashOf(port)) ? Promise.resolve() : tracked(port, connectNow(port, source, attempt, expectedId));
}

async function connectNow(
  port: PortNumber,
  source: FlashSource,
  attempt: ConnectTry,
  expectedId: string | undefined,
): Promise<void> {
  if (source.kind === 'same') {
    acquireOpenPort(port);
  }
  noteBoard(port, source);
  dispatch(port, { type: 'connect', source, byHand: attempt.byHand === true && pageFamily().restartsByHand === true });
  try {
    await closeMonitor(port);
    if (flashOf(port).cancelling) {
      throw cancelled();
    }
    const { baudRate, own } = flasherStore().getState().settings;
    const request = { baudRate, settings: own, ...(expectedId !== undefined && { expectedId }), ...attempt };
    const before = flashOf(port).board?.id ?? null;
    const board = await reach(port, source, request);
    if (board.id === null || board.id !== before) {
      dropChanges(port);
      dropContents(port, false);
      chooseByHand(port, null);
    }
    noteConnection(port);
    dispatch(port, { type: 'connected', board });
  } catch (error) {
    failed(port, error);
    return;
  }
  await planNow(port);
}

/** Connects through the worker, wherever the board's port is in the browser's list by now. */
function reach(port: PortNumber, source: FlashSource, request: ConnectRequest<OwnSettings>): Promise<ConnectedBoard> {
  const find = async () => {
    const place = await placeNow(port);
    if (flashOf(port).cancelling) {
      throw cancelled();
    }
    return place;
  };
  return atCurrentPlace(source, (current) => getFlasher().call('connect', port, current, request), find);
}

/** Returns the error for a cancel that came while no call to the host was pending. */
function cancelled(): CallError {
  const { code, message, detail, state } = commonFailure('cancelled');
  return new CallError({ name: 'FlashError', message, code, detail: { detail, state } });
}

/** Connects the same board again, after a failure or after a flash. Any other board is refused. */
export function connectAgain(port: PortNumber, attempt: ConnectTry = {}): Promise<void> {
  return connect(port, { kind: 'same' }, attempt, flashOf(port).board?.id ?? undefined);
}

/** Continues after a failure: connects, plans, and writes the rest. */
export async function resume(port: PortNumber, attempt: ConnectTry = {}): Promise<void> {
  await connectAgain(port, attempt);
  await write(port);
}

/** Carries out the plan, starts the board's program, and opens the monitor. */
export function write(port: PortNumber): Promise<void> {
  offerNextStep(port, null);
  return dispatch(port, { type: 'write' }) ? tracked(port, writeNow(port)) : Promise.resolve();
}

async function writeNow(port: PortNumber): Promise<void> {
  // The user may change the files for the next board during this write.
  const image = imageFor(port);
  try {
    const report = await getFlasher().call('write', port);
    dispatch(port, { type: 'written', report });
    dropChanges(port);
    dropContents(port, true);
  } catch (error) {
    failed(port, error);
    reportOutcome(port, image);
    return;
  }
  keepReceipt(port, image);
  await startProgram(port);
  reportOutcome(port, image);
  await noteReturn(port);
  if (!runsProgram(port)) {
    return;
  }
  const { batchMode, settings } = flasherStore().getState();
  if (settings.monitorAfter && !batchMode && flashOf(port).board?.console) {
    await watchStart(port);
    if (pageFamily().name === 'esp') {
      probeAfterStart(port);
    }
  } else if (batchMode && hasSeriesNetwork() && flashOf(port).board?.console) {
    // The next board does not wait for it.
    void setUpWifiOf(port);
  }
}

/**
 * Returns true if the program that was started still has the board. The user may have connected the board again, or
 * released it, while its port was searched after the restart.
 */
function runsProgram(port: PortNumber): boolean {
  const { phase } = flashOf(port);
  return phase === 'done' || phase === 'running';
}

/** Starts the program. A board that cannot be restarted from here counts as written all the same. */
async function startProgram(port: PortNumber): Promise<void> {
  try {
    await getFlasher().call('restart', port);
    dispatch(port, { type: 'restarted', byHand: false });
  } catch (error) {
    say(
      port,
      'warning',
      `The board could not be restarted: ${failureFrom(error).message} ${pageFamily().words.restart}`,
    );
    await getFlasher().call('close', port);
    dispatch(port, { type: 'restarted', byHand: true });
  }
}

/** Cancels the current work. The failure that follows contains the state of the board. */
export async function cancel(port: PortNumber): Promise<void> {
  dispatch(port, { type: 'cancel' });
  await getFlasher().call('cancel', port);
}

/** Starts the board's program without writing anything. */
export function restart(port: PortNumber): Promise<void> {
  return dispatch(port, { type: 'release' }) ? tracked(port, restartNow(port)) : Promise.resolve();
}

async function restartNow(port: PortNumber): Promise<void> {
  try {
    await getFlasher().call('restart', port);
  } catch (error) {
    failed(port, error);
    return;
  }
  await noteReturn(port);
  dispatch(port, { type: 'released' });
  if (flashOf(port).board?.console) {
    await watchStart(port);
  }
}

/** Releases the board, both from the monitor and from the flasher. */
export async function disconnect(port: PortNumber): Promise<void> {
  await closeMonitor(port);
  await getFlasher().call('close', port);
  dropChanges(port);
  dropContents(port, false);
  dispatch(port, { type: 'closed' });
}

/** Pulls the plug of a demo board, or puts it back. */
export async function plugDemo(port: PortNumber, plugged: boolean): Promise<void> {
  await getBench().call('plugDemo', port, plugged);
}

function failed(port: PortNumber, error: unknown): void {
  const failure = withoutPlug(port, failureFrom(error));
  say(port, failure.code === 'cancelled' ? 'warning' : 'error', failure.message);
  if (failure.detail !== null) {
    say(port, 'error', failure.detail);
  }
  dispatch(port, { type: 'failed', failure });
}

/**
 * Reports the outcome to the server if the files are those of a release. Not reported, because they say nothing about
 * the release: a cancelled flash, a flash that found all bytes already there, and a demo board.
 */
function reportOutcome(port: PortNumber, { release, build }: ChosenImage): void {
  const { phase, board, failure, report } = flashOf(port);
  if (release !== null && board?.demo !== true && phase !== 'cancelled' && report?.written !== 0) {
    void release.chosen.report({
      result: phase === 'done' ? 'success' : 'failure',
      chip: board?.name ?? null,
      errorCode: failure?.code ?? null,
      buildId: build?.id ?? null,
    });
  }
}
