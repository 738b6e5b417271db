import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, SimulatedSerial } from '@wirebench/devices';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { CallError } from '../../calls/call-client.ts';
import { PlaceOutdatedError } from '../../host/port-devices.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { connect } from './flash-actions.ts';
import { flashOf, startFlasher } from './flasher-store.ts';

const call = vi.hoisted(() => vi.fn());
vi.mock('./flasher-line.ts', () => ({ getFlasher: () => ({ call }) }));
vi.mock('./monitor-actions.ts', () => ({ closeMonitor: async () => undefined, watchStart: async () => undefined }));

const { name, message } = new PlaceOutdatedError();
const outdated = new CallError({ name, message, code: null, detail: null });

/** Two boards of one kind, of which the second is called. */
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
