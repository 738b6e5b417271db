/**
 * A `SerialPort` of Web Serial on one UART of a USB device. Errors have the names of the draft (W3C, Web Serial API)
 * and Chromium's texts. A device that was unplugged never comes back: its successor is another object, with another
 * port.
 */
import type { Clock } from '@wirebench/clock';
import { closeLimit, errorName, within } from '@wirebench/port';
import { badArgument, checkOptions, deviceLost, failedCall, fireAt, PortEventTarget } from '@wirebench/port/web-serial';
import { type LineSettings, networkError, noSignals, textOf, type UsbSerialDriver } from './drivers/driver.ts';
import { Receiving } from './receiving.ts';
import type { Uart } from './recognition.ts';
import { Sending } from './sending.ts';
import type { SharedDevice } from './shared-device.ts';

/**
 * Longest wait of a close for each of its requests in milliseconds. A device that hangs does not answer them. The
 * device is closed afterwards, which ends what still waits.
 */
const CLOSE_STEP_LIMIT = closeLimit / 5;

/** Longest wait for the answers of a chip that is set up, in milliseconds. On a phone, 20 requests take up to 200. */
const OPEN_LIMIT = 5_000;

/** The two halves of an open port. */
interface Session {
  readonly receiving: Receiving;
  readonly sending: Sending;
}

export class UsbSerialPort extends PortEventTarget implements SerialPort {
  readonly #shared: SharedDevice;
  readonly #uart: Uart;
  readonly #driver: UsbSerialDriver;
  readonly #clock: Clock;
  /** Receives the port's events after the port itself; set by the registry that lists it. */
  registry: EventTarget = new EventTarget();
  #state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  #isConnected = true;
  #isForgotten = false;
  #session: Session | null = null;
  #lines = { dtr: false, rts: false };
  #isBreak = false;
  /** Inputs of the last notification; null before the first. */
  #signals: SerialInputSignals | null = null;

  /** Called by `portsOf` only. */
  constructor(shared: SharedDevice, uart: Uart, uartCount: number, clock: Clock) {
    super();
    this.#shared = shared;
    this.#uart = uart;
    this.#clock = clock;
    this.#driver = uart.makeDriver({
      device: shared.device,
      interfaceNumber: uart.control,
      isOneOfMany: uartCount > 1,
      packetSize: uart.input.packetSize,
    });
  }

  /** True while the device is plugged in. */
  get connected(): boolean {
    return this.#isConnected;
  }

  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#state === 'open' ? (this.#session?.receiving.stream ?? null) : null;
  }

  get writable(): WritableStream<Uint8Array> | null {
    return this.#state === 'open' ? (this.#session?.sending.stream ?? null) : null;
  }

  /** Returns the vendor and the product. All ports of a device have the same. */
  getInfo(): SerialPortInfo {
    const { vendorId, productId } = this.#shared.device;
    return { usbVendorId: vendorId, usbProductId: productId };
  }

  /**
   * Opens the port and raises DTR and RTS, both at once.
   *
   * @throws TypeError for invalid options.
   * @throws InvalidStateError if the port is open or opening.
   * @throws NetworkError with the cause: the device is gone or held elsewhere, or the chip lacks the rate or frame. For
   *   a rate it names the nearest one. A setting that the chip lacks has a NotSupportedError as its `cause`.
   */
  async open(options: SerialOptions): Promise<void> {
    const { bufferSize, ...settings } = checkOptions(options);
    if (this.#state !== 'closed') {
      const reason =
        this.#state === 'opening' ? 'A call to open() is already in progress.' : 'The port is already open.';
      throw failedCall('open', reason, 'InvalidStateError');
    }
    this.#state = 'opening';
    try {
      this.#mustBePresent();
      await this.#shared.claim(this.#uart);
      const setUp = this.#driver.open(settings);
      if ((await within(this.#clock, OPEN_LIMIT, setUp)) === 'late') {
        throw networkError('The adapter does not answer. Unplug it and plug it in again.');
      }
      await setUp;
      this.#mustBePresent();
    } catch (error) {
      await within(this.#clock, CLOSE_STEP_LIMIT, this.#shared.release(this.#uart));
      this.#state = 'closed';
      const failure = failedCall('open', `Failed to open serial port. ${textOf(error)}`, 'NetworkError');
      throw Object.assign(failure, { cause: error });
    }
    this.#lines = { dtr: true, rts: true };
    this.#isBreak = false;
    this.#signals = null;
    this.#session = this.#newSession(settings, bufferSize);
    this.#state = 'open';
    this.#session.receiving.fill();
    void this.#readNotifications(this.#session);
  }

  /**
   * Sets control lines. DTR and RTS take one request together, a break another one. Resolves when the device has taken
   * them, so that a wait afterwards begins there.
   *
   * @throws InvalidStateError if the port is closed.
   * @throws TypeError if `signals` is empty.
   * @throws NetworkError if the device is gone or refuses.
   */
  async setSignals(signals: SerialOutputSignals = {}): Promise<void> {
    this.#mustBeOpen('setSignals');
    const { dataTerminalReady, requestToSend, break: hold } = signals;
    if (dataTerminalReady === undefined && requestToSend === undefined && hold === undefined) {
      throw badArgument('setSignals', 'Signals dictionary must contain at least one member.');
    }
    try {
      if (dataTerminalReady !== undefined || requestToSend !== undefined) {
        this.#lines = { dtr: dataTerminalReady ?? this.#lines.dtr, rts: requestToSend ?? this.#lines.rts };
        await this.#driver.setLines(this.#lines);
      }
      if (hold !== undefined) {
        this.#isBreak = hold;
        await this.#driver.setBreak(hold);
      }
    } catch (error) {
      throw this.#signalFailure('setSignals', error);
    }
  }

  /**
   * Returns the device's lines. Those that its chip or class lacks are false.
   *
   * @throws InvalidStateError if the port is closed.
   * @throws NetworkError if the device is gone.
   */
  async getSignals(): Promise<SerialInputSignals> {
    this.#mustBeOpen('getSignals');
    try {
      this.#mustBePresent();
      return { ...(this.#signals ?? (await this.#driver.signals?.()) ?? noSignals) };
    } catch (error) {
      throw this.#signalFailure('getSignals', error);
    }
  }

  /**
   * Closes the port: ends reading and writing, drops unsent bytes, ends a break, lowers DTR and RTS at once. Resolves
   * in bounded time, also if the device hangs or is gone.
   *
   * @throws InvalidStateError if the port is not open.
   * @throws TypeError if a stream is locked. The port then stays open.
   */
  async close(): Promise<void> {
    const session = this.#session;
    if (this.#state === 'closing') {
      throw failedCall('close', 'A call to close() is already in progress.', 'InvalidStateError');
    }
    if (this.#state !== 'open' || session === null) {
      throw failedCall('close', 'The port is already closed.', 'InvalidStateError');
    }
    if (session.receiving.locked) {
      throw badArgument('close', 'Cannot cancel a locked stream');
    }
    if (session.sending.locked) {
      throw badArgument('close', 'Cannot abort a locked stream');
    }
    await this.#leave(session);
  }

  /** Closes the port even if its streams are in use, and revokes the page's permission for the whole device. */
  async forget(): Promise<void> {
    this.#isForgotten = true;
    const session = this.#session;
    if (session !== null && this.#state === 'open') {
      session.receiving.lose();
      session.sending.lose();
      await this.#leave(session);
    }
    await this.#shared.device.forget?.();
  }

  /** Handles the loss of the device. Called once, when the browser reports it. */
  disconnect(): void {
    if (this.#isConnected) {
      this.#isConnected = false;
      this.#session?.receiving.lose();
      this.#session?.sending.lose();
      fireAt(this, this.registry, 'disconnect');
    }
  }

  #newSession(settings: LineSettings, bufferSize: number): Session {
    const { device } = this.#shared;
    const { input, output } = this.#uart;
    const driver = this.#driver;
    const { dataBits, parity, stopBits, baudRate } = settings;
    const receiving: Receiving = new Receiving({
      bufferSize,
      packetSize: input.packetSize,
      transfer: async (length) => device.transferIn(input.endpointNumber, length),
      clearHalt: async () => device.clearHalt('in', input.endpointNumber),
      parse: (transfer) => driver.received?.(transfer) ?? [transfer],
      discard: async () => driver.discard?.('received'),
      onLost: () => sending.lose(),
    });
    const sending: Sending = new Sending({
      clock: this.#clock,
      bufferSize,
      transmitBuffer: driver.transmitBuffer,
      byteTime: ((1 + dataBits + (parity === 'none' ? 0 : 1) + stopBits) * 1_000) / baudRate,
      transfer: async (bytes) => device.transferOut(output.endpointNumber, bytes),
      clearHalt: async () => device.clearHalt('out', output.endpointNumber),
      discard: async () => driver.discard?.('unsent'),
      onLost: () => receiving.lose(),
    });
    return { receiving, sending };
  }

  /**
   * Reads the interrupt endpoint until it fails. The bulk endpoint reports a device that is gone. Without
   * notifications, the chip is asked for its inputs.
   */
  async #readNotifications(session: Session): Promise<void> {
    const { notifications } = this.#uart;
    const { device } = this.#shared;
    if (notifications === null || this.#driver.notifications === undefined) {
      return;
    }
    const { packetSize, endpointNumber } = notifications;
    // A notification of ten bytes ends its transfer with a short packet, or with the buffer.
    const length =
      packetSize < NOTIFICATION_LENGTH ? packetSize * Math.ceil(NOTIFICATION_LENGTH / packetSize) : packetSize;
    for (let failures = 0; failures < MAX_NOTIFICATION_FAILURES; failures++) {
      // A halt that was cleared cancels transfers of the whole interface in Chromium.
      const result = await device.transferIn(endpointNumber, length).catch(errorName);
      if (this.#session !== session || (typeof result === 'string' && result !== 'AbortError')) {
        break;
      }
      if (typeof result === 'string') {
        continue;
      }
      if (!result.data) {
        await device.clearHalt('in', endpointNumber).catch(() => 'the next transfer fails, too');
        continue;
      }
      failures = -1;
      const { data } = result;
      for (const notification of this.#driver.notifications(
        new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
      )) {
        this.#signals = notification.signals;
        session.receiving.fail(notification.errors);
      }
    }
    if (this.#session === session && this.#driver.signals !== undefined) {
      this.#signals = null;
    }
  }

  async #leave({ receiving, sending }: Session): Promise<void> {
    const step = (work: Promise<unknown> | undefined) =>
      work === undefined ? undefined : within(this.#clock, CLOSE_STEP_LIMIT, work);
    this.#state = 'closing';
    this.#session = null;
    await step(
      Promise.all([receiving.stop(), sending.stop(failedCall('close', 'The port is closed.', 'InvalidStateError'))]),
    );
    if (this.#isConnected) {
      if (this.#isBreak) {
        await step(this.#driver.setBreak(false));
      }
      await step(this.#driver.setLines({ dtr: false, rts: false }));
      await step(this.#driver.close?.());
      await step(this.#shared.release(this.#uart));
    }
    this.#state = 'closed';
  }

  #signalFailure(method: 'setSignals' | 'getSignals', error: unknown): DOMException {
    const [verb] = method.split('Signals');
    return failedCall(method, `Failed to ${verb} control signals. ${textOf(error)}`, 'NetworkError');
  }

  #mustBePresent(): void {
    if (!this.#isConnected || this.#isForgotten) {
      throw deviceLost();
    }
  }

  #mustBeOpen(method: string): void {
    if (this.#state !== 'open' && this.#state !== 'closing') {
      throw failedCall(method, 'The port is closed.', 'InvalidStateError');
    }
  }
}

/** Transfers of notifications in a row that fail, after which they are no longer read. */
const MAX_NOTIFICATION_FAILURES = 16;
/** Bytes of a notification of serial state (PSTN 1.2, section 6.5.4; Linux driver pl2303). */
const NOTIFICATION_LENGTH = 10;
