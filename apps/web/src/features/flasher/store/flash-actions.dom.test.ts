import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, SimulatedSerial } from '@wirebench/devices';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { CallError } from '../../../protocol/calls/call-client.ts';
import { PlaceOutdatedError } from '../../../worker/bench/port-devices.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { cancel, connect, connectAgain, restart, write } from './flash-actions.ts';
import { dispatch, flashOf, startFlasher } from './flasher-store.ts';

const call = vi.hoisted(() => vi.fn());
vi.mock('./flasher-line.ts', () => ({ getFlasher: () => ({ call }) }));
const closeMonitor = vi.hoisted(() => vi.fn(async (): Promise<void> => undefined));
const watchStart = vi.hoisted(() => vi.fn(async (): Promise<void> => undefined));
vi.mock('./monitor-actions.ts', () => ({ closeMonitor, watchStart }));

const { name, message } = new PlaceOutdatedError();
const outdated = new CallError({ name, message, code: null, detail: null });

/** Plugs in two boards of one kind. The returned source is the second one. */
async function boards() {
  const serial = new SimulatedSerial((ports) => ports[0] ?? null);
  const clock = new VirtualClock();
  const ids = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
  const [first, second] = [1, 2].map(() => serial.plugIn({ device: new ChattyBoard(), clock, ...ids }));
  vi.stubGlobal('navigator', { serial });
  const [, place] = await permittedPlaces();
  if (first === undefined || second === undefined || place === undefined) {
    throw new Error('Two boards were plugged in.');
  }
  return { first, second, source: { kind: 'serial', place } as const };
}

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('SerialPort', EventTarget);
  startFlasher(testFamily);
  call.mockReset();
  watchStart.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

it('a board is found again that another one has moved within the list while it was called', async () => {
  const { first, source } = await boards();
  call.mockImplementationOnce(async () => {
    first.unplug();
    throw outdated;
  });
  call.mockResolvedValueOnce(testBoard());
  await connect(1, source);
  expect(flashOf(1)).toMatchObject({ phase: 'detected', failure: null });
  expect(call.mock.calls.map(([, , { place }]) => [place.index, place.count])).toEqual([
    [1, 2],
    [0, 1],
  ]);
});

it('a board that was unplugged meanwhile is not looked for any longer, nor any other taken for it', async () => {
  const { second, source } = await boards();
  call.mockImplementationOnce(async () => {
    second.unplug();
    throw outdated;
  });
  await connect(1, source);
  expect(flashOf(1)).toMatchObject({ phase: 'failed', failure: { message } });
  expect(call).toHaveBeenCalledOnce();
});

/** Puts board 1 into its bootloader. */
function detected(): void {
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: testBoard() });
}

it('a board that takes its time to restart is shown as restarting, and neither written nor restarted meanwhile', async () => {
  detected();
  const answer = Promise.withResolvers<void>();
  call.mockReturnValueOnce(answer.promise);
  const restarting = restart(1);
  expect(flashOf(1).phase).toBe('releasing');
  await restart(1);
  await write(1);
  expect(call.mock.calls).toEqual([['restart', 1]]);
  answer.resolve();
  await restarting;
  expect(flashOf(1)).toMatchObject({ phase: 'running', failure: null });
});

it('a board that does not restart says why', async () => {
  detected();
  call.mockRejectedValueOnce(
    new CallError({ name: 'FlashError', message: 'It is gone.', code: 'port-gone', detail: null }),
  );
  await restart(1);
  expect(flashOf(1)).toMatchObject({ phase: 'failed', failure: { message: 'It is gone.', during: 'releasing' } });
});

it('a cancel while the monitor is still being closed connects nothing', async () => {
  const closed = Promise.withResolvers<void>();
  closeMonitor.mockReturnValueOnce(closed.promise);
  const connecting = connect(1, { kind: 'demo' });
  await cancel(1);
  closed.resolve();
  await connecting;
  expect(flashOf(1)).toMatchObject({ phase: 'cancelled', cancelling: false, failure: { code: 'cancelled' } });
  expect(call.mock.calls).toEqual([['cancel', 1]]);
});

/** Gives the board in its bootloader a plan that can be written. */
function planned(): void {
  dispatch(1, { type: 'plan' });
  const plan = {
    refusals: [],
    overridden: [],
    warnings: [],
    eraseAll: false,
    map: [],
    regions: [],
    toWrite: 1,
    same: 0,
  };
  dispatch(1, { type: 'planned', plan: { ...plan, duration: 1 } });
}

it('a second press on Write writes once', async () => {
  detected();
  planned();
  call.mockRejectedValue(new Error('The board stopped answering.'));
  await Promise.all([write(1), write(1)]);
  expect(call.mock.calls).toEqual([['write', 1]]);
});

it('the monitor stays closed when the board is connected again while its port is searched after the write', async () => {
  const { second, source } = await boards();
  call.mockResolvedValue(testBoard());
  await connect(1, source);
  planned();
  const report = { state: 'complete', regions: [], duration: 1_000, written: 4_096, same: 0, faults: 0 };
  call.mockResolvedValueOnce(report);
  call.mockImplementationOnce(async () => second.unplug());
  const ports = Promise.withResolvers<SerialPort[]>();
  vi.spyOn(navigator.serial, 'getPorts').mockReturnValueOnce(ports.promise);
  const writing = write(1);
  await vi.waitFor(() => expect(flashOf(1).phase).toBe('done'));
  const again = connectAgain(1);
  ports.resolve([]);
  await Promise.all([writing, again]);
  expect(watchStart).not.toHaveBeenCalled();
  expect(flashOf(1)).toMatchObject({ phase: 'detected', failure: null });
});
