import { labBreadboard } from '@wirebench/devices';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDevice } from './devices/device-actions.ts';
import { changeDevice, devicesNow, forgetDevices } from './devices/device-store.ts';
import { shippedAt } from './devices/identify.ts';
import { nextStep } from './next-step.ts';
import { labNow } from './store/lab-store.ts';
import { fakeLab, openBench } from './testing/fake-lab.ts';
import { partBus } from './testing/part-bus.ts';

const bus = { sda: 21, scl: 22, clock: 100_000 };
const pairs = [{ sda: 21, scl: 22, addresses: [0x76] }];
const found = { i2c: bus, scan: { running: false, asked: 112 }, found: [0x3c, 0x76] };

const step = () => nextStep(labNow(), devicesNow());

async function open(address: number, name: string): Promise<void> {
  const chip = shippedAt(address).find(({ content }) => content.name === name);
  if (chip === undefined) {
    throw new Error(`No description of ${name}.`);
  }
  await openDevice(address, chip);
}

beforeEach(() => {
  fakeLab({ transferAll: partBus([labBreadboard('esp32').bme280]).transferAll });
  openBench();
});
afterEach(forgetDevices);

it('leads from the pins to readings, one step at a time', async () => {
  expect(step()).toEqual({ kind: 'find', address: null });
  openBench({ pairs });
  expect(step()).toEqual({ kind: 'use', address: null });
  openBench({ i2c: bus, i2cWork: 'scanning', scan: { running: true, asked: 3 } });
  expect(step()).toBeNull();
  openBench(found, { device: 0x76 });
  expect(step()).toEqual({ kind: 'open', address: 0x76 });
  await open(0x76, 'BME280');
  expect(step()).toEqual({ kind: 'initialise', address: 0x76 });
  changeDevice(0x76, { initialisedAt: 1 });
  expect(step()).toEqual({ kind: 'live', address: 0x76 });
  changeDevice(0x76, { interval: 1_000 });
  expect(step()).toBeNull();
});

it('looks for the pins again where a search or a scan has found nothing', () => {
  openBench({ pairs: [] });
  expect(step()?.kind).toBe('find');
  openBench({ ...found, found: [] });
  expect(step()?.kind).toBe('find');
});

it('is to read a device that was set up before', async () => {
  openBench(found, { device: 0x76 });
  await open(0x76, 'BME280');
  changeDevice(0x76, { readAt: 1 });
  expect(step()?.kind).toBe('live');
  changeDevice(0x76, { readAt: null, needsSetUp: true });
  expect(step()?.kind).toBe('initialise');
});

it('is to write to a display, once it is set up', async () => {
  openBench(found, { device: 0x3c });
  await open(0x3c, 'SSD1306');
  expect(step()?.kind).toBe('initialise');
  changeDevice(0x3c, { initialisedAt: 1 });
  expect(step()?.kind).toBe('show');
  changeDevice(0x3c, { hasPicture: true });
  expect(step()).toBeNull();
});

it('is to free a bus that hangs before anything else, then to use the capture that is shown', () => {
  openBench({ ...found, halted: { sda: true, scl: false, recovered: false } }, { captureOffered: true });
  expect(step()?.kind).toBe('recover');
  openBench(found, { captureOffered: true });
  expect(step()?.kind).toBe('capture');
});

it('is nothing while no board is open', () => {
  for (const phase of ['idle', 'connecting', 'leaving', 'lost'] as const) {
    openBench({}, { phase });
    expect(step()).toBeNull();
  }
});
