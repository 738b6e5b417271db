/** The chips of the recorded rows and the devices of `recorded/devices.json`, as fakes. */
import { readFileSync } from 'node:fs';
import type { Clock } from '@wirebench/clock';
import { FakeCdc } from './chips/fake-cdc.ts';
import { FakeCh34x } from './chips/fake-ch34x.ts';
import { FakeCp210x } from './chips/fake-cp210x.ts';
import { FakeFtdi } from './chips/fake-ftdi.ts';
import { FakePl2303 } from './chips/fake-pl2303.ts';
import type { UartChip } from './chips/uart-chip.ts';
import { FakeUsbDevice, type UsbDescriptor } from './fake-usb-device.ts';

interface UartEndpoints {
  readonly in: number;
  readonly out: number;
  readonly interrupt?: number;
}

interface RecordedDevice extends UsbDescriptor {
  readonly family: string;
  readonly uarts: readonly UartEndpoints[];
}

const file = new URL('recorded/devices.json', import.meta.url);
/** Devices as a page sees them, by name. */
export const devices: Readonly<Record<string, RecordedDevice>> = JSON.parse(readFileSync(file, 'utf8'));

interface AdapterKind {
  /** Name of the device in the file. */
  readonly device: string;
  /** Place of the UART on the device. */
  readonly uart?: number;
  /** Descriptors that differ from those of the device. */
  readonly descriptor?: Partial<UsbDescriptor>;
  readonly chip: (uarts: readonly UartEndpoints[]) => UartChip;
}

const cp210x = (part: number) => (uarts: readonly UartEndpoints[]) => new FakeCp210x(uarts, part);
const high = (uarts: readonly UartEndpoints[]) => new FakeFtdi(uarts, { isHigh: true, isNumbered: true });

/** The 22 chips of the rows, and the devices that the rows leave out. */
const kinds = {
  'ch340-v30': { device: 'ch340-v31', chip: (uarts) => new FakeCh34x(uarts, { version: 0x30 }) },
  'ch340-v31': { device: 'ch340-v31', chip: (uarts) => new FakeCh34x(uarts) },
  ch341a: { device: 'ch341a', chip: (uarts) => new FakeCh34x(uarts, { version: 0x30 }) },
  cp2102: { device: 'cp2102', chip: cp210x(2) },
  cp2104: { device: 'cp2104', chip: cp210x(4) },
  'cp2105-enhanced': { device: 'cp2105', chip: cp210x(5) },
  'cp2105-standard': { device: 'cp2105', uart: 1, chip: cp210x(5) },
  ft232bm: { device: 'ft232r', descriptor: { deviceVersion: [4, 0, 0] }, chip: (uarts) => new FakeFtdi(uarts) },
  ft232r: { device: 'ft232r', chip: (uarts) => new FakeFtdi(uarts) },
  'ft2232h-a': { device: 'ft2232h', chip: high },
  'ft2232h-b': { device: 'ft2232h', uart: 1, chip: high },
  'ft4232h-c': { device: 'ft4232h', uart: 2, chip: high },
  ft231x: { device: 'ft231x', chip: (uarts) => new FakeFtdi(uarts, { isNumbered: true }) },
  'pl2303-hx': { device: 'pl2303-hx', chip: (uarts) => new FakePl2303(uarts, 'HX') },
  'pl2303-hxd': {
    device: 'pl2303-hx',
    descriptor: { deviceVersion: [4, 0, 0] },
    chip: (uarts) => new FakePl2303(uarts, 'HXD'),
  },
  'pl2303-ta': { device: 'pl2303-ta', chip: (uarts) => new FakePl2303(uarts, 'TA') },
  /** Has the versions of a TA, and refuses its register. */
  'pl2303-gt': { device: 'pl2303-ta', chip: (uarts) => new FakePl2303(uarts, 'G') },
  'pl2303-gc': { device: 'pl2303-gc', chip: (uarts) => new FakePl2303(uarts, 'G') },
  'pl2303-gl': {
    device: 'pl2303-gc',
    descriptor: { productId: 0x23d3, deviceVersion: [4, 0, 0] },
    chip: (uarts) => new FakePl2303(uarts, 'G'),
  },
  'pl2303-ge': {
    device: 'pl2303-gc',
    descriptor: { productId: 0x23e3, deviceVersion: [5, 0, 0] },
    chip: (uarts) => new FakePl2303(uarts, 'G'),
  },
  'cdc-esp-usb-jtag': { device: 'cdc-esp-usb-jtag', chip: (uarts) => new FakeCdc(uarts, [0]) },
  'cdc-pico': { device: 'cdc-pico', chip: (uarts) => new FakeCdc(uarts, [0]) },
  'cdc-two-functions-a': { device: 'cdc-two-functions', chip: (uarts) => new FakeCdc(uarts, [0, 2]) },
  'cdc-two-functions-b': { device: 'cdc-two-functions', uart: 1, chip: (uarts) => new FakeCdc(uarts, [0, 2]) },
} satisfies Record<string, AdapterKind>;

export type AdapterName = keyof typeof kinds;
export const adapterNames = Object.keys(kinds) as AdapterName[];
export const isAdapterName = (name: string): name is AdapterName => name in kinds;

export interface FakeAdapter {
  readonly device: FakeUsbDevice;
  readonly chip: UartChip;
  /** Place of the UART on the device. */
  readonly uart: number;
  readonly endpoints: UartEndpoints;
  readonly packetSize: number;
}

export function fakeAdapter(name: AdapterName, clock: Clock, latency?: () => number): FakeAdapter {
  return adapterOf(kinds[name], clock, latency);
}

/** Returns a fake of a device of the file with another chip. */
export function adapterOf(kind: AdapterKind, clock: Clock, latency?: () => number): FakeAdapter {
  const { device: deviceName, uart = 0, descriptor, chip: makeChip } = kind;
  const recorded = devices[deviceName];
  const endpoints = recorded?.uarts[uart];
  if (recorded === undefined || endpoints === undefined) {
    throw new Error(`${deviceName} is no recorded device with UART ${uart}`);
  }
  const chip = makeChip(recorded.uarts);
  const device = new FakeUsbDevice(
    { ...recorded, ...descriptor },
    chip,
    latency === undefined ? { clock } : { clock, latency },
  );
  const packetSize = recorded.configurations[0]?.interfaces
    .flatMap(({ alternates }) => alternates.flatMap((alternate) => alternate.endpoints))
    .find((one) => one.direction === 'in' && one.endpointNumber === endpoints.in)?.packetSize;
  return { device, chip, uart, endpoints, packetSize: packetSize ?? 64 };
}
