import { renderHook } from '@testing-library/react';
import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, SimulatedSerial } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { CallError } from '../../../protocol/calls/call-client.ts';
import { PlaceOutdatedError } from '../../../worker/bench/port-devices.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { changesOf, dropChanges, setChange } from './board-changes.ts';
import { contentsOf, keepContents, noteConnection } from './board-contents.ts';
import { erase } from './contents-actions.ts';
import { takeFiles } from './file-actions.ts';
import { cancel, connect, connectAgain, restart, resume, write } from './flash-actions.ts';
import { dispatch, flasherStore, flashOf, startFlasher } from './flasher-store.ts';
import { monitored } from './port-owners.ts';
import { useReceipts } from './receipt-actions.ts';

const call = fakeFlasher();
const bench = silentBench();

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
  bench.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

it('a board is found by its place after another one has moved within the list', async () => {
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

it('a board that was unplugged during a retry is neither searched for nor replaced by another', async () => {
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

it('a board that restarts slowly is shown as restarting and is neither written nor restarted', async () => {
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

it('a cancel during the closing of the monitor prevents the connect', async () => {
  const closed = Promise.withResolvers<void>();
  monitored.add(1);
  bench.mockReturnValueOnce(closed.promise);
  const connecting = connect(1, { kind: 'demo' });
  await cancel(1);
  expect(bench.mock.calls).toEqual([['disconnect', 1]]);
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

it('facts from before a failed write are not shown as current', async () => {
  detected();
  noteConnection(1);
  keepContents(1, 0x9000, new Uint8Array(16));
  planned();
  const detail = { detail: null, state: 'incomplete' };
  call.mockRejectedValue(new CallError({ name: 'FlashError', message: 'It is gone.', code: 'unplugged', detail }));
  await write(1);
  expect(contentsOf(1)).toMatchObject({ written: true, entries: new Map() });
});

it('a write whose background thread ended in the middle is not said to have left the board unchanged', async () => {
  detected();
  planned();
  keepContents(1, 0x9000, new Uint8Array(16));
  call.mockRejectedValue(
    new CallError({ name: 'BenchLostError', message: 'Reload.', code: 'bench-lost', detail: null }),
  );
  await write(1);
  expect(flashOf(1)).toMatchObject({ phase: 'failed', interrupted: true, failure: { state: 'incomplete' } });
  expect(contentsOf(1)).toMatchObject({ written: true, entries: new Map() });
});

it.each(['incomplete', 'erased'] as const)(
  'facts from before an erase that failed and left the board %s are not shown as current',
  async (state) => {
    detected();
    noteConnection(1);
    keepContents(1, 0x9000, new Uint8Array(16));
    const failure = { name: 'FlashError', message: 'It is gone.', code: 'unplugged', detail: { detail: null, state } };
    call.mockRejectedValue(new CallError(failure));
    await erase(1, 'nvs', { offset: 0x9000, length: 0x1000 });
    expect(contentsOf(1)).toMatchObject({ written: true, entries: new Map() });
  },
);

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
  expect(bench.mock.calls.map(([name]) => name)).not.toContain('connect');
  expect(flashOf(1)).toMatchObject({ phase: 'detected', failure: null });
});

/** Plan for a file that the board does not have yet. */
const plan = {
  refusals: [],
  overridden: [],
  warnings: [],
  eraseAll: false,
  map: [],
  regions: [],
  toWrite: 1,
  same: 0,
  duration: 1,
};
const report = { state: 'complete', regions: [], duration: 1_000, written: 4_096, same: 0, faults: 0 };
const chosen = (sha256: string, application: string) => ({
  files: [
    {
      id: 1,
      name: 'app.bin',
      from: 'build/app.bin',
      size: 4,
      what: 'App',
      offset: 0x10000,
      why: '',
      places: null,
      application,
      sha256,
    },
  ],
  leftOut: [],
  conflicts: [],
});

/** A build on a disk, chosen with a handle, that the board is ready to get. */
async function chosenBuild(reread?: () => Promise<File>) {
  const now = { file: new File(['old'], 'app.bin', { lastModified: 1_000 }) };
  const answers: Record<string, unknown> = {
    addFiles: chosen('a'.repeat(64), 'weather-node 1.4.0'),
    plan,
    write: report,
    renewFiles: null,
    connect: testBoard(),
  };
  call.mockImplementation(async (name: string) => answers[name]);
  await takeFiles([{ name: 'build/app.bin', content: now.file, reread: reread ?? (async () => now.file) }]);
  call.mockClear();
  detected();
  planned();
  /** The build writes the file again, as its next version. */
  const rebuild = () => {
    now.file = new File(['new'], 'app.bin', { lastModified: 2_000 });
    answers['renewFiles'] = chosen('b'.repeat(64), 'weather-node 1.5.0');
  };
  return { answers, rebuild };
}

const asked = () => call.mock.calls.map(([name]) => name);
const shownReceipt = () => renderHook(() => useReceipts(({ byPort }) => byPort[1])).result.current;

it('Write reads a file that has not changed, and writes it', async () => {
  await chosenBuild();
  await write(1);
  expect(asked()).toEqual(['renewFiles', 'write', 'restart']);
});

it('Write takes the newest build, plans with it, and names its version', async () => {
  const { rebuild } = await chosenBuild();
  rebuild();
  await write(1);
  expect(asked()).toEqual(['renewFiles', 'plan', 'write', 'restart']);
  expect(await call.mock.calls[0]?.[1][0][0].content.text()).toBe('new');
  expect(shownReceipt()?.application).toBe('weather-node 1.5.0');
  expect(flasherStore().getState().renewed).toEqual([]);
});

it('Write waits for the user if the newest build brings a warning', async () => {
  const { answers, rebuild } = await chosenBuild();
  rebuild();
  answers['plan'] = { ...plan, warnings: [{ code: 'nvs-erased', files: [], what: 'Lost.', remedy: '' }] };
  await write(1);
  expect(asked()).not.toContain('write');
  expect(flashOf(1)).toMatchObject({ phase: 'planned', held: true });
  answers['renewFiles'] = null;
  await write(1);
  expect(asked()).toContain('write');
});

it('Write refuses a plan that the newest build makes impossible', async () => {
  const { answers, rebuild } = await chosenBuild();
  rebuild();
  const refusal = { code: 'too-large', files: ['app.bin'], what: 'Too large.', remedy: '', overridable: false };
  answers['plan'] = { ...plan, refusals: [refusal] };
  await write(1);
  expect(asked()).not.toContain('write');
  expect(flashOf(1).plan?.refusals).toEqual([refusal]);
});

it.each([
  ['NotFoundError', 'gone'],
  ['NotAllowedError', 'refused'],
])('Write writes nothing if a file fails with %s', async (name, code) => {
  await chosenBuild(() => Promise.reject(new DOMException('', name)));
  await write(1);
  expect(asked()).toEqual([]);
  expect(flasherStore().getState().fileFaults).toEqual([{ name: 'build/app.bin', code }]);
});

it('a file that is chosen again leaves the faults of two files of its name, which do not tell which it replaces', async () => {
  const { answers } = await chosenBuild();
  const faults = ['one/app.bin', 'two/app.bin'].map((name) => ({ name, code: 'gone' as const }));
  flasherStore().setState({ fileFaults: faults });
  const { files, ...others } = chosen('a'.repeat(64), 'weather-node 1.4.0');
  const both = faults.flatMap(({ name }, id) => files.map((file) => ({ ...file, id, from: name })));
  Object.assign(answers, { addFiles: { ...others, files: both }, removeFiles: { ...others, files: both } });
  await takeFiles([{ name: 'app.bin', content: new File(['new'], 'app.bin') }]);
  expect(flasherStore().getState().fileFaults).toEqual(faults);
  await takeFiles([{ name: 'two/app.bin', content: new File(['new'], 'app.bin') }]);
  expect(flasherStore().getState().fileFaults).toEqual(faults.slice(0, 1));
  await takeFiles([{ name: 'app.bin', content: new File(['new'], 'app.bin') }]);
  expect(flasherStore().getState().fileFaults).toEqual([]);
});

it('Flash again does not write or report the bytes of a file that was chosen without a handle and has changed', async () => {
  const { answers } = await chosenBuild();
  const stale = new File(['old'], 'app.bin');
  await takeFiles([{ name: 'build/app.bin', content: stale }]);
  planned();
  await write(1);
  expect(flashOf(1).phase).toBe('done');
  stale.slice = () =>
    Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) });
  answers['write'] = { ...report, written: 0, same: 4_096 };
  call.mockClear();
  await resume(1);
  expect(asked()).toEqual([]);
  expect(flashOf(1)).toMatchObject({ phase: 'running', report: null });
  expect(flasherStore().getState().fileFaults).toEqual([{ name: 'build/app.bin', code: 'changed' }]);
});

it.each([
  ['monitor', ['write', 'restart']],
  ['restart', ['write', 'restart']],
  ['bootloader', ['write']],
] as const)('a write is followed by what is chosen: %s', async (afterWrite, calls) => {
  await chosenBuild();
  planned();
  flasherStore().setState(({ settings }) => ({ settings: { ...settings, afterWrite } }));
  call.mockClear();
  await write(1);
  expect(asked().filter((name) => name === 'write' || name === 'restart')).toEqual(calls);
  expect(flashOf(1)).toMatchObject({ phase: 'done', holdsPort: afterWrite === 'bootloader' });
});

it('a write after a failure reads the files before the board is connected', async () => {
  const { answers, rebuild } = await chosenBuild();
  call.mockImplementationOnce(async () => null);
  call.mockImplementationOnce(async () => {
    throw new CallError({ name: 'FlashError', message: 'It is gone.', code: 'write-failed', detail: null });
  });
  await write(1);
  expect(flashOf(1).phase).toBe('failed');
  rebuild();
  call.mockClear();
  const renewed = answers['renewFiles'];
  call.mockImplementation(async (name: string) => {
    const answer = answers[name];
    answers['renewFiles'] = null;
    return answer;
  });
  expect(renewed).not.toBeNull();
  await resume(1);
  expect(asked().slice(0, 2)).toEqual(['renewFiles', 'connect']);
  expect(shownReceipt()?.application).toBe('weather-node 1.5.0');
});

it('Write refuses a change whose local file has changed, until the change is removed', async () => {
  detected();
  planned();
  const stale = new File(['key'], 'settings.bin');
  stale.slice = () =>
    Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) });
  setChange(1, 'nvs', {
    change: { name: 'nvs', range: { offset: 0x9000, length: 0x1000 }, basis: null, erases: [], writes: [] },
    what: 'a backup of nvs',
    count: 1,
    entries: [],
    note: null,
    madeFrom: [{ name: 'settings.bin', content: stale }],
    draft: null,
  });
  planned();
  await write(1);
  expect(asked()).not.toContain('write');
  expect(flasherStore().getState().fileFaults).toEqual([{ name: 'settings.bin', code: 'changed' }]);
  dropChanges(1);
});

describe('changes of a board without an id', () => {
  const planned = (basis: string | null) => ({
    change: { name: 'files', range: { offset: 0, length: 4_096 }, basis, erases: [], writes: [] },
    what: '',
    count: 1,
    entries: [],
    note: null,
    draft: [],
  });

  async function again(basis: string | null, board: Parameters<typeof testBoard>[0] = {}) {
    call.mockResolvedValue(testBoard({ id: null }));
    await connect(1, { kind: 'demo' });
    setChange(1, 'files', planned(basis));
    keepContents(1, 0, new Uint8Array(4_096));
    call.mockResolvedValue(testBoard({ id: null, ...board }));
    await connectAgain(1);
    return [changesOf(1).length, contentsOf(1).entries.size];
  }

  it('are kept where it is connected again, because each is compared with what the board holds', async () => {
    expect(await again('0'.repeat(32))).toEqual([1, 1]);
  });

  it('are dropped for another model, and where they do not depend on what the board holds', async () => {
    expect(await again('0'.repeat(32), { name: 'ESP32-S3' })).toEqual([0, 0]);
    expect(await again(null)).toEqual([0, 0]);
  });
});
