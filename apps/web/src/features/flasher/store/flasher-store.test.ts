import { beforeEach, expect, it } from 'vitest';
import { commonFailure } from '../state/failure-from.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { addLines, dispatch, flasherStore, heldPorts, say, setLog, startFlasher } from './flasher-store.ts';

beforeEach(() => startFlasher(testFamily));

it('all lines go to the log in order, and the newest of each board is kept', () => {
  const logged: string[] = [];
  setLog((lines) => logged.push(...lines.map(({ port, text }) => `${port} ${text}`)));
  const line = (port: 1 | 2, text: string) => ({ at: 0, port, level: 'info', text }) as const;
  addLines([line(1, 'one'), line(2, 'two'), line(1, 'three')]);
  say(2, 'warning', 'four');
  expect(logged).toEqual(['1 one', '2 two', '1 three', '2 four']);
  const { lastLines } = flasherStore().getState();
  expect([lastLines[1]?.text, lastLines[2]?.text, lastLines[3]]).toEqual(['three', 'four', undefined]);
});

it('a port counts as held from connecting until the board is released, also while nothing happens', () => {
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  expect(heldPorts.count()).toBe(1);
  dispatch(1, { type: 'connected', board: testBoard() });
  expect(heldPorts.count()).toBe(1);
  dispatch(1, { type: 'release' });
  dispatch(1, { type: 'released' });
  expect(heldPorts.count()).toBe(0);
});

it('a port does not count as held after its connection has failed or its board was unplugged', () => {
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'failed', failure: commonFailure('cancelled') });
  expect(heldPorts.count()).toBe(0);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: testBoard() });
  dispatch(1, { type: 'gone', failure: commonFailure('unplugged') });
  expect(heldPorts.count()).toBe(0);
});
