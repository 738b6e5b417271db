import { FakeSerialPort } from '@wirebench/serial/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testFamily } from '../testing/families.ts';
import { watchNewBoards } from './board-ports.ts';
import { startFlasher } from './flasher-store.ts';

const usbSerialJtag = { usbVendorId: 0x30_3a, usbProductId: 0x10_01 };

let serial: EventTarget;
let listed: readonly FakeSerialPort[];

beforeEach(() => {
  startFlasher(testFamily);
  listed = [];
  serial = Object.assign(new EventTarget(), { getPorts: async () => listed });
  vi.stubGlobal('SerialPort', FakeSerialPort);
  Object.defineProperty(navigator, 'serial', { value: serial, configurable: true });
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serial');
});

function plug(port: FakeSerialPort): void {
  const event = new Event('connect');
  Object.defineProperty(event, 'target', { value: port });
  serial.dispatchEvent(event);
}

it('tells of a board once, though the browser makes two objects of it and lists one', async () => {
  const appeared = vi.fn();
  watchNewBoards(appeared);
  await Promise.resolve();
  const [stale, listedOne] = [new FakeSerialPort(usbSerialJtag), new FakeSerialPort(usbSerialJtag)];
  listed = [listedOne];
  plug(stale);
  plug(listedOne);
  await vi.waitFor(() => expect(appeared).toHaveBeenCalled());
  expect(appeared.mock.calls).toEqual([[listedOne]]);
});
