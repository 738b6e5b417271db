import { FakeSerialPort } from '@wirebench/port/testing';
import { type PortNumber, reconnectPeriod } from '@wirebench/serial';
import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest';
import { placeIn } from '../../../hardware/permitted-ports.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { changeSharing } from '../../../workbench/sharing/sharing-store.ts';
import { testFamily } from '../testing/families.ts';
import { isUsedByGuest, noteBoard, watchNewBoards } from './board-ports.ts';
import { dispatch, startFlasher } from './flasher-store.ts';

const usbSerialJtag = { usbVendorId: 0x30_3a, usbProductId: 0x10_01 };

let serial: EventTarget;
let listed: readonly FakeSerialPort[];
/** Ends the listeners of a test, because each test has its own page. */
const endings: (() => void)[] = [];

beforeEach(() => {
  startFlasher(testFamily);
  listed = [];
  serial = Object.assign(new EventTarget(), { getPorts: async () => listed });
  vi.stubGlobal('SerialPort', FakeSerialPort);
  Object.defineProperty(navigator, 'serial', { value: serial, configurable: true });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const end of endings.splice(0)) {
    end();
  }
  vi.unstubAllGlobals();
  changeSharing({ phase: 'off' });
  Reflect.deleteProperty(navigator, 'serial');
});

function plug(port: FakeSerialPort): void {
  const event = new Event('connect');
  Object.defineProperty(event, 'target', { value: port });
  serial.dispatchEvent(event);
}

function watch(): { readonly appeared: Mock; readonly freed: Mock } {
  const { onTick } = benchStatus;
  vi.spyOn(benchStatus, 'onTick').mockImplementation((listener) => {
    const end = onTick(listener);
    endings.push(end);
    return end;
  });
  const listeners = { appeared: vi.fn(), freed: vi.fn() };
  watchNewBoards(listeners);
  return listeners;
}

/** Publishes a tick of the bench about port 1. */
function tell(user: string | null, plugged: boolean): void {
  const { users, devices } = benchStatus.tick;
  const at = <Value>(all: Readonly<Record<PortNumber, Value>>, value: Value) => ({ ...all, 1: value });
  benchStatus.accept({
    ...benchStatus.tick,
    users: at(users, user),
    devices: at(devices, { kind: 'serial', plugged }),
  });
}

it('reports a board once, though the browser makes two objects of it and lists one', async () => {
  const { appeared } = watch();
  await Promise.resolve();
  const [stale, listedOne] = [new FakeSerialPort(usbSerialJtag), new FakeSerialPort(usbSerialJtag)];
  listed = [listedOne];
  plug(stale);
  plug(listedOne);
  await vi.waitFor(() => expect(appeared).toHaveBeenCalled(), 15_000);
  expect(appeared.mock.calls).toEqual([[listedOne]]);
});

it('knows the port of a program that was a USB device before its restart', async () => {
  startFlasher({ ...testFamily, usbDevices: [{ vendorId: 0x2e8a, productId: 0x0003 }] });
  const place = { index: 0, count: 1, vendorId: 0x2e8a, productId: 0x0003 };
  dispatch(1, { type: 'connect', source: { kind: 'usb', place } });
  const { appeared } = watch();
  await Promise.resolve();
  const program = new FakeSerialPort({ usbVendorId: 0x2e8a, usbProductId: 0x000a });
  const other = new FakeSerialPort(usbSerialJtag);
  listed = [program, other];
  plug(program);
  plug(other);
  await vi.waitFor(() => expect(appeared).toHaveBeenCalled(), 15_000);
  expect(appeared.mock.calls).toEqual([[other]]);
});

it('leaves a board to the guest whose tool restarts it', async () => {
  const [board, other] = [new FakeSerialPort(usbSerialJtag), new FakeSerialPort(usbSerialJtag)];
  listed = [board];
  noteBoard(1, { kind: 'serial', place: placeIn(listed, board) });
  const { appeared } = watch();
  await Promise.resolve();
  changeSharing({ phase: 'on' });
  tell('Aylin K.', true);
  expect(isUsedByGuest(1)).toBe(true);

  await board.unplug();
  tell(null, false);
  expect(isUsedByGuest(1)).toBe(true);
  const back = new FakeSerialPort(usbSerialJtag);
  listed = [back];
  plug(back);
  listed = [back, other];
  plug(other);
  await vi.waitFor(() => expect(appeared).toHaveBeenCalled(), 15_000);
  expect(appeared.mock.calls).toEqual([[other]]);

  tell(null, true);
  expect(isUsedByGuest(1)).toBe(false);
});

it('gives the place of a guest to others when its board has not come back in time', async () => {
  vi.useFakeTimers();
  const { freed } = watch();
  changeSharing({ phase: 'on' });
  tell('Aylin K.', true);
  tell(null, false);
  await vi.advanceTimersByTimeAsync(reconnectPeriod - 1_000);
  tell(null, false);
  expect(isUsedByGuest(1)).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isUsedByGuest(1)).toBe(false);
  expect(freed).toHaveBeenCalledOnce();

  tell('Aylin K.', true);
  tell(null, false);
  await vi.advanceTimersByTimeAsync(reconnectPeriod / 2);
  tell('Aylin K.', true);
  await vi.advanceTimersByTimeAsync(reconnectPeriod);
  expect(isUsedByGuest(1)).toBe(true);
  expect(freed).toHaveBeenCalledOnce();
});
