import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, SimulatedSerial } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { permittedPlaces, placeOf, portAt, watchPorts } from './permitted-ports.ts';
import { requestPort } from './port-request.ts';
import { rememberedPorts, serialSupport } from './serial-support.ts';

/** A browser with these boards plugged in. The person picks the second. */
function browserWith(...products: number[]) {
  const serial = new SimulatedSerial((ports) => ports[1] ?? null);
  const clock = new VirtualClock();
  const bridges = products.map((usbProductId) =>
    serial.plugIn({ device: new ChattyBoard(), clock, usbVendorId: 0x10c4, usbProductId }),
  );
  vi.stubGlobal('navigator', { serial });
  vi.stubGlobal('SerialPort', EventTarget);
  return { serial, bridges };
}

describe('permitted ports', () => {
  beforeEach(() => vi.stubGlobal('isSecureContext', true));
  afterEach(() => vi.unstubAllGlobals());

  it('finds the picked port again by its place', async () => {
    const { bridges } = browserWith(1, 2, 3);
    const place = await requestPort();
    expect(place).toMatchObject({ index: 1, count: 3, info: { usbProductId: 2 } });
    expect(place && (await portAt(place))).toBe(bridges[1]?.port);
  });

  it('finds none when the list has changed since', async () => {
    const { bridges } = browserWith(1, 2, 3);
    const place = await requestPort();
    bridges[0]?.unplug();
    expect(place && (await portAt(place))).toBeUndefined();
  });

  it('finds none when another board stands at that place', async () => {
    const { bridges } = browserWith(1, 2);
    const [, place] = await permittedPlaces();
    bridges[1]?.replug({ usbVendorId: 0x1a86, usbProductId: 0x7523 });
    expect(place && (await portAt(place))).toBeUndefined();
  });

  it('names the place of a port for as long as it is there', async () => {
    const { bridges } = browserWith(1, 2);
    const second = bridges[1]?.port as SerialPort;
    expect(await placeOf(second)).toMatchObject({ index: 1, count: 2, info: { usbProductId: 2 } });
    bridges[1]?.unplug();
    expect(await placeOf(second)).toBeUndefined();
  });

  it('gives null when the dialog was closed without a choice', async () => {
    browserWith(1);
    expect(await requestPort()).toBeNull();
  });

  it('passes a refusal of the browser on', async () => {
    const { serial } = browserWith(1, 2);
    vi.spyOn(serial, 'requestPort').mockRejectedValue(new DOMException('disallowed', 'SecurityError'));
    await expect(requestPort()).rejects.toThrow('disallowed');
  });

  it('reports a board each time it is plugged in', async () => {
    const { bridges } = browserWith(1, 2);
    const appeared: SerialPort[] = [];
    watchPorts((port) => appeared.push(port));
    for (let time = 0; time < 2; time++) {
      bridges[0]?.replug();
      await Promise.resolve();
      await Promise.resolve();
      expect(appeared.at(-1)).toBe(bridges[0]?.port);
    }
    expect(appeared).toHaveLength(2);
  });

  it('has none where a policy keeps ports from the page', async () => {
    const { serial } = browserWith(1, 2);
    vi.spyOn(serial, 'getPorts').mockRejectedValue(
      new DOMException('disallowed by permissions policy', 'SecurityError'),
    );
    expect(await rememberedPorts()).toBe(0);
    expect(await permittedPlaces()).toEqual([]);
  });

  it('counts what needs no dialog, and nothing where there is no Web Serial', async () => {
    browserWith(1, 2);
    expect(await rememberedPorts()).toBe(2);
    expect(serialSupport()).toBe('ready');
    vi.stubGlobal('navigator', {});
    expect(await rememberedPorts()).toBe(0);
    expect(await permittedPlaces()).toEqual([]);
    expect(serialSupport()).toBe('unsupported');
    vi.stubGlobal('isSecureContext', false);
    expect(serialSupport()).toBe('insecure-context');
  });
});
