/**
 * A `USBDevice` of WebUSB with a simulated board at the other end. It represents one presence on the bus: a device
 * that comes back is a new object, as in Chromium. Rules and messages are Chromium's.
 */
import {
  type UsbAlternate,
  type UsbConfiguration,
  type UsbControlSetup,
  type UsbDirection,
  type UsbEndpointFacts,
  type UsbInResult,
  type UsbInterface,
  type UsbOutResult,
  usbError,
} from './web-usb.ts';

/** Fields of the device's descriptors. */
export interface UsbDeviceFacts {
  readonly vendorId: number;
  readonly productId: number;
  /** bcdUSB and bcdDevice. */
  readonly usbVersion: number;
  readonly release: number;
  readonly manufacturerName: string;
  readonly productName: string;
  readonly serialNumber: string;
  /** Alternate settings of each interface, in the order of their numbers. */
  readonly interfaces: readonly (readonly UsbAlternate[])[];
  /** True: an operating system's driver, or none that a browser can use, holds the interface. Default false. */
  isHeld?(interfaceNumber: number): boolean;
}

/**
 * The board behind a device. Its methods resolve when it answers, and never if it hangs. A lost device needs no
 * answer: the page's promises are rejected.
 */
export interface UsbPart extends UsbDeviceFacts {
  /** Handles a control request of any type. `data` is empty for a request to the host, `length` is wLength. */
  control(
    setup: UsbControlSetup,
    direction: UsbDirection,
    data: Uint8Array,
    length: number,
  ): Promise<Uint8Array<ArrayBuffer> | 'stall'>;
  /** Sends data to a bulk endpoint. `signal` aborts when the device is closed or lost. */
  send?(endpointNumber: number, data: Uint8Array, signal: AbortSignal): Promise<UsbOutResult>;
  receive?(endpointNumber: number, length: number, signal: AbortSignal): Promise<UsbInResult>;
  clearHalt?(direction: UsbDirection, endpointNumber: number): Promise<void>;
  selectConfiguration?(): Promise<void>;
  reset?(): Promise<void>;
  /** Revokes the page's permission. */
  forget(): void;
}

const deviceGone = 'The device was disconnected.';
/** Classes that Chromium does not let a page claim (WebUSB, section 8): audio, HID, mass storage and others. */
const protectedClasses: readonly number[] = [0x01, 0x03, 0x08, 0x0b, 0x0e, 0x10, 0xe0];
/** Alternate setting of an interface without any. */
const none: UsbAlternate = {
  alternateSetting: 0,
  interfaceClass: 0,
  interfaceSubclass: 0,
  interfaceProtocol: 0,
  endpoints: [],
};

/** The page's use of an interface. */
interface Use {
  claimed: boolean;
  alternate: number;
}

export class SimulatedUsbDevice {
  readonly usbVersionMajor: number;
  readonly usbVersionMinor: number;
  readonly usbVersionSubminor: number;
  readonly deviceClass = 0;
  readonly deviceSubclass = 0;
  readonly deviceProtocol = 0;
  readonly vendorId: number;
  readonly productId: number;
  readonly deviceVersionMajor: number;
  readonly deviceVersionMinor: number;
  readonly deviceVersionSubminor: number;
  readonly manufacturerName: string;
  readonly productName: string;
  readonly serialNumber: string;
  readonly #part: UsbPart;
  readonly #uses: readonly Use[];
  readonly #configuration: UsbConfiguration;
  /** The last transfer of each endpoint; 0 for control. Each transfer waits for the one before it. */
  readonly #queues = new Map<number, Promise<unknown>>();
  /** Aborts when the device is closed or lost. */
  #session = new AbortController();
  #connected = true;
  #opened = false;

  constructor(part: UsbPart) {
    this.#part = part;
    this.vendorId = part.vendorId;
    this.productId = part.productId;
    this.manufacturerName = part.manufacturerName;
    this.productName = part.productName;
    this.serialNumber = part.serialNumber;
    [this.usbVersionMajor, this.usbVersionMinor, this.usbVersionSubminor] = digitsOf(part.usbVersion);
    [this.deviceVersionMajor, this.deviceVersionMinor, this.deviceVersionSubminor] = digitsOf(part.release);
    this.#uses = part.interfaces.map(() => ({ claimed: false, alternate: 0 }));
    this.#configuration = {
      configurationValue: 1,
      interfaces: part.interfaces.map((alternates, number) => this.#liveInterface(number, alternates)),
    };
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
    if (!this.#opened) {
      this.#session = new AbortController();
    }
    this.#opened = true;
  }

  /** Closes the device. Pending transfers are cancelled. */
  async close(): Promise<void> {
    this.#opened = false;
    this.#release();
    this.#session.abort();
    this.#queues.clear();
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
    await this.#part.selectConfiguration?.();
  }

  async claimInterface(interfaceNumber: number): Promise<void> {
    const alternates = this.#mustHave('claimInterface', interfaceNumber);
    if (alternates.every(({ interfaceClass }) => protectedClasses.includes(interfaceClass))) {
      throw usbError('SecurityError', 'The requested interface implements a protected class.', 'claimInterface');
    }
    if (this.#part.isHeld?.(interfaceNumber) === true) {
      throw usbError('NetworkError', 'Unable to claim interface.', 'claimInterface');
    }
    this.#use(interfaceNumber).claimed = true;
  }

  async releaseInterface(interfaceNumber: number): Promise<void> {
    this.#mustHave('releaseInterface', interfaceNumber);
    Object.assign(this.#use(interfaceNumber), { claimed: false, alternate: 0 });
  }

  async selectAlternateInterface(interfaceNumber: number, alternateSetting: number): Promise<void> {
    const alternates = this.#mustHave('selectAlternateInterface', interfaceNumber);
    this.#mustBeClaimed('selectAlternateInterface', interfaceNumber);
    if (alternates[alternateSetting] === undefined) {
      const text = 'The alternate setting provided is not supported by the device in its current configuration.';
      throw usbError('NotFoundError', text, 'selectAlternateInterface');
    }
    this.#use(interfaceNumber).alternate = alternateSetting;
  }

  /** Rejects with a NetworkError if the device leaves during the transfer, with an AbortError if it is closed. */
  async controlTransferIn(setup: UsbControlSetup, length: number): Promise<UsbInResult> {
    this.#mustBeReady('controlTransferIn', setup);
    const answer = await this.#transfer('controlTransferIn', 0, () =>
      this.#part.control(setup, 'in', new Uint8Array(), length),
    );
    return answer === 'stall' ? { status: 'stall' } : { status: 'ok', data: new DataView(answer.buffer) };
  }

  async controlTransferOut(setup: UsbControlSetup, data: BufferSource = new ArrayBuffer(0)): Promise<UsbOutResult> {
    this.#mustBeReady('controlTransferOut', setup);
    const bytes = copyOf(data);
    const answer = await this.#transfer('controlTransferOut', 0, () =>
      this.#part.control(setup, 'out', bytes, bytes.length),
    );
    return answer === 'stall' ? { status: 'stall', bytesWritten: 0 } : { status: 'ok', bytesWritten: bytes.length };
  }

  /** Clears the halt of an endpoint, and sets both sides back to DATA0. */
  async clearHalt(direction: UsbDirection, endpointNumber: number): Promise<void> {
    this.#mustHaveEndpoint('clearHalt', direction, endpointNumber);
    await this.#transfer('clearHalt', 0, async () => this.#part.clearHalt?.(direction, endpointNumber));
  }

  async transferIn(endpointNumber: number, length: number): Promise<UsbInResult> {
    this.#mustHaveEndpoint('transferIn', 'in', endpointNumber);
    const { signal } = this.#session;
    return this.#transfer('transferIn', endpointNumber | 0x80, () =>
      this.#bulk.receive(endpointNumber, length, signal),
    );
  }

  async transferOut(endpointNumber: number, data: BufferSource): Promise<UsbOutResult> {
    this.#mustHaveEndpoint('transferOut', 'out', endpointNumber);
    const bytes = copyOf(data);
    const { signal } = this.#session;
    return this.#transfer('transferOut', endpointNumber, () => this.#bulk.send(endpointNumber, bytes, signal));
  }

  async isochronousTransferIn(): Promise<never> {
    throw this.#withoutEndpoint('isochronousTransferIn');
  }

  async isochronousTransferOut(): Promise<never> {
    throw this.#withoutEndpoint('isochronousTransferOut');
  }

  /** Resets the bus. Interfaces have to be claimed again. */
  async reset(): Promise<void> {
    this.#mustBeOpen('reset');
    this.#release();
    await this.#part.reset?.();
  }

  /** Fails pending transfers because the device has left the bus. Called by the bus. */
  lose(): void {
    this.#connected = false;
    this.#opened = false;
    this.#release();
    this.#session.abort();
  }

  get #bulk(): Required<Pick<UsbPart, 'send' | 'receive'>> {
    const { send, receive } = this.#part;
    if (send === undefined || receive === undefined) {
      throw new TypeError('A board with bulk endpoints needs send() and receive().');
    }
    return { send, receive };
  }

  async #transfer<T>(method: string, queue: number, turn: () => Promise<T>): Promise<T> {
    const { signal } = this.#session;
    const failure = () =>
      this.#connected
        ? usbError('AbortError', 'The transfer was cancelled.', method)
        : usbError('NetworkError', 'A transfer error has occurred.', method);
    const before = this.#queues.get(queue) ?? Promise.resolve();
    const answer = before.then(turn, turn);
    this.#queues.set(queue, answer);
    const { promise: cancelled, reject } = Promise.withResolvers<never>();
    const cancel = () => reject(failure());
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) {
      cancel();
    }
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, cancelled]);
    } catch (error) {
      throw signal.aborted ? failure() : error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Returns an interface whose properties reflect the present state. */
  #liveInterface(interfaceNumber: number, alternates: readonly UsbAlternate[]): UsbInterface {
    const use = this.#use(interfaceNumber);
    return {
      interfaceNumber,
      alternates: [...alternates],
      get alternate() {
        return alternates[use.alternate] ?? none;
      },
      get claimed() {
        return use.claimed;
      },
    };
  }

  #use(interfaceNumber: number): Use {
    const use = this.#uses[interfaceNumber];
    if (use === undefined) {
      throw new RangeError(`There is no interface ${interfaceNumber}.`);
    }
    return use;
  }

  #release(): void {
    for (const use of this.#uses) {
      Object.assign(use, { claimed: false, alternate: 0 });
    }
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

  #mustHave(method: string, interfaceNumber: number): readonly UsbAlternate[] {
    this.#mustBeOpen(method);
    const alternates = this.#part.interfaces[interfaceNumber];
    if (alternates === undefined) {
      const text = 'The interface number provided is not supported by the device in its current configuration.';
      throw usbError('NotFoundError', text, method);
    }
    return alternates;
  }

  #mustBeClaimed(method: string, interfaceNumber: number): void {
    if (!this.#use(interfaceNumber).claimed) {
      throw usbError('InvalidStateError', 'The specified interface has not been claimed.', method);
    }
  }

  #mustBeReady(method: string, { recipient, index }: UsbControlSetup): void {
    this.#mustBeOpen(method);
    if (recipient === 'interface') {
      this.#mustHave(method, index & 0xff);
      this.#mustBeClaimed(method, index & 0xff);
    } else if (recipient === 'endpoint') {
      this.#mustHaveEndpoint(method, (index & 0x80) === 0 ? 'out' : 'in', index & 0x0f);
    }
  }

  #mustHaveEndpoint(method: string, direction: UsbDirection, endpointNumber: number): void {
    this.#mustBeOpen(method);
    const isWanted = (endpoint: UsbEndpointFacts) =>
      endpoint.direction === direction && endpoint.endpointNumber === endpointNumber;
    const found = this.#part.interfaces.some((alternates, number) => {
      const use = this.#use(number);
      return use.claimed && (alternates[use.alternate] ?? none).endpoints.some(isWanted);
    });
    if (!found) {
      throw this.#withoutEndpoint(method);
    }
  }

  #withoutEndpoint(method: string): DOMException {
    const text = 'The specified endpoint is not part of a claimed and selected alternate interface.';
    return usbError('NotFoundError', text, method);
  }
}

/** Returns the major, minor and subminor digits of a version in binary-coded decimal. */
function digitsOf(version: number): [number, number, number] {
  return [version >> 8, (version >> 4) & 0xf, version & 0xf];
}

function copyOf(data: BufferSource): Uint8Array {
  return data instanceof ArrayBuffer
    ? new Uint8Array(data.slice(0))
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
}
