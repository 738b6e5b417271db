/**
 * A `USBDevice` without hardware, with the rules of WebUSB (WICG, "WebUSB API", sections 5 and 6) and Chromium's
 * errors. It represents one presence on the bus. The chip behind it is a `FakeChip`.
 */
import type { Clock } from '@wirebench/clock';
import type {
  UsbAlternate,
  UsbControlSetup,
  UsbDevice,
  UsbDirection,
  UsbEndpoint,
  UsbInResult,
  UsbOutResult,
} from '../usb-device.ts';
import { FakeEndpoint } from './fake-endpoint.ts';

/** Descriptors of a device, as a page sees them. */
export interface UsbDescriptor {
  readonly vendorId: number;
  readonly productId: number;
  readonly deviceClass?: number;
  /** Major, minor and subminor digit of bcdUSB and of bcdDevice. */
  readonly usbVersion?: readonly [number, number, number];
  readonly deviceVersion?: readonly [number, number, number];
  /** Byte 7 of the device descriptor, which WebUSB does not tell. */
  readonly maxPacketSize0?: number;
  readonly configurations: readonly {
    readonly configurationValue: number;
    readonly interfaces: readonly {
      readonly interfaceNumber: number;
      readonly alternates: readonly (UsbAlternate & { readonly interfaceProtocol?: number })[];
    }[];
  }[];
}

/** The chip of a fake device. Bytes are little endian as on the bus. */
export interface FakeChip {
  /** Takes a request. `stall`: the chip refuses it. */
  out(setup: UsbControlSetup, data: Uint8Array): 'stall' | undefined;
  /** Answers a request with `length` bytes at most. */
  in(setup: UsbControlSetup, length: number): Uint8Array<ArrayBuffer> | 'stall';
  /**
   * Takes bytes from a bulk endpoint. Resolves with the number that it took when it has room again. Never resolves if
   * it hangs; `signal` aborts when the transfer is cancelled.
   */
  take(endpointNumber: number, bytes: Uint8Array, signal: AbortSignal): Promise<number | 'stall'> | number | 'stall';
  /** Called when a transfer begins to wait for packets of an endpoint. */
  polled?(endpointNumber: number): void;
}

export interface FakeUsbOptions {
  readonly clock: Clock;
  /** Returns the milliseconds of one transfer. Default: none. */
  readonly latency?: () => number;
}

/** One call of a method that reaches the device, in order. */
export interface UsbCall {
  readonly at: number;
  readonly method: string;
  readonly setup?: UsbControlSetup;
  readonly number?: number;
  readonly length?: number;
}

/** Classes that a page may not claim (WebUSB, section 8): audio, HID, storage, smart card, video, wireless. */
const protectedClasses = [0x01, 0x03, 0x08, 0x0b, 0x0e, 0x10, 0xe0];

const failure = (name: string, text: string) => new DOMException(text, name);
const gone = () => failure('NotFoundError', 'The device was disconnected.');

export class FakeUsbDevice implements UsbDevice {
  readonly vendorId: number;
  readonly productId: number;
  readonly deviceClass: number;
  readonly usbVersionMajor: number;
  readonly usbVersionMinor: number;
  readonly deviceVersionMajor: number;
  readonly deviceVersionMinor: number;
  readonly deviceVersionSubminor: number;
  readonly configurations: UsbDescriptor['configurations'];
  readonly descriptor: UsbDescriptor;
  readonly chip: FakeChip;
  readonly calls: UsbCall[] = [];
  /** Interfaces that cannot be claimed, because a driver of the system holds them. */
  readonly held = new Set<number>();
  /** Rejects the next calls of `open` with errors of these names. */
  readonly openFailures: string[] = [];
  /** Called by `forget`. */
  onForget: () => void = () => undefined;
  readonly #clock: Clock;
  readonly #latency: () => number;
  readonly #claimed = new Set<number>();
  readonly #alternates = new Map<number, number>();
  readonly #endpoints = new Map<string, FakeEndpoint>();
  #controlDue = 0;
  #isOpened = false;
  #isPresent = true;
  #isChanging = false;

  constructor(descriptor: UsbDescriptor, chip: FakeChip, { clock, latency = () => 0 }: FakeUsbOptions) {
    this.descriptor = descriptor;
    this.chip = chip;
    this.vendorId = descriptor.vendorId;
    this.productId = descriptor.productId;
    this.deviceClass = descriptor.deviceClass ?? 0;
    [this.usbVersionMajor, this.usbVersionMinor] = descriptor.usbVersion ?? [2, 0, 0];
    [this.deviceVersionMajor, this.deviceVersionMinor, this.deviceVersionSubminor] = descriptor.deviceVersion ?? [
      1, 0, 0,
    ];
    this.configurations = descriptor.configurations;
    this.#clock = clock;
    this.#latency = latency;
  }

  get opened(): boolean {
    return this.#isOpened;
  }

  get configuration(): UsbDescriptor['configurations'][number] | null {
    return this.configurations[0] ?? null;
  }

  get claimedInterfaces(): readonly number[] {
    return [...this.#claimed];
  }

  open(): Promise<void> {
    return this.#change('open', async () => {
      const name = this.openFailures.shift();
      if (name !== undefined) {
        throw failure(name, 'Access denied.');
      }
      this.#isOpened = true;
    });
  }

  async close(): Promise<void> {
    if (this.#isOpened) {
      await this.#change('close', async () => {
        this.#isOpened = false;
        this.#claimed.clear();
        this.#alternates.clear();
        this.#cancel(() => true);
      });
    }
  }

  async forget(): Promise<void> {
    await this.close();
    this.#isPresent = false;
    this.onForget();
  }

  async selectConfiguration(): Promise<void> {
    this.#mustBeReady();
  }

  async claimInterface(interfaceNumber: number): Promise<void> {
    const { alternates } = this.#interface(interfaceNumber);
    this.#note({ method: 'claimInterface', number: interfaceNumber });
    await this.#pause();
    this.#mustBePresent();
    if (alternates.some(({ interfaceClass }) => protectedClasses.includes(interfaceClass))) {
      throw failure('SecurityError', 'The requested interface implements a protected class.');
    }
    if (this.held.has(interfaceNumber)) {
      throw failure('NetworkError', 'Unable to claim interface.');
    }
    this.#claimed.add(interfaceNumber);
  }

  async releaseInterface(interfaceNumber: number): Promise<void> {
    const { alternates } = this.#interface(interfaceNumber);
    this.#note({ method: 'releaseInterface', number: interfaceNumber });
    await this.#pause();
    this.#claimed.delete(interfaceNumber);
    const own = alternates.flatMap(({ endpoints }) => endpoints);
    this.#cancel(({ direction, endpointNumber }) =>
      own.some((one) => one.direction === direction && one.endpointNumber === endpointNumber),
    );
  }

  async selectAlternateInterface(interfaceNumber: number, alternateSetting: number): Promise<void> {
    this.#interface(interfaceNumber);
    this.#mustBeClaimed(interfaceNumber);
    await this.#pause();
    this.#alternates.set(interfaceNumber, alternateSetting);
  }

  async controlTransferIn(setup: UsbControlSetup, length: number): Promise<UsbInResult> {
    const answer = await this.#control('controlTransferIn', setup, () =>
      setup.requestType === 'standard' ? this.#standard(setup) : this.chip.in(setup, length),
    );
    return answer === 'stall'
      ? { status: 'stall' }
      : { status: 'ok', data: new DataView(answer.slice(0, length).buffer) };
  }

  async controlTransferOut(setup: UsbControlSetup, data: ArrayBufferView = new Uint8Array()): Promise<UsbOutResult> {
    const bytes = copyOf(data);
    const answer = await this.#control('controlTransferOut', setup, () => this.chip.out(setup, bytes));
    return answer === 'stall' ? { status: 'stall', bytesWritten: 0 } : { status: 'ok', bytesWritten: bytes.length };
  }

  /** Ends the halt of an endpoint, and cancels its transfers. */
  async clearHalt(direction: UsbDirection, endpointNumber: number): Promise<void> {
    const endpoint = this.#endpoint(direction, endpointNumber);
    this.#note({ method: 'clearHalt', number: endpointNumber });
    endpoint.cancel(() => failure('AbortError', 'The transfer was cancelled.'));
    await this.#pause();
    endpoint.resume();
  }

  async transferIn(endpointNumber: number, length: number): Promise<UsbInResult> {
    const endpoint = this.#endpoint('in', endpointNumber);
    this.#note({ method: 'transferIn', number: endpointNumber, length });
    const result = endpoint.receive(length);
    this.chip.polled?.(endpointNumber);
    return result;
  }

  async transferOut(endpointNumber: number, data: ArrayBufferView): Promise<UsbOutResult> {
    const endpoint = this.#endpoint('out', endpointNumber);
    const bytes = copyOf(data);
    this.#note({ method: 'transferOut', number: endpointNumber, length: bytes.length });
    return endpoint.send((signal) => this.chip.take(endpointNumber, bytes, signal));
  }

  /** Puts a packet on an endpoint to the host. */
  packet(endpointNumber: number, bytes: Uint8Array): void {
    this.#byName('in', endpointNumber).packet(bytes);
  }

  /** Returns true while a transfer waits for packets of the endpoint. */
  isPolled(endpointNumber: number): boolean {
    return this.#byName('in', endpointNumber).waiting > 0;
  }

  /** Packets of an endpoint that no transfer has taken. */
  queued(endpointNumber: number): number {
    return this.#byName('in', endpointNumber).queued;
  }

  /** Halts an endpoint: each transfer ends with a stall until the halt is cleared. */
  halt(direction: UsbDirection, endpointNumber: number): void {
    this.#byName(direction, endpointNumber).halt();
  }

  /** Pulls the cable. The bus reports it. */
  unplug(): void {
    this.#isPresent = false;
    this.#isOpened = false;
    this.#claimed.clear();
    for (const endpoint of this.#endpoints.values()) {
      endpoint.cancel(gone);
    }
  }

  async #change(method: string, act: () => Promise<void>): Promise<void> {
    this.#mustBePresent();
    this.#mustBeAtRest();
    this.#isChanging = true;
    this.#note({ method });
    try {
      await this.#pause();
      this.#mustBePresent();
      await act();
    } finally {
      this.#isChanging = false;
    }
  }

  /** A request reaches the chip within its time, and is answered at the end of it. Requests stay in order. */
  async #control<T>(method: string, setup: UsbControlSetup, act: () => T): Promise<T> {
    this.#mustBeReady();
    if (setup.recipient === 'interface') {
      this.#interface(setup.index & 0xff);
      this.#mustBeClaimed(setup.index & 0xff);
    }
    const time = this.#latency();
    const now = this.#clock.now();
    const startsAt = Math.max(now, this.#controlDue);
    this.#controlDue = startsAt + time;
    await this.#clock.sleep(startsAt - now + time / 2);
    this.#mustBePresent();
    this.#note({ method, setup });
    const answer = act();
    await this.#clock.sleep(time / 2);
    this.#mustBePresent();
    return answer;
  }

  #standard({ request, value }: UsbControlSetup): Uint8Array<ArrayBuffer> | 'stall' {
    const isDevice = request === 6 && value >> 8 === 1;
    const { maxPacketSize0 = 64 } = this.descriptor;
    return isDevice
      ? Uint8Array.of(18, 1, 0, 2, this.deviceClass, 0, 0, maxPacketSize0, ...new Uint8Array(10))
      : 'stall';
  }

  #interface(interfaceNumber: number) {
    this.#mustBeReady();
    const found = this.configuration?.interfaces.find((one) => one.interfaceNumber === interfaceNumber);
    if (found === undefined) {
      const text = 'The interface number provided is not supported by the device in its current configuration.';
      throw failure('NotFoundError', text);
    }
    return found;
  }

  #endpoint(direction: UsbDirection, endpointNumber: number): FakeEndpoint {
    this.#mustBeReady();
    const isClaimed = this.configuration?.interfaces.some(
      ({ interfaceNumber, alternates }) =>
        this.#claimed.has(interfaceNumber) &&
        alternates[this.#alternates.get(interfaceNumber) ?? 0]?.endpoints.some(
          (one) => one.direction === direction && one.endpointNumber === endpointNumber,
        ),
    );
    if (!isClaimed) {
      const text = 'The specified endpoint is not part of a claimed and selected alternate interface.';
      throw failure('NotFoundError', text);
    }
    return this.#byName(direction, endpointNumber);
  }

  #byName(direction: UsbDirection, endpointNumber: number): FakeEndpoint {
    const name = `${direction} ${endpointNumber}`;
    const known = this.#endpoints.get(name);
    if (known !== undefined) {
      return known;
    }
    const facts = this.configurations
      .flatMap(({ interfaces }) => interfaces.flatMap(({ alternates }) => alternates))
      .flatMap(({ endpoints }): readonly UsbEndpoint[] => endpoints)
      .find((one) => one.direction === direction && one.endpointNumber === endpointNumber);
    if (facts === undefined) {
      throw new RangeError(`There is no endpoint ${name}.`);
    }
    const made = new FakeEndpoint(facts, this.#clock, this.#latency);
    this.#endpoints.set(name, made);
    return made;
  }

  #cancel(isMeant: (endpoint: UsbEndpoint) => boolean): void {
    for (const endpoint of this.#endpoints.values()) {
      if (isMeant(endpoint.facts)) {
        endpoint.cancel(() => failure('AbortError', 'The transfer was cancelled.'));
      }
    }
  }

  #pause(): Promise<void> {
    return this.#clock.sleep(this.#latency());
  }

  #note(call: Omit<UsbCall, 'at'>): void {
    this.calls.push({ at: this.#clock.now(), ...call });
  }

  #mustBePresent(): void {
    if (!this.#isPresent) {
      throw gone();
    }
  }

  #mustBeAtRest(): void {
    if (this.#isChanging) {
      throw failure('InvalidStateError', 'An operation that changes the device state is in progress.');
    }
  }

  #mustBeReady(): void {
    this.#mustBePresent();
    if (!this.#isOpened) {
      throw failure('InvalidStateError', 'The device must be opened first.');
    }
    this.#mustBeAtRest();
  }

  #mustBeClaimed(interfaceNumber: number): void {
    if (!this.#claimed.has(interfaceNumber)) {
      throw failure('InvalidStateError', 'The specified interface has not been claimed.');
    }
  }
}

const copyOf = (data: ArrayBufferView): Uint8Array<ArrayBuffer> =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
