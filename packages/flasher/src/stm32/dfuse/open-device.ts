/** From a USB device to its DFU interface: opened, claimed, with the memories that it names. */
import type { Clock } from '@wirebench/clock';
import { errorName } from '@wirebench/serial/port';
import { isUsableSize, toldSizeText } from '../../core/told-size.ts';
import { StmError } from '../stm-failure.ts';
import { DfuLink } from './dfu-link.ts';
import { type MemoryLayout, parseMemoryLayout } from './memory-layout.ts';
import { type ConfigurationFacts, parseConfiguration, parseString } from './requests.ts';
import type { UsbAlternate, UsbConfiguration, UsbDevice, UsbInterface } from './usb-device.ts';

/** DFU table 4.4: class and subclass of an interface in DFU mode, and its protocol. */
const dfu = { class: 0xfe, subclass: 0x01, protocol: 0x02 } as const;
/** USB 2.0 tables 9-4 and 9-5. */
const GET_DESCRIPTOR = 6;
const descriptor = { configuration: 2, string: 3 } as const;
const LONGEST_DESCRIPTOR = 4_096;
const ENGLISH = 0x0409;
/** AN3156 section 1, where no descriptor says. */
const usualTransferSize = 2_048;
/** The longest command has 5 bytes (AN3156 section 5), and flash is written in 8 bytes at most parts. */
const leastTransferSize = 8;

export interface Memory extends MemoryLayout {
  readonly alternate: number;
}

export interface OpenedDevice {
  readonly link: DfuLink;
  readonly interfaceNumber: number;
  readonly memories: readonly Memory[];
  readonly transferSize: number;
}

/** @throws StmError `usb-driver`, `usb-not-dfu`, `port-gone`; the device is closed then. */
export async function openDevice(
  clock: Clock,
  device: UsbDevice,
  gone: AbortSignal | undefined,
): Promise<OpenedDevice> {
  try {
    return await claim(clock, device, gone);
  } catch (error) {
    // What could not be opened cannot be closed either.
    await device.close().catch(() => undefined);
    throw error;
  }
}

async function claim(clock: Clock, device: UsbDevice, gone: AbortSignal | undefined): Promise<OpenedDevice> {
  const found = findInterface(device);
  if (found === null) {
    throw new StmError('usb-not-dfu');
  }
  const { index, configuration, dfuInterface } = found;
  const { interfaceNumber } = dfuInterface;
  await orDriver(async () => {
    if (!device.opened) {
      await device.open();
    }
    if (device.configuration?.configurationValue !== configuration.configurationValue) {
      await device.selectConfiguration(configuration.configurationValue);
    }
    await device.claimInterface(interfaceNumber);
  });
  const facts = await readConfiguration(device, index);
  const memories: Memory[] = [];
  for (const alternate of dfuInterface.alternates) {
    const name = await nameOf(device, interfaceNumber, alternate, facts);
    const layout = name === null ? null : parseMemoryLayout(name);
    if (layout !== null) {
      memories.push({ ...layout, alternate: alternate.alternateSetting });
    }
  }
  const transferSize = facts?.transferSize ?? usualTransferSize;
  if (!isUsableSize(transferSize, leastTransferSize)) {
    throw new StmError('size-unusable', { detail: toldSizeText('wTransferSize', transferSize) });
  }
  return { link: new DfuLink(clock, device, interfaceNumber, gone), interfaceNumber, memories, transferSize };
}

interface FoundInterface {
  /** Of the configuration among its device's. */
  readonly index: number;
  readonly configuration: UsbConfiguration;
  readonly dfuInterface: UsbInterface;
}

function findInterface(device: UsbDevice): FoundInterface | null {
  for (const [index, configuration] of device.configurations.entries()) {
    const dfuInterface = configuration.interfaces.find(({ alternates }) => alternates.some(isDfu));
    if (dfuInterface !== undefined) {
      return { index, configuration, dfuInterface };
    }
  }
  return null;
}

function isDfu({ interfaceClass, interfaceSubclass, interfaceProtocol }: UsbAlternate): boolean {
  return interfaceClass === dfu.class && interfaceSubclass === dfu.subclass && interfaceProtocol === dfu.protocol;
}

/** WebUSB section "USBDevice Interface": SecurityError for what the system forbids, NetworkError where a driver holds it. */
async function orDriver(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = errorName(error) === 'NotFoundError' ? 'port-gone' : 'usb-driver';
    throw new StmError(code, { cause: error, detail: error instanceof Error ? error.message : String(error) });
  }
}

/** Null where the browser does not hand it out: then the usual values have to do. */
async function readConfiguration(device: UsbDevice, index: number): Promise<ConfigurationFacts | null> {
  const data = await readDescriptor(device, descriptor.configuration, index, 0, LONGEST_DESCRIPTOR);
  return data === null ? null : parseConfiguration(data);
}

/** Some systems do not tell names: then the string is asked for by its index. */
async function nameOf(
  device: UsbDevice,
  interfaceNumber: number,
  { alternateSetting, interfaceName }: UsbAlternate,
  facts: ConfigurationFacts | null,
): Promise<string | null> {
  if (interfaceName) {
    return interfaceName;
  }
  const index = facts?.names.get(`${interfaceNumber}.${alternateSetting}`) ?? 0;
  const data = index === 0 ? null : await readDescriptor(device, descriptor.string, index, ENGLISH, 255);
  return data === null ? null : parseString(data);
}

async function readDescriptor(
  device: UsbDevice,
  type: number,
  number: number,
  language: number,
  length: number,
): Promise<DataView | null> {
  const value = type * 256 + number;
  const setup = {
    requestType: 'standard',
    recipient: 'device',
    request: GET_DESCRIPTOR,
    value,
    index: language,
  } as const;
  const result = await device.controlTransferIn(setup, length);
  return result.status === 'stall' ? null : (result.data ?? null);
}
