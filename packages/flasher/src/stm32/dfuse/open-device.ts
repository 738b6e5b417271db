/** Opens and claims the DFU interface of a USB device, and reads the memories that it names. */
import type { Clock } from '@wirebench/clock';
import { errorName } from '@wirebench/port';
import { isUsableSize, reportedSizeText } from '../../core/reported-size.ts';
import { StmError } from '../stm-failure.ts';
import { DfuLink } from './dfu-link.ts';
import { type MemoryLayout, parseMemoryLayout } from './memory-layout.ts';
import { type ConfigurationFacts, parseConfiguration, parseString } from './requests.ts';
import type { UsbAlternate, UsbConfiguration, UsbDevice, UsbInterface } from './usb-device.ts';

/** Class, subclass and protocol of an interface in DFU mode (DFU table 4.4). */
const dfu = { class: 0xfe, subclass: 0x01, protocol: 0x02 } as const;
/** Request and descriptor types (USB 2.0 tables 9-4 and 9-5). */
const GET_DESCRIPTOR = 6;
const descriptor = { configuration: 2, string: 3 } as const;
const LONGEST_DESCRIPTOR = 4_096;
const ENGLISH = 0x0409;
/** Bytes of a transfer if no descriptor states them (AN3156 section 1). */
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

/**
 * Opens `device`.
 *
 * @throws StmError `usb-driver`, `usb-not-dfu`, `port-gone`; the device is closed then.
 */
export async function openDevice(
  clock: Clock,
  device: UsbDevice,
  gone: AbortSignal | undefined,
): Promise<OpenedDevice> {
  try {
    return await claim(clock, device, gone);
  } catch (error) {
    // Closing fails for a device that could not be opened.
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
    throw new StmError('size-unusable', { detail: reportedSizeText('wTransferSize', transferSize) });
  }
  return { link: new DfuLink(clock, device, interfaceNumber, gone), interfaceNumber, memories, transferSize };
}

interface FoundInterface {
  /** Index of the configuration in its device. */
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

/**
 * Converts errors of WebUSB (section "USBDevice Interface"): SecurityError if the system forbids access, NetworkError
 * if a driver holds the interface.
 */
async function orDriver(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = errorName(error) === 'NotFoundError' ? 'port-gone' : 'usb-driver';
    throw new StmError(code, { cause: error, detail: error instanceof Error ? error.message : String(error) });
  }
}

/** Returns null if the browser does not provide the descriptor; default values are used then. */
async function readConfiguration(device: UsbDevice, index: number): Promise<ConfigurationFacts | null> {
  const data = await readDescriptor(device, descriptor.configuration, index, 0, LONGEST_DESCRIPTOR);
  return data === null ? null : parseConfiguration(data);
}

/**
 * Returns the name of an alternate setting. Some systems do not provide names, so the string is requested by its
 * index.
 */
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
