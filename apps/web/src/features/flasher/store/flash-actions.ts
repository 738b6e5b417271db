/**
 * User actions on a board: connect, write, stop, restart, release. Every outcome goes to the store, so no action
 * rejects for a board's failure.
 */
import type { PortNumber } from '@wirebench/serial';
import { type PhoneList, requestPort } from '../../../hardware/port-request.ts';
import { requestUsb, type UsbFilter } from '../../../hardware/web-usb.ts';
import { CallError } from '../../../protocol/calls/call-client.ts';
import type { ChosenFiles, ConnectRequest, ConnectTry, Finding } from '../../../protocol/flash-protocol.ts';
import type { FlashSource } from '../../../protocol/usb-source.ts';
import { getBench } from '../../../workbench/bench.ts';
import type { ConnectedBoard, OwnSettings } from '../../../workbench/families.ts';
import { hasSeriesNetwork } from '../../../workbench/improv/series.ts';
import { atCurrentPlace } from '../../../workbench/port-picker/at-current-place.ts';
import { commonFailure, failureFrom } from '../state/failure-from.ts';
import { isBusy } from '../state/flash-state.ts';
import { setUpWifiOf } from './batch-wifi.ts';
import { chooseByHand } from './board-builds.ts';
import { changesOf, dropChanges, setWritten } from './board-changes.ts';
import { contentsOf, dropContents, noteConnection, noteUnread, noteWrite } from './board-contents.ts';
import { noteBoard, noteReturn, placeNow } from './board-ports.ts';
import { changedFiles, isOnDisk } from './disk-files.ts';
import { renewFiles } from './file-actions.ts';
import { getFlasher } from './flasher-line.ts';
import { dispatch, flasherStore, flashOf, pageFamily, say } from './flasher-store.ts';
import { probeAfterStart } from './improv-probe.ts';
import { closeMonitor, watchStart } from './monitor-actions.ts';
import { offerNextStep } from './next-step.ts';
import { isAgreed, outdateResults, planAtOnce, planNow, shownPlan, untilCompared } from './plan-actions.ts';
import { acquireOpenPort } from './port-owners.ts';
import { type ChosenImage, imageFor, keepReceipt } from './receipt-actions.ts';
import { tracked, writesAhead } from './running-work.ts';
import { withoutPlug } from './shared-board.ts';

/**
 * Opens the browser's dialog, then the picked port. Must be called directly from a click.
 *
 * @param list List that the person asks for on a phone.
 */
export function connectPicked(port: PortNumber, attempt: ConnectTry = {}, list?: PhoneList): Promise<void> {
  return connectAsked(port, false, attempt, async () => {
    const place = await requestPort(list);
    return place && { kind: 'serial', place };
  });
}

/** Works like `connectPicked`, for USB devices that one of the filters selects. */
export function connectPickedUsb(port: PortNumber, filters: readonly UsbFilter[]): Promise<void> {
  return connectAsked(port, true, {}, async () => {
    const place = await requestUsb(filters);
    return place && { kind: 'usb', place };
  });
}

/**
 * Connects the drive of a board.
 *
 * @param pickDrive Opens the browser's dialog. Must be called directly from a click.
 */
export function connectPickedDrive(
  port: PortNumber,
  pickDrive: () => Promise<FileSystemDirectoryHandle | null>,
): Promise<void> {
  return connectAsked(port, true, {}, async () => {
    const folder = await pickDrive();
    return folder && { kind: 'drive', folder };
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
    const { board: before } = flashOf(port);
    const board = await reach(port, source, request);
    if (board.id === null || board.id !== before?.id) {
      if (source.kind !== 'same' || !keepsChanges(port, before, board)) {
        dropChanges(port);
        dropContents(port, false);
      }
      setWritten(port, null);
      chooseByHand(port, null);
    }
    noteConnection(port);
    dispatch(port, { type: 'connected', board });
  } catch (error) {
    failed(port, error);
    flasherStore().setState(({ connectFailed }) => ({
      connectFailed: connectFailed || flashOf(port).phase === 'failed',
    }));
    return;
  }
  await planNow(port);
}

/**
 * Returns true if a board without an id that is connected again may be the one before, and if each planned change is
 * compared with what the board holds before it is written.
 */
function keepsChanges(port: PortNumber, before: ConnectedBoard | null, { id, family, name }: ConnectedBoard): boolean {
  const mayBeSame = id === null && before?.id === null && before.family === family && before.name === name;
  return mayBeSame && changesOf(port).every(({ change }) => change.basis !== null);
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

/**
 * Writes to a board that is not in its bootloader: after a failure, or after a write. Reads the files, connects, plans,
 * and carries the plan out.
 */
export function resume(port: PortNumber, attempt: ConnectTry = {}): Promise<void> {
  return begun(port, async () => {
    const agreed = shownPlan(port);
    if (mustRead(port) && (await readNewest(port)) === null) {
      return;
    }
    await connectAgain(port, attempt);
    if (flashOf(port).phase === 'planned' && !isAgreed(agreed, flashOf(port).plan)) {
      dispatch(port, { type: 'hold' });
      return;
    }
    await writeNewest(port);
  });
}

/**
 * Reads the newest contents of the files, and carries out the plan. Then starts the board's program, and opens the
 * monitor. A plan that the newest contents have changed is carried out only if there is nothing new to decide.
 */
export function write(port: PortNumber): Promise<void> {
  const { phase, plan } = flashOf(port);
  return phase === 'planned' && plan?.refusals.length === 0 ? begun(port, () => writeNewest(port)) : Promise.resolve();
}

/** Carries out the plan without saving the files of the board that it takes. Only a person may ask for that. */
export function writeUnsaved(port: PortNumber): Promise<void> {
  return begun(port, () => writeNewest(port, false));
}

/**
 * Carries out a plan without a press of its own. One that takes files of the board waits for a press: a browser starts several
 * downloads only if a person is there.
 */
export async function writeByItself(port: PortNumber): Promise<void> {
  if (takesFiles(port)) {
    dispatch(port, { type: 'hold', text: 'The write takes files of the board: Write saves them first.' });
  } else if (changesOf(port).some(({ isWholeErase }) => isWholeErase)) {
    dispatch(port, { type: 'hold', text: 'An erase of the whole board is asked at the board itself.' });
  } else {
    await write(port);
  }
}

const loadSaving = () => import('./saved-files.ts');

const takesFiles = (port: PortNumber) => (flashOf(port).plan?.saved ?? []).length > 0;

/** Carries out the plan with the files as the worker has read them. Callers have compared them with the disk. */
export function writeAsRead(port: PortNumber): Promise<void> {
  return begun(port, () => writeIfPlanned(port));
}

/** Runs a write of this board. Does nothing if another one has begun. */
function begun(port: PortNumber, act: () => Promise<void>): Promise<void> {
  if (writesAhead.has(port)) {
    return Promise.resolve();
  }
  offerNextStep(port, null);
  writesAhead.add(port);
  return tracked(
    port,
    act().finally(() => writesAhead.delete(port)),
  );
}

async function writeNewest(port: PortNumber, saves = true): Promise<void> {
  if (!mustRead(port) || (await isUpToDate(port))) {
    await writeIfPlanned(port, saves);
  }
}

/** @param saves False: files of the board that the plan takes are given up. */
async function writeIfPlanned(port: PortNumber, saves = true): Promise<void> {
  const { phase, plan } = flashOf(port);
  if (phase === 'planned' && plan !== null && takesFiles(port)) {
    const fault = await loadSaving()
      .then(({ saveFirst, holdUnsaved }) => (saves ? saveFirst : holdUnsaved)(port, plan))
      .catch(({ message }: Error) => (saves ? message : null));
    if (fault !== null || flashOf(port).plan !== plan) {
      dispatch(port, { type: 'hold', ...(fault !== null && { text: fault, unsaved: true }) });
      return;
    }
  }
  if (dispatch(port, { type: 'write' })) {
    writesAhead.delete(port);
    await writeNow(port);
  }
}

/** Reads the files of the plan again. Resolves with true if the plan can be carried out as the user has seen it. */
async function isUpToDate(port: PortNumber): Promise<boolean> {
  const { plan: agreed, board } = flashOf(port);
  const { conflicts } = flasherStore().getState().chosen;
  const renewal = await readNewest(port);
  if (renewal === null || flashOf(port).board !== board) {
    return false;
  }
  await (renewal === 'changed' ? planAtOnce(port) : untilCompared(port));
  if (isAgreed(agreed, flashOf(port).plan) && hasNoOther(conflicts)) {
    return true;
  }
  dispatch(port, { type: 'hold' });
  return false;
}

/** Returns true if the chosen files have no other conflicts than these. */
function hasNoOther(conflicts: ChosenFiles['conflicts']): boolean {
  const text = ({ code, files }: Finding) => `${code} ${files.join()}`;
  const before = conflicts.map(text);
  return flasherStore()
    .getState()
    .chosen.conflicts.every((conflict) => before.includes(text(conflict)));
}

/** Returns true if a file of the plan may have changed on the disk since it was read. */
function mustRead(port: PortNumber): boolean {
  const { given } = flasherStore().getState();
  return [...given.flat(), ...filesOfChanges(port)].some(isOnDisk);
}

const filesOfChanges = (port: PortNumber) => changesOf(port).flatMap(({ madeFrom = [] }) => madeFrom);

/** Reads the files of the plan again. Resolves with null if one cannot be read: the page then says which. */
async function readNewest(port: PortNumber): Promise<'same' | 'changed' | null> {
  const renewal = await renewFiles();
  if (renewal === 'faulty') {
    return null;
  }
  const faults = await changedFiles(filesOfChanges(port));
  if (faults.length > 0) {
    flasherStore().setState({ fileFaults: faults });
    outdateResults();
    return null;
  }
  return renewal;
}

async function writeNow(port: PortNumber): Promise<void> {
  // The user may change the files for the next board during this write.
  const image = imageFor(port);
  const { board } = flashOf(port);
  let isRead = false;
  const planned = changesOf(port);
  const before = planned.flatMap(({ change }) => {
    const known = contentsOf(port).entries.get(change.range.offset);
    return known === undefined ? [] : [{ change, bytes: known.bytes }];
  });
  try {
    const report = await getFlasher().call('write', port, ...(takesFiles(port) ? ([true] as const) : []));
    const { plan } = flashOf(port);
    const changes = planned.map(({ change }) => change);
    setWritten(
      port,
      planned.length > 0 && report.state === 'complete' ? { at: Date.now(), changes: planned, before } : null,
    );
    // The facts that were read again after the write may still be under way: they come with the next tick.
    isRead = report.state === 'complete' || flashOf(port).board !== board;
    noteWrite(port, { report, plan, changes, isRead });
    const whole = planned.find(({ isWholeErase }) => isWholeErase);
    const isEmptied =
      whole !== undefined && planned.length === 1 && plan?.regions.every(({ file }) => file === whole.change.name);
    dispatch(port, { type: 'written', report, emptied: isEmptied ? (whole.erased ?? null) : null });
    flasherStore().setState({ renewed: [] });
    dropChanges(port);
  } catch (error) {
    failed(port, error);
    if (failureFrom(error).state !== 'unchanged') {
      await loadSaving().then(
        ({ holdLeft }) => holdLeft(port),
        () => undefined,
      );
    }
    noteFailedWrite(port, flashOf(port).board !== board);
    reportOutcome(port, image);
    return;
  }
  keepReceipt(port, image);
  const { batchMode, settings } = flasherStore().getState();
  const stays = settings.afterWrite === 'bootloader' && !batchMode;
  if (stays) {
    dispatch(port, { type: 'stays' });
  } else {
    await startProgram(port);
  }
  if (isRead && flashOf(port).board === board && flashOf(port).report?.written !== 0) {
    noteUnread(port);
  }
  reportOutcome(port, image);
  if (stays) {
    return;
  }
  await noteReturn(port);
  if (!runsProgram(port)) {
    return;
  }
  if (settings.afterWrite === 'monitor' && !batchMode && flashOf(port).board?.console) {
    await watchStart(port);
    if (pageFamily().hasWifi) {
      probeAfterStart(port);
    }
  } else if (batchMode && hasSeriesNetwork() && flashOf(port).board?.console) {
    // The next board does not wait for it.
    void setUpWifiOf(port);
  }
}

/**
 * Forgets what is known of a board whose write has not finished.
 *
 * @param isRead True: the board's facts were read again after the failure.
 */
function noteFailedWrite(port: PortNumber, isRead: boolean): void {
  const { failure } = flashOf(port);
  if (failure !== null && failure.state !== 'unchanged') {
    dropContents(port, !isRead);
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
  setWritten(port, null);
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
