/** Opens and claims the DFU interface of a USB device, and reads the memories that it names. */
import type { Clock } from '@wirebench/clock';
import { errorName } from '@wirebench/port';
import type { FlashRange } from '../../core/region.ts';
import { isUsableSize, reportedSizeText } from '../../core/reported-size.ts';
import type { UsbAlternate, UsbConfiguration, UsbDevice, UsbInterface } from '../../usb-device.ts';
import { StmError } from '../stm-failure.ts';
import { DfuLink } from './dfu-link.ts';
import { type ConfigurationFacts, parseConfiguration, parseString } from './requests.ts';

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

/**
 * Parses the name of an alternate setting, which describes a memory and its sectors (ST UM0424, "DFU mode interface
 * descriptor": `@Internal Flash /0x08000000/04*016Kg,01*064Kg,07*128Kg`). A name may list several stretches with
 * their own addresses.
 */

export interface LayoutSector extends FlashRange {
  readonly readable: boolean;
  readonly erasable: boolean;
  readonly writable: boolean;
}

export interface MemoryLayout {
  /** For example `Internal Flash`. */
  readonly name: string;
  /** In the order of the name. */
  readonly sectors: readonly LayoutSector[];
}

/** Letter after a sector's size → its multiplier. Nothing or B means bytes. */
const multipliers: Readonly<Record<string, number>> = { '': 1, ' ': 1, B: 1, K: 1_024, M: 1_048_576 };
/** Most sectors of a memory. A damaged name may state far more. */
const MAXIMUM_SECTORS = 65_536;

const addressPattern = /\s*\/\s*0x([\da-f]{1,8})\s*\//iy;
const groupPattern = /\s*(\d+)\s*\*\s*(\d+)\s*([ BKMkm]?)\s*([a-g])/y;
const commaPattern = /\s*,/y;

/**
 * Parses the text as far as it is a layout. Trailing stray characters are ignored: the string descriptor of an
 * STM32F429 is longer than its text.
 *
 * @returns null for a name without a complete group of sectors.
 */
export function parseMemoryLayout(text: string): MemoryLayout | null {
  const start = text.search(/\/\s*0x[\da-f]/i);
  if (!text.startsWith('@') || start < 0) {
    return null;
  }
  const sectors: LayoutSector[] = [];
  const scanner = new Scanner(text, start);
  for (let match = scanner.take(addressPattern); match !== null; match = scanner.take(addressPattern)) {
    if (!addStretch(sectors, Number.parseInt(match[1] ?? '', 16), scanner)) {
      break;
    }
  }
  return sectors.length === 0 ? null : { name: text.slice(1, start).trim(), sectors };
}

class Scanner {
  readonly #text: string;
  #at: number;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  /**
   * Matches a pattern at the current position, which advances only on success.
   *
   * @param pattern Sticky.
   */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    this.#at = match === null ? this.#at : pattern.lastIndex;
    return match;
  }
}

/**
 * Adds the groups after an address.
 *
 * @returns false for an impossible group, because everything after it would have a wrong address.
 */
function addStretch(sectors: LayoutSector[], start: number, scanner: Scanner): boolean {
  let offset = start;
  for (let match = scanner.take(groupPattern); match !== null; match = scanner.take(groupPattern)) {
    const [, count = '', size = '', multiplier = '', letter = ''] = match;
    const length = Number(size) * (multipliers[multiplier.toUpperCase()] ?? 0);
    const end = offset + Number(count) * length;
    if (length === 0 || sectors.length + Number(count) > MAXIMUM_SECTORS || end > 2 ** 32) {
      return false;
    }
    // UM0424: a is readable, b erasable, d writable; the letters between are combinations.
    const flags = letter.charCodeAt(0) - 0x60;
    const access = { readable: (flags & 1) !== 0, erasable: (flags & 2) !== 0, writable: (flags & 4) !== 0 };
    for (; offset < end; offset += length) {
      sectors.push({ offset, length, ...access });
    }
    if (scanner.take(commaPattern) === null) {
      break;
    }
  }
  return true;
}

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
