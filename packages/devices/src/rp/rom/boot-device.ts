/**
 * The boot ROM's USB device as a host sees it, transaction by transaction: descriptors, requests, four bulk endpoints.
 * USB 2.0, chapter 9, as far as the ROM implements it. What lies behind the endpoints is given to it.
 */
import { Endpoint, type InPacket, type OutResult } from './endpoint.ts';

/** A control request: the eight bytes of SETUP. */
export interface Setup {
  /** bmRequestType. */
  readonly type: number;
  readonly request: number;
  readonly value: number;
  readonly index: number;
  readonly length: number;
}

/** Bytes for the host (empty without any). `nak`: the data or status stage never ends. */
export type ControlAnswer = Uint8Array<ArrayBuffer> | 'stall' | 'nak';

const requestCode = {
  getStatus: 0,
  clearFeature: 1,
  setFeature: 3,
  setAddress: 5,
  getDescriptor: 6,
  getConfiguration: 8,
  setConfiguration: 9,
} as const;
const massStorageRequest = { reset: 0xff, maxLun: 0xfe } as const;
const descriptorType = { device: 1, configuration: 2, string: 3 } as const;
const endpointHalt = 0;
const empty = new Uint8Array();

export interface BootDeviceFacts {
  readonly vendorId: number;
  readonly productId: number;
  /** bcdUSB and bcdDevice. */
  readonly usbVersion: number;
  readonly deviceVersion: number;
  /** bMaxPower, in units of 2 mA. */
  readonly maxPower: number;
  /** Strings 1 to 3. */
  readonly manufacturer: string;
  readonly product: string;
  readonly serialNumber: string;
}

export interface BootDeviceParts {
  /** SET_CONFIGURATION, and a bus reset (false). Called after the endpoints were reset. */
  configure(isConfigured: boolean): void;
  /** Vendor request to interface 1. @returns null to stall it. */
  vendorRequest(setup: Setup): Uint8Array<ArrayBuffer> | null;
  /** Mass Storage Reset. */
  resetStorage(): void;
  /** Vendor request to the device. @returns null to stall it. */
  deviceRequest?(setup: Setup): Uint8Array<ArrayBuffer> | null;
  /** Descriptor of another type than those of USB 1.1. */
  descriptor?(type: number): Uint8Array<ArrayBuffer> | null;
}

/** Numbers of the endpoints: mass storage, then PICOBOOT. */
export const address = { storageIn: 0x81, storageOut: 0x02, picobootOut: 0x03, picobootIn: 0x84 } as const;

export class BootDevice {
  readonly facts: BootDeviceFacts;
  readonly #endpoints: ReadonlyMap<number, Endpoint>;
  readonly #listeners = new Set<() => void>();
  #parts: BootDeviceParts | null = null;
  #configuration = 0;

  constructor(facts: BootDeviceFacts) {
    this.facts = facts;
    const changed = () => this.#announce();
    this.#endpoints = new Map(Object.values(address).map((number) => [number, new Endpoint(number, changed)]));
  }

  /** Connects what lies behind the endpoints. */
  connect(parts: BootDeviceParts): void {
    this.#parts = parts;
  }

  get isConfigured(): boolean {
    return this.#configuration !== 0;
  }

  get toggleErrors(): number {
    return [...this.#endpoints.values()].reduce((sum, { toggleErrors }) => sum + toggleErrors, 0);
  }

  endpoint(number: number): Endpoint {
    const found = this.#endpoints.get(number);
    if (found === undefined) {
      throw new RangeError(`The boot ROM has no endpoint 0x${number.toString(16)}.`);
    }
    return found;
  }

  /** Calls `listener` whenever a transaction that was refused may succeed. Returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  isReady(number: number): boolean {
    return this.endpoint(number).isReady;
  }

  out(number: number, data: Uint8Array, toggle: number): OutResult {
    return this.endpoint(number).receive(data, toggle);
  }

  in(number: number): InPacket | 'nak' | 'stall' {
    return this.endpoint(number).send();
  }

  /** Handles a reset of the bus: the device has no configuration, and a running erase is stopped half way. */
  busReset(): void {
    this.#configure(0);
  }

  control(setup: Setup): ControlAnswer {
    const isIn = (setup.type & 0x80) !== 0;
    const answer = this.#answer(setup);
    if (answer === null) {
      return 'stall';
    }
    // The ROM takes no data in control requests: it waits for the status stage at once.
    if (!isIn && setup.length > 0 && answer !== 'stall') {
      return 'nak';
    }
    return answer;
  }

  #answer(setup: Setup): ControlAnswer | null {
    switch (setup.type & 0x1f) {
      case 0:
        return this.#deviceRequest(setup);
      case 1:
        return this.#interfaceRequest(setup);
      case 2:
        return this.#endpointRequest(setup);
      default:
        return null;
    }
  }

  #deviceRequest(setup: Setup): Uint8Array<ArrayBuffer> | null {
    const { type, request, value, length } = setup;
    if ((type & 0x60) !== 0) {
      return this.#parts?.deviceRequest?.(setup) ?? null;
    }
    if ((type & 0x80) === 0) {
      return this.#setDevice(request, value & 0xff);
    }
    switch (request) {
      case requestCode.getStatus:
        return new Uint8Array(2).slice(0, length);
      case requestCode.getDescriptor:
        return this.#descriptor(value)?.slice(0, length) ?? null;
      case requestCode.getConfiguration:
        return Uint8Array.of(this.#configuration).slice(0, length);
      default:
        return null;
    }
  }

  #setDevice(request: number, value: number): Uint8Array<ArrayBuffer> | null {
    if (request === requestCode.setAddress) {
      return value > 0 && value <= 127 ? empty : null;
    }
    if (request === requestCode.setConfiguration && value <= 1) {
      this.#configure(value);
      return empty;
    }
    return null;
  }

  #interfaceRequest(setup: Setup): Uint8Array<ArrayBuffer> | null {
    const { type, request, value, index, length } = setup;
    const number = index & 0xff;
    if (number > 1 || !this.isConfigured) {
      return null;
    }
    const kind = (type >> 5) & 3;
    if (kind === 1 && number === 0) {
      if (type >= 0x80 && request === massStorageRequest.maxLun && value === 0 && length > 0) {
        return Uint8Array.of(0);
      }
      if (type < 0x80 && request === massStorageRequest.reset && value === 0 && length === 0) {
        this.#parts?.resetStorage();
        return empty;
      }
      return null;
    }
    if (kind === 2 && number === 1) {
      return this.#parts?.vendorRequest(setup) ?? null;
    }
    const isStatus = kind === 0 && index >> 8 === 0 && type >= 0x80 && request === requestCode.getStatus;
    return isStatus ? new Uint8Array(2) : null;
  }

  #endpointRequest({ type, request, value, index, length }: Setup): ControlAnswer | null {
    const isControl = index === 0 || index === 0x80;
    const endpoint = this.isConfigured ? this.#endpoints.get(index) : undefined;
    if ((endpoint === undefined && !isControl) || (type & 0x60) !== 0) {
      return null;
    }
    if (type >= 0x80) {
      const isAsked = request === requestCode.getStatus && value === 0 && length === 2;
      return isAsked ? Uint8Array.of(endpoint?.isHalted === true ? 1 : 0, 0) : null;
    }
    if (value !== endpointHalt || (request !== requestCode.clearFeature && request !== requestCode.setFeature)) {
      return null;
    }
    if (endpoint === undefined) {
      // The control endpoint's own answer is stalled, or comes with the wrong data toggle.
      return index === 0 ? empty : request === requestCode.setFeature ? 'stall' : 'nak';
    }
    if (request === requestCode.clearFeature) {
      endpoint.clearHalt();
    } else {
      endpoint.halt();
    }
    return empty;
  }

  #configure(value: number): void {
    this.#configuration = value;
    for (const endpoint of this.#endpoints.values()) {
      endpoint.isConfigured = value !== 0;
      endpoint.reset(true);
    }
    this.#parts?.configure(value !== 0);
    this.#announce();
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }

  #descriptor(value: number): Uint8Array<ArrayBuffer> | null {
    const index = value & 0xff;
    switch (value >> 8) {
      case descriptorType.device:
        return deviceDescriptor(this.facts);
      case descriptorType.configuration:
        return index === 0 ? configurationDescriptor(this.facts) : null;
      case descriptorType.string: {
        const { manufacturer, product, serialNumber } = this.facts;
        return index === 0
          ? Uint8Array.of(4, descriptorType.string, 0x09, 0x04)
          : stringDescriptor([manufacturer, product, serialNumber][index - 1] ?? '');
      }
      default:
        return this.#parts?.descriptor?.(value >> 8) ?? null;
    }
  }
}

function deviceDescriptor(facts: BootDeviceFacts): Uint8Array<ArrayBuffer> {
  const ids = [facts.vendorId, facts.productId, facts.deviceVersion].flatMap(lowHigh);
  return Uint8Array.from([18, 1, ...lowHigh(facts.usbVersion), 0, 0, 0, 64, ...ids, 1, 2, 3, 1]);
}

/** Two interfaces, bus powered: mass storage (SCSI, Bulk-Only), then vendor class FF/00/00. */
function configurationDescriptor({ maxPower }: BootDeviceFacts): Uint8Array<ArrayBuffer> {
  const endpoint = (number: number) => [7, 5, number, 2, 64, 0, 0];
  const storage = [9, 4, 0, 0, 2, 0x08, 0x06, 0x50, 0, ...endpoint(address.storageIn), ...endpoint(address.storageOut)];
  const vendor = [9, 4, 1, 0, 2, 0xff, 0, 0, 0, ...endpoint(address.picobootOut), ...endpoint(address.picobootIn)];
  const length = 9 + storage.length + vendor.length;
  return Uint8Array.from([9, 2, ...lowHigh(length), 2, 1, 0, 0x80, maxPower, ...storage, ...vendor]);
}

function stringDescriptor(text: string): Uint8Array<ArrayBuffer> {
  const units = Array.from({ length: text.length }, (_, at) => lowHigh(text.charCodeAt(at))).flat();
  return Uint8Array.from([2 + units.length, descriptorType.string, ...units]);
}

function lowHigh(value: number): number[] {
  return [value & 0xff, value >> 8];
}
