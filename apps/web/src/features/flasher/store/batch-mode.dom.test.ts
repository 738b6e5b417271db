import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError } from '../../../protocol/calls/call-client.ts';
import type { FileFacts } from '../../../protocol/flash-protocol.ts';
import type { FlashPhase } from '../state/flash-state.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testBoard, testFamily, testPlan } from '../testing/families.ts';
import { freePort, setBatchMode } from './batch-mode.ts';
import { connect } from './flash-actions.ts';
import { flasherStore, flashOf, startFlasher } from './flasher-store.ts';

const boards = (...phases: [FlashPhase, FlashPhase, FlashPhase, FlashPhase]) => {
  const [one, two, three, four] = phases.map((phase) => ({ phase }));
  return { 1: one, 2: two, 3: three, 4: four } as Parameters<typeof freePort>[0];
};

it.each([
  [boards('writing', 'none', 'none', 'none'), 2],
  [boards('done', 'none', 'none', 'none'), 2],
  [boards('failed', 'writing', 'done', 'planned'), 3],
  [boards('failed', 'writing', 'writing', 'planned'), 1],
  [boards('writing', 'connecting', 'restarting', 'planned'), null],
])('a board that is plugged in takes no place that is in use', (flashes, port) => {
  expect(freePort(flashes, () => false)).toBe(port);
});

it.each([
  [boards('none', 'none', 'none', 'none'), 2],
  [boards('running', 'writing', 'writing', 'planned'), null],
])('a board that is plugged in does not take the place of one that a guest uses', (flashes, port) => {
  expect(freePort(flashes, (place) => place === 1)).toBe(port);
});

const file: FileFacts = {
  id: 1,
  name: 'app.bin',
  from: 'app.bin',
  size: 256,
  what: 'data',
  offset: 0,
  why: '',
  places: null,
  application: null,
  sha256: '0'.repeat(64),
};

describe('a bootloader on USB that is plugged in while another board is connected', () => {
  const call = fakeFlasher();
  silentBench();
  const ids = { vendorId: 0x2e8a, productId: 0x0003 };
  const devices: object[] = [];
  const bus = Object.assign(new EventTarget(), { getDevices: async () => devices });

  function plugIn(): object {
    const device = { ...ids };
    devices.push(device);
    bus.dispatchEvent(Object.assign(new Event('connect'), { device }));
    return device;
  }

  /** Connects a board at port 1. The answer settles the connect. */
  function connecting() {
    const answer = Promise.withResolvers<unknown>();
    const never = new Promise(() => undefined);
    const answers: Readonly<Record<string, unknown>> = { plan: testPlan, isUsbFree: isFree };
    call.mockImplementation(async (name: string, port: number) =>
      name === 'connect' ? (port === 1 ? answer.promise : never) : (answers[name] ?? never),
    );
    return { answer, ended: connect(1, { kind: 'demo' }) };
  }
  let isFree = true;

  const sources = () =>
    call.mock.calls.filter(([name]) => name === 'connect').map(([, port, { kind }]) => [port, kind]);

  beforeEach(() => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('SerialPort', EventTarget);
    vi.stubGlobal('navigator', { usb: bus, serial: Object.assign(new EventTarget(), { getPorts: async () => [] }) });
    devices.length = 0;
    isFree = true;
    call.mockReset();
    startFlasher({ ...testFamily, usbDevices: [ids] });
    flasherStore().setState({ chosen: { ...flasherStore().getState().chosen, files: [file] } });
    setBatchMode(true);
  });
  afterEach(() => setBatchMode(false));

  it('is started when that board is connected', async () => {
    const { answer, ended } = connecting();
    await vi.waitFor(() => expect(sources()).toEqual([[1, 'demo']]));
    plugIn();
    expect(sources()).toHaveLength(1);
    answer.resolve(testBoard());
    await ended;
    await vi.waitFor(() =>
      expect(sources()).toEqual([
        [1, 'demo'],
        [2, 'usb'],
      ]),
    );
  });

  it('is that board if its port has become the device', async () => {
    isFree = false;
    const { answer, ended } = connecting();
    await vi.waitFor(() => expect(sources()).toHaveLength(1));
    plugIn();
    answer.resolve(testBoard());
    await ended;
    await vi.waitFor(() => expect(call.mock.calls.map(([name]) => name)).toContain('isUsbFree'));
    expect(sources()).toHaveLength(1);
  });

  it('is left to a person if the connect fails', async () => {
    const { answer, ended } = connecting();
    await vi.waitFor(() => expect(sources()).toHaveLength(1));
    plugIn();
    answer.reject(new CallError({ name: 'FlashError', message: 'Cancelled.', code: 'cancelled', detail: null }));
    await ended;
    expect(flashOf(1).phase).toBe('failed');
    expect(call.mock.calls.map(([name]) => name)).not.toContain('isUsbFree');
  });
});
