import { systemClock } from '@wirebench/clock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Holder, TabPorts } from '../../../hardware/tab-ports.ts';
import { fakeLab, openBench, testBoard } from '../testing/fake-lab.ts';
import { labNow } from './lab-store.ts';
import { getTabPorts } from './lab-tab-ports.ts';

const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const board = { ...testBoard, demo: false, port: info };
const source = { kind: 'serial', place: { index: 0, count: 1, info } } as const;
let channel: BroadcastChannel;
let other: TabPorts;

beforeEach(() => {
  getTabPorts();
  channel = new BroadcastChannel('wirebench.roll-call.1');
  other = new TabPorts({ channel, clock: systemClock, tab: 'other', held: () => [], asked: async () => 'kept' });
});
afterEach(() => channel.close());

/** Returns the tab of the bench, as another tab sees it. */
function holder(): Promise<Holder> {
  return new Promise((resolve) => {
    const end = other.watchHolders(info, ([first]) => {
      if (first !== undefined) {
        end();
        resolve(first);
      }
    });
  });
}

it('gives its board to another tab without hashing flash once more, which would take longer than that tab waits', async () => {
  let hashed: (() => void) | null = null;
  const { calls } = fakeLab({
    leave: () => new Promise<void>((resolve) => (hashed = resolve)) as never,
    cancel: () => hashed?.(),
  });
  openBench({}, { board, checkFlash: true });
  expect(await other.askToRelease(await holder())).toBe('released');
  expect(calls).toEqual([['leave'], ['cancel']]);
  expect(labNow()).toMatchObject({
    phase: 'idle',
    failure: { message: 'The board was released: another Wirebench tab asked for it.' },
  });
});

it('is asked while flash is hashed already, and skips that', async () => {
  const { calls } = fakeLab();
  openBench({}, { board, source, phase: 'leaving' });
  expect(await other.askToRelease(await holder())).toBe('released');
  expect(calls).toEqual([['leave'], ['cancel']]);
});

it('keeps a board that is just being connected', async () => {
  const { calls } = fakeLab();
  openBench({}, { board: null, source, phase: 'connecting' });
  expect(await other.askToRelease(await holder())).toBe('kept');
  expect(calls).toEqual([]);
});
