/**
 * A `USBDevice` of WebUSB with a simulated part and its USB bootloader at the other end. It represents one presence
 * on the bus: a device that comes back is a new object, as in Chromium. Rules and messages are Chromium's.
 */
import type { Clock } from '@wirebench/clock';
import type { StmUsbFacts } from '../parts/part.ts';
import {
  type UsbAlternate,
  type UsbConfiguration,
  type UsbControlSetup,
  type UsbInResult,
  type UsbInterface,
  type UsbOutResult,
  usbError,
} from './web-usb.ts';

/** The part behind a device, which answers requests of the DFU class. */
export interface UsbPart {
  readonly clock: Clock;
  /** `none`: transfers take no time. */
  readonly pace: 'wire' | 'none';
  readonly alternates: readonly string[];
  readonly transferSize: number;
  /** bcdDevice. */
  readonly release: number;
  readonly serialNumber: string;
  /** Returns bytes for the host, or `stall`. Resolves when the part answers, never if it hangs. */
  request(setup: UsbControlSetup, data: Uint8Array, length: number): Promise<Uint8Array<ArrayBuffer> | 'stall'>;
  /** Revokes the page's permission. */
  forget(): void;
}

/**
 * Returns the milliseconds of a control transfer at full speed: one frame, plus frames of 19 packets of 64 bytes (USB
 * 2.0, section 5.5.4).
 */
function controlTransferTime(bytes: number): number {
  return 1 + Math.ceil(bytes / 64) / 19;
}

const getDescriptor = 6;

/**
 * The descriptors of the USB bootloader as bytes: device, configuration with an alternate setting for each memory,
 * and strings. USB 2.0, section 9.6; DFU 1.1, sections 4.2.3 and 4.1.3 (functional descriptor); UM0424, section
 * 4.3.2.
 */
const vendorId = 0x0483;
const productId = 0xdf11;
/** USB 1.0, the version that the bootloaders report. */
const usbVersion = 0x0100;
/** DFU class, DFU mode with DfuSe. */
const interfaceCodes = { class: 0xfe, subclass: 0x01, protocol: 0x02 } as const;
const names = { manufacturer: 'STMicroelectronics', product: 'STM32  BOOTLOADER' } as const;

const descriptorType = { device: 1, configuration: 2, string: 3, interface: 4, dfu: 0x21 } as const;
/** Index of the first alternate setting's string. Before it: manufacturer, product and serial number. */
const firstAlternateString = 4;
/** Can download, can upload, is not manifestation tolerant, will detach. */
const dfuAttributes = 0x0b;
/** Version of DfuSe: DFU 1.1a. */
const dfuVersion = 0x011a;
const detachTimeout = 255;
const englishUnitedStates = 0x0409;

/** Returns the descriptor for the value of a GET_DESCRIPTOR request; null if it does not exist. */
function descriptorOf(facts: StmUsbFacts, serial: string, value: number): Uint8Array<ArrayBuffer> | null {
  const index = value & 0xff;
  switch (value >> 8) {
    case descriptorType.device:
      return deviceDescriptor(facts);
    case descriptorType.configuration:
      return index === 0 ? configurationDescriptor(facts) : null;
    case descriptorType.string:
      return index === 0 ? languages() : stringDescriptor(facts, serial, index);
    default:
      return null;
  }
}

function deviceDescriptor({ release }: StmUsbFacts): Uint8Array<ArrayBuffer> {
  const ids = [usbVersion, vendorId, productId, release].map(lowHigh);
  const [version = [], ...others] = ids;
  const classes = [0, 0, 0];
  const packetSize = 64;
  return Uint8Array.from([18, descriptorType.device, ...version, ...classes, packetSize, ...others.flat(), 1, 2, 3, 1]);
}

function configurationDescriptor({ alternates, transferSize }: StmUsbFacts): Uint8Array<ArrayBuffer> {
  const { class: code, subclass, protocol } = interfaceCodes;
  const interfaces = alternates.flatMap((_, alternate) => {
    const name = firstAlternateString + alternate;
    return [9, descriptorType.interface, 0, alternate, 0, code, subclass, protocol, name];
  });
  const sizes = [detachTimeout, transferSize, dfuVersion].flatMap(lowHigh);
  const functional = [9, descriptorType.dfu, dfuAttributes, ...sizes];
  const length = lowHigh(9 + interfaces.length + functional.length);
  // One interface, self powered, 100 mA.
  return Uint8Array.from([9, descriptorType.configuration, ...length, 1, 1, 0, 0xc0, 50, ...interfaces, ...functional]);
}

function languages(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([4, descriptorType.string, ...lowHigh(englishUnitedStates)]);
}

function stringDescriptor({ alternates }: StmUsbFacts, serial: string, index: number): Uint8Array<ArrayBuffer> | null {
  const text = [undefined, names.manufacturer, names.product, serial, ...alternates][index];
  if (text === undefined) {
    return null;
  }
  const units = Array.from({ length: text.length }, (_, at) => lowHigh(text.charCodeAt(at))).flat();
  return Uint8Array.from([2 + units.length, descriptorType.string, ...units]);
}

function lowHigh(value: number): number[] {
  return [value & 0xff, value >> 8];
}
/** Template of an alternate setting. Each memory adds its number and name. */
const nameless: UsbAlternate = {
  alternateSetting: 0,
  interfaceClass: interfaceCodes.class,
  interfaceSubclass: interfaceCodes.subclass,
  interfaceProtocol: interfaceCodes.protocol,
  endpoints: [],
};
const deviceGone = 'The device was disconnected.';

export class SimulatedUsbDevice {
  readonly usbVersionMajor = usbVersion >> 8;
  readonly usbVersionMinor = (usbVersion >> 4) & 0xf;
  readonly usbVersionSubminor = usbVersion & 0xf;
  readonly deviceClass = 0;
  readonly deviceSubclass = 0;
  readonly deviceProtocol = 0;
  readonly vendorId = vendorId;
  readonly productId = productId;
  readonly deviceVersionMajor: number;
  readonly deviceVersionMinor: number;
  readonly deviceVersionSubminor: number;
  readonly manufacturerName = names.manufacturer;
  readonly productName = names.product;
  readonly serialNumber: string;
  readonly #part: UsbPart;
  readonly #alternates: readonly UsbAlternate[];
  readonly #configuration: UsbConfiguration;
  /** The last transfer. Each transfer waits for the one before it. */
  #queue: Promise<unknown> = Promise.resolve();
  readonly #gone = Promise.withResolvers<never>();
  #connected = true;
  #opened = false;
  #claimed = false;
  #alternate = 0;

  constructor(part: UsbPart) {
    this.#part = part;
    this.serialNumber = part.serialNumber;
    this.deviceVersionMajor = part.release >> 8;
    this.deviceVersionMinor = (part.release >> 4) & 0xf;
    this.deviceVersionSubminor = part.release & 0xf;
    this.#alternates = part.alternates.map((interfaceName, alternateSetting) => ({
      ...nameless,
      alternateSetting,
      interfaceName,
    }));
    this.#configuration = { configurationValue: 1, interfaces: [this.#liveInterface()] };
    this.#gone.promise.catch(() => undefined);
  }

  get opened(): boolean {
    return this.#opened;
  }

  /** Operating systems select the first configuration automatically. */
  get configuration(): UsbConfiguration | null {
    return this.#configuration;
  }

  get configurations(): UsbConfiguration[] {
    return [this.#configuration];
  }

  async open(): Promise<void> {
    this.#mustBeConnected('open');
    this.#opened = true;
  }

  async close(): Promise<void> {
    this.#opened = false;
    this.#claimed = false;
    this.#alternate = 0;
  }

  async forget(): Promise<void> {
    await this.close();
    this.#part.forget();
  }

  async selectConfiguration(configurationValue: number): Promise<void> {
    this.#mustBeOpen('selectConfiguration');
    if (configurationValue !== 1) {
      throw usbError('NotFoundError', 'The configuration value provided is not supported.', 'selectConfiguration');
    }
  }

  async claimInterface(interfaceNumber: number): Promise<void> {
    this.#mustHave('claimInterface', interfaceNumber);
    this.#claimed = true;
  }

  async releaseInterface(interfaceNumber: number): Promise<void> {
    this.#mustHave('releaseInterface', interfaceNumber);
    this.#claimed = false;
    this.#alternate = 0;
  }

  async selectAlternateInterface(interfaceNumber: number, alternateSetting: number): Promise<void> {
    this.#mustHave('selectAlternateInterface', interfaceNumber);
    this.#mustBeClaimed('selectAlternateInterface');
    if (this.#alternates[alternateSetting] === undefined) {
      const text = 'The alternate setting provided is not supported by the device in its current configuration.';
      throw usbError('NotFoundError', text, 'selectAlternateInterface');
    }
    this.#alternate = alternateSetting;
  }

  /**
   * Handles standard requests for descriptors, and requests of the DFU class. Rejects with a NetworkError if the
   * device leaves during the transfer.
   */
  async controlTransferIn(setup: UsbControlSetup, length: number): Promise<UsbInResult> {
    this.#mustBeReady('controlTransferIn', setup);
    const answer = await this.#transfer('controlTransferIn', setup, new Uint8Array(), length);
    return answer === 'stall' ? { status: 'stall' } : { status: 'ok', data: new DataView(answer.buffer) };
  }

  async controlTransferOut(setup: UsbControlSetup, data: BufferSource = new ArrayBuffer(0)): Promise<UsbOutResult> {
    this.#mustBeReady('controlTransferOut', setup);
    const bytes = copyOf(data);
    const answer = await this.#transfer('controlTransferOut', setup, bytes, bytes.length);
    return answer === 'stall' ? { status: 'stall', bytesWritten: 0 } : { status: 'ok', bytesWritten: bytes.length };
  }

  async clearHalt(): Promise<void> {
    throw this.#withoutEndpoint('clearHalt');
  }

  async transferIn(): Promise<never> {
    throw this.#withoutEndpoint('transferIn');
  }

  async transferOut(): Promise<never> {
    throw this.#withoutEndpoint('transferOut');
  }

  async isochronousTransferIn(): Promise<never> {
    throw this.#withoutEndpoint('isochronousTransferIn');
  }

  async isochronousTransferOut(): Promise<never> {
    throw this.#withoutEndpoint('isochronousTransferOut');
  }

  /** Resets the bus. The bootloader keeps its state. */
  async reset(): Promise<void> {
    this.#mustBeOpen('reset');
    this.#claimed = false;
    this.#alternate = 0;
  }

  /** Fails pending transfers because the device has left the bus. Called by the bus. */
  lose(): void {
    this.#connected = false;
    this.#opened = false;
    this.#claimed = false;
    this.#gone.reject(null);
  }

  #transfer(method: string, setup: UsbControlSetup, data: Uint8Array, length: number) {
    const turn = async () => {
      if (this.#part.pace === 'wire') {
        await this.#part.clock.sleep(controlTransferTime(Math.max(data.length, length)));
      }
      return this.#answer(setup, data, length);
    };
    const answer = this.#queue.then(turn, turn);
    this.#queue = answer;
    return Promise.race([answer, this.#gone.promise]).catch((error: unknown) => {
      throw this.#connected ? error : usbError('NetworkError', 'A transfer error has occurred.', method);
    });
  }

  async #answer(setup: UsbControlSetup, data: Uint8Array, length: number): Promise<Uint8Array<ArrayBuffer> | 'stall'> {
    if (setup.requestType === 'standard' && setup.request === getDescriptor) {
      const facts = { ...this.#part, alternates: this.#part.alternates };
      return descriptorOf(facts, this.serialNumber, setup.value)?.slice(0, length) ?? 'stall';
    }
    const forDfu = setup.requestType === 'class' && setup.recipient === 'interface' && (setup.index & 0xff) === 0;
    return forDfu ? this.#part.request(setup, data, length) : 'stall';
  }

  /** Returns the only interface. Its properties reflect the present state. */
  #liveInterface(): UsbInterface {
    const device = this;
    const alternates = [...this.#alternates];
    return {
      interfaceNumber: 0,
      alternates,
      get alternate() {
        return alternates[device.#alternate] ?? nameless;
      },
      get claimed() {
        return device.#claimed;
      },
    };
  }

  #mustBeConnected(method: string): void {
    if (!this.#connected) {
      throw usbError('NotFoundError', deviceGone, method);
    }
  }

  #mustBeOpen(method: string): void {
    this.#mustBeConnected(method);
    if (!this.#opened) {
      throw usbError('InvalidStateError', 'The device must be opened first.', method);
    }
  }

  #mustHave(method: string, interfaceNumber: number): void {
    this.#mustBeOpen(method);
    if (interfaceNumber !== 0) {
      const text = 'The interface number provided is not supported by the device in its current configuration.';
      throw usbError('NotFoundError', text, method);
    }
  }

  #mustBeClaimed(method: string): void {
    if (!this.#claimed) {
      throw usbError('InvalidStateError', 'The specified interface has not been claimed.', method);
    }
  }

  #mustBeReady(method: string, { recipient, index }: UsbControlSetup): void {
    this.#mustBeOpen(method);
    if (recipient === 'interface') {
      this.#mustHave(method, index & 0xff);
      this.#mustBeClaimed(method);
    }
  }

  #withoutEndpoint(method: string): DOMException {
    return usbError('NotFoundError', 'The specified endpoint is not part of a claimed interface.', method);
  }
}

function copyOf(data: BufferSource): Uint8Array {
  return data instanceof ArrayBuffer
    ? new Uint8Array(data.slice(0))
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
}
