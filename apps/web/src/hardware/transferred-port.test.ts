import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, SimulatedSerial } from '@wirebench/devices';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { permittedPlaces } from './permitted-ports.ts';
import { takeTransferredPort, transferPort } from './transferred-port.ts';

const serial = () => new SimulatedSerial((ports) => ports[0] ?? null);

function plugIn(into: SimulatedSerial, usbProductId: number) {
  return into.plugIn({ device: new ChattyBoard(), clock: new VirtualClock(), usbVendorId: 0x10c4, usbProductId });
}

beforeEach(() => vi.stubGlobal('isSecureContext', true));
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

/** @param ids Product ids of the plugged-in boards. */
function browserWith(...ids: number[]): SimulatedSerial {
  const list = serial();
  for (const id of ids) {
    plugIn(list, id);
  }
  vi.stubGlobal('navigator', { serial: list });
  return list;
}

async function transferSecond(): Promise<void> {
  const [, second] = await permittedPlaces();
  if (second === undefined) {
    throw new Error('Two boards were plugged in.');
  }
  transferPort(second);
}

it('the next page takes up the port of this page, once', async () => {
  browserWith(0xea60, 0xea60);
  await transferSecond();
  expect(await takeTransferredPort()).toMatchObject({ index: 1, count: 2 });
  expect(await takeTransferredPort()).toBeNull();
});

it('a port that has moved within the list is known by its kind', async () => {
  browserWith(0x1111, 0xea60);
  await transferSecond();
  browserWith(0xea60);
  expect(await takeTransferredPort()).toMatchObject({ index: 0, count: 1 });
});

it('boards of one kind among which it cannot be told any more are left to the person', async () => {
  browserWith(0xea60, 0xea60);
  await transferSecond();
  browserWith(0xea60, 0xea60, 0xea60);
  expect(await takeTransferredPort()).toBeNull();
});

it('a board that is gone, or a note that nobody can read, transfers nothing', async () => {
  browserWith(0x1111, 0xea60);
  await transferSecond();
  browserWith(0x1111);
  expect(await takeTransferredPort()).toBeNull();
  sessionStorage.setItem('wirebench.handed-over-port', '{');
  expect(await takeTransferredPort()).toBeNull();
});
