import { beforeEach, expect, it } from 'vitest';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { commonFailure } from '../state/failure-from.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { dispatch, startFlasher } from './flasher-store.ts';
import { asked, heldPorts } from './flasher-tab-ports.ts';

const call = fakeFlasher();
silentBench();

const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const held = { port: 1, name: 'a board in the flasher', info };

const pick = () => dispatch(1, { type: 'connect', source: { kind: 'serial', place: { index: 0, count: 1, info } } });

beforeEach(() => {
  call.mockReset();
  startFlasher(testFamily);
});

it('holds a board from the moment on at which it was picked, before it has answered', () => {
  expect(heldPorts()).toEqual([]);
  pick();
  expect(heldPorts()).toEqual([held]);
  dispatch(1, { type: 'connected', board: testBoard({ demo: false, port: info }) });
  expect(heldPorts()).toEqual([held]);
});

it('holds none that could not be opened, and no simulated one', () => {
  pick();
  dispatch(1, { type: 'failed', failure: commonFailure('port-busy') });
  expect(heldPorts()).toEqual([]);
  dispatch(1, { type: 'connect', source: { kind: 'demo', model: 'esp32' } });
  expect(heldPorts()).toEqual([]);
  dispatch(1, { type: 'connected', board: testBoard() });
  expect(heldPorts()).toEqual([]);
});

it('gives away a board that waits, and keeps one that something is done with', async () => {
  pick();
  expect(await asked(1)).toBe('kept');
  dispatch(1, { type: 'connected', board: testBoard({ demo: false, port: info }) });
  dispatch(1, { type: 'plan' });
  expect(await asked(1)).toBe('kept');
  dispatch(1, { type: 'plan-outdated' });
  expect(await asked(1)).toBe('released');
  expect(call.mock.calls).toEqual([['close', 1]]);
});

it('keeps a board that a guest of the shared bench uses', async () => {
  dispatch(1, { type: 'connect', source: { kind: 'serial', place: { index: 0, count: 1, info } } });
  dispatch(1, { type: 'connected', board: testBoard({ demo: false, port: info }) });
  dispatch(1, { type: 'release' });
  dispatch(1, { type: 'released' });
  expect(heldPorts()).toEqual([]);
  const { tick } = benchStatus;
  benchStatus.accept({ ...tick, users: { ...tick.users, 1: 'Aylin K.' } });
  expect(heldPorts()).toEqual([held]);
  expect(await asked(1)).toBe('kept');
  benchStatus.accept(tick);
  expect(call).not.toHaveBeenCalled();
});

it('has released what it does not hold', async () => {
  expect(await asked(2)).toBe('released');
  expect(call).not.toHaveBeenCalled();
});
