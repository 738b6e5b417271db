import { echoBoard, FakeUsbBus } from '@wirebench/usb-serial/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserStorage } from '../shared/storage/browser-storage.ts';

const userAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36';

/** Web Serial of Android 16: an interface whose list is empty. */
class EmptySerial extends EventTarget {
  readonly getPorts = async () => [];
  readonly requestPort = vi.fn(() => Promise.reject(new DOMException('No port selected.', 'NotFoundError')));
}

/** A phone with its modules, which are loaded once a page. */
async function phone(version: string | null) {
  vi.resetModules();
  const usb = new FakeUsbBus();
  const serial = new EmptySerial();
  const userAgentData = version && { getHighEntropyValues: async () => ({ platformVersion: version }) };
  vi.stubGlobal('navigator', { userAgent, usb, serial, ...(userAgentData && { userAgentData }) });
  const { requestPort } = await import('./port-request.ts');
  // The page loads them before the first press.
  await import('./phone-chooser.ts');
  const ports = await import('./permitted-ports.ts');
  const { useDismissedList: _, ...dismissed } = await import('./dismissed-list.ts');
  return { usb, serial, requestPort, ...ports, dismissed };
}

describe('ports on a phone', () => {
  beforeEach(() => browserStorage.removeItem('wirebench.board-list'));
  afterEach(() => vi.unstubAllGlobals());

  it('come from WebUSB at once before Android 17, and are found again by their place', async () => {
    const { usb, serial, requestPort, portAt, placeOf } = await phone('16.0.0');
    const boards = [echoBoard(), echoBoard()];
    for (const board of boards) {
      usb.plugIn(board);
    }
    usb.choose = () => boards[1];
    const place = await requestPort();
    expect(serial.requestPort).not.toHaveBeenCalled();
    expect(place).toMatchObject({ index: 1, count: 2, info: { usbVendorId: 0x2e8a } });
    const port = place && (await portAt(place));
    expect(port && (await placeOf(port))).toEqual(place);
  });

  it('are chosen again when the list has changed, even if a board of the same kind is at that place', async () => {
    const { usb, requestPort, portAt } = await phone('16.0.0');
    const boards = [echoBoard(), echoBoard()];
    for (const board of boards) {
      usb.plugIn(board);
    }
    const place = await requestPort();
    const [first] = boards;
    if (first !== undefined) {
      usb.unplug(first);
    }
    expect(place && (await portAt(place))).toBeUndefined();
  });

  it('have the other list after one more press when that of Web Serial is empty, which is remembered', async () => {
    const { usb, serial, requestPort } = await phone('17.0.0');
    const requestDevice = vi.spyOn(usb, 'requestDevice');
    usb.plugIn(echoBoard());
    expect(await requestPort()).toBeNull();
    expect(requestDevice).not.toHaveBeenCalled();
    expect(await requestPort('usb')).toMatchObject({ index: 0, count: 1 });
    expect(serial.requestPort).toHaveBeenCalledOnce();
    expect(browserStorage.getItem('wirebench.board-list')).toBe('usb');
    expect(await requestPort()).toMatchObject({ index: 0 });
    expect(serial.requestPort).toHaveBeenCalledOnce();
  });

  it('report boards that come and go', async () => {
    const { usb, watchPorts, watchPortChanges, permittedPorts } = await phone(null);
    const appeared: SerialPort[] = [];
    let changes = 0;
    watchPorts((port) => appeared.push(port));
    const stop = watchPortChanges(() => changes++);
    await permittedPorts();
    const board = echoBoard();
    usb.plugIn(board);
    await vi.waitFor(() => expect(appeared).toHaveLength(1));
    usb.unplug(board);
    await vi.waitFor(() => expect(changes).toBe(2));
    stop();
    await permittedPorts();
    usb.plugIn(echoBoard());
    await vi.waitFor(() => expect(appeared).toHaveLength(2));
    expect(changes).toBe(2);
  });
});
