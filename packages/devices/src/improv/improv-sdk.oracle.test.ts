/**
 * The public SDK of Improv Wi-Fi (`improv-wifi-serial-sdk`, Apache-2.0), an independent client, has to accept a demo
 * board as a real one. It talks to it through a W3C SerialPort. Its waits run on faked timers.
 */
import { systemClock } from '@wirebench/clock';
import { ImprovSerial } from 'improv-wifi-serial-sdk/dist/serial.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EspDevice } from '../esp/esp-device.ts';
import { createEspPort } from '../esp/esp-port.ts';
import type { EspChipName } from '../esp/options.ts';
import type { ImprovFault } from './options.ts';

const silent = { log: () => undefined, error: () => undefined, debug: () => undefined };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Advances faked time until `work` has settled. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let ended = false;
  const settled = work.finally(() => {
    ended = true;
  });
  settled.catch(() => undefined);
  while (!ended) {
    await vi.advanceTimersByTimeAsync(20);
  }
  return settled;
}

/** Waits until the board's program runs, opens its port and returns the client. */
async function connected(chip: EspChipName, faults: readonly ImprovFault[] = []): Promise<ImprovSerial> {
  const device = new EspDevice({ chip, improv: { faults } });
  const { port } = createEspPort(device, { clock: systemClock, pace: 'none' });
  if (port === null) {
    throw new Error('nothing is plugged in');
  }
  await vi.advanceTimersByTimeAsync(1_500);
  await inTime(port.open({ baudRate: 115_200 }));
  return new ImprovSerial(port, silent);
}

it.each([
  ['esp32', 'ESP32'],
  ['esp32c3', 'ESP32-C3'],
  ['esp32s2', 'ESP32-S2'],
  ['esp8266', 'ESP8266'],
] as const)('lets the SDK set up the Wi-Fi of an %s', async (chip, title) => {
  const client = await connected(chip);
  const info = await inTime(client.initialize());
  expect(info).toMatchObject({ chipFamily: title, name: 'Wirebench demo' });
  expect(client.nextUrl).toBeUndefined();
  const networks = await inTime(client.scan(10_000));
  expect(networks).toContainEqual({ name: 'Workbench', rssi: -47, secured: true });
  expect(networks).toContainEqual({ name: 'Café Gäste', rssi: -66, secured: false });
  await expect(inTime(client.provision('Workbench', 'wrong', 10_000))).rejects.toBe('UNABLE_TO_CONNECT');
  await inTime(client.provision('Workbench', 'solder-and-flux', 10_000));
  expect(client.nextUrl).toBe('http://192.0.2.23/');
  expect(client.state).toBe(4);
  await inTime(client.requestCurrentState());
  expect(client.nextUrl).toBe('http://192.0.2.23/');
  await inTime(client.close());
});

it.each(['split', 'text-before'] as const)('lets the SDK read packets with the fault %s', async (kind) => {
  const client = await connected('esp32', [{ to: 'host', kind }]);
  await inTime(client.initialize());
  await inTime(client.provision('Workbench', 'solder-and-flux', 10_000));
  expect(client.state).toBe(4);
  await inTime(client.close());
});

it('lets the SDK notice a lost answer', async () => {
  const client = await connected('esp32', [{ to: 'host', nth: 3, kind: 'drop' }]);
  await inTime(client.initialize());
  const scan = inTime(client.requestInfo(2_000));
  await expect(scan).rejects.toBe('TIMEOUT');
  await inTime(client.requestInfo(2_000));
  expect(client.info?.chipFamily).toBe('ESP32');
  await inTime(client.close());
});
