/**
 * A port of the system as the W3C specifies a `SerialPort`. A port that was unplugged never comes back: its successor
 * is another object.
 */
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { NamedPort } from '@wirebench/port';
import { badArgument, bytesOf, deviceLost, failedCall, PortEventTarget } from '@wirebench/port/web-serial';
import type { ListedPort } from './list-ports.ts';
import { type NativeSettings, type OpenSettings, openSettings } from './native-settings.ts';
import { type Binding, type NativeWire, nativeWire } from './native-wire.ts';
import { claimPort, isExclusivelyHeld, releasePort } from './port-claim.ts';
import { lockHolder } from './port-holders.ts';

/** Longest wait of a close for bytes on their way out, in milliseconds. A caller that needs all of them drains first. */
const LEAVE_LIMIT = 500;
/** Most bytes that one read returns. */
const READ_LIMIT = 65_536;

interface Opened {
  readonly binding: Binding;
  readonly wire: NativeWire;
  readonly buffer: Buffer;
  readonly bufferSize: number;
  /** True: the close has to end the exclusive mode. */
  readonly isClaimed: boolean;
}

/**
 * Waits until the system's bytes have left the port. Drops them if they do not: closing would wait for half a minute,
 * and the system's call would keep a thread.
 */
async function leaveTheWire(binding: Binding): Promise<void> {
  const drained = binding.drain().catch(() => 'gone');
  const limit = new AbortController();
  const late = pause(LEAVE_LIMIT, 'late', { signal: limit.signal }).catch(() => 'ended');
  const outcome = await Promise.race([drained, late]);
  limit.abort();
  if (outcome === 'late') {
    await binding.flush().catch(() => 'gone');
    await drained;
  }
}

/** The registry that a port belongs to. */
export interface PortRegistry {
  /** Called once, when the device is gone. */
  lost(port: NativePort): void;
  forget(port: NativePort): void;
}

/** Returns a sentence with the group that may open the port, where the system names one. */
export async function permissionText(path: string): Promise<string> {
  const group = await groupOf(path);
  return group === null
    ? `this account may not open ${path}.`
    : `this account may not open ${path}. Add it to the group ${group} (sudo usermod -aG ${group} $USER), then log out and in again.`;
}

async function groupOf(path: string): Promise<string | null> {
  try {
    const { gid, mode } = await stat(path);
    const mayUse = (mode & 0o060) === 0o060;
    const line = (await readFile('/etc/group', 'utf8')).split('\n').find((entry) => entry.split(':')[2] === `${gid}`);
    const name = line?.split(':')[0] ?? '';
    return !mayUse || name === '' || name === 'root' ? null : name;
  } catch {
    // The port has gone, or the system keeps its groups elsewhere.
    return null;
  }
}

export class NativePort extends PortEventTarget implements SerialPort, NamedPort {
  readonly listed: ListedPort;
  readonly #registry: PortRegistry;
  #native: NativeSettings = {};
  #state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  #connected = true;
  #isForgotten = false;
  /** Set while the port is open. */
  #handles: Opened | null = null;
  /** The pending read, and its bytes until a stream has taken them. */
  #reading: Promise<Uint8Array<ArrayBuffer> | 'stopped' | 'lost'> | null = null;
  /** False: a pseudo-terminal, which has neither modem lines nor breaks. */
  #hasLines = true;
  #lines = { dtr: true, rts: true, brk: false };
  #readable: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #writable: WritableStream<Uint8Array> | null = null;
  /** True once a reader has received the error of a lost device. */
  #isReadToEnd = false;

  constructor(listed: ListedPort, registry: PortRegistry) {
    super();
    this.listed = listed;
    this.#registry = registry;
  }

  get portName(): string {
    return this.listed.name;
  }

  get connected(): boolean {
    return this.#connected;
  }

  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#state !== 'open' || this.#isReadToEnd) {
      return null;
    }
    this.#readable ??= this.#newReadable();
    return this.#readable;
  }

  get writable(): WritableStream<Uint8Array> | null {
    if (this.#state !== 'open' || !this.#connected) {
      return null;
    }
    this.#writable ??= this.#newWritable();
    return this.#writable;
  }

  getInfo(): SerialPortInfo {
    const { vendorId, productId } = this.listed;
    return vendorId === null ? {} : { usbVendorId: vendorId, ...(productId !== null && { usbProductId: productId }) };
  }

  /** Replaces settings of `open` from the next opening on. */
  useNative(settings: NativeSettings): void {
    this.#native = settings;
  }

  /**
   * Opens the port for this program alone, unless `useNative` says otherwise.
   *
   * @throws TypeError for settings that are no settings of a port.
   * @throws NotSupportedError for settings that the driver refuses.
   * @throws NetworkError if another program holds the port, or if it is gone; then `connected` is false.
   * @throws NotAllowedError if the account may not use the port.
   */
  async open(options: SerialOptions): Promise<void> {
    const settings = openSettings(options, this.#native, process.platform);
    if (this.#state !== 'closed') {
      const reason =
        this.#state === 'opening' ? 'A call to open() is already in progress.' : 'The port is already open.';
      throw failedCall('open', reason, 'InvalidStateError');
    }
    if (!this.#connected || this.#isForgotten) {
      throw failedCall('open', 'Failed to open serial port.', 'NetworkError');
    }
    this.#state = 'opening';
    try {
      await this.#checkAccess(settings.binding.lock);
      // Listing ports does not need it.
      const { autoDetect } = await import('@serialport/bindings-cpp');
      const binding = await autoDetect().open({ path: this.listed.path, ...settings.binding });
      const isClaimed = await this.#claim(binding, settings);
      this.#hasLines = await binding.get().then(
        () => true,
        () => false,
      );
      this.#lines = { dtr: true, rts: true, brk: false };
      const { bufferSize } = settings;
      const buffer = Buffer.allocUnsafeSlow(Math.min(READ_LIMIT, bufferSize));
      this.#handles = { binding, wire: nativeWire(binding), buffer, bufferSize, isClaimed };
      this.#reading = null;
      this.#isReadToEnd = false;
      this.#state = 'open';
    } catch (error) {
      this.#state = 'closed';
      throw await this.#openFailure(error);
    }
  }

  /**
   * Asks the system first: the binding changes the settings of a port before it notices that another program holds it.
   */
  async #checkAccess(isExclusive: boolean): Promise<void> {
    const { path } = this.listed;
    if (process.platform === 'win32') {
      return;
    }
    await access(path, constants.R_OK | constants.W_OK);
    const holder = isExclusive ? await lockHolder(path) : null;
    if (holder !== null) {
      throw failedCall('open', `${path} is locked by process ${holder}.`, 'NetworkError');
    }
    if (await isExclusivelyHeld(path)) {
      throw failedCall('open', `${path} is in exclusive mode.`, 'NetworkError');
    }
  }

  /**
   * Makes the claims of Linux. Without them the port works as it does elsewhere: locked, and lowered lines at the close.
   *
   * @returns True if the port is in exclusive mode now.
   */
  async #claim(binding: Binding, { binding: { lock }, isStick }: OpenSettings): Promise<boolean> {
    if (process.platform !== 'linux' || binding.fd === null) {
      return false;
    }
    const claim = await claimPort(binding.fd, { isExclusive: lock, isStick });
    if (claim === 'held' || (isStick && claim !== 'claimed')) {
      await binding.close();
      throw claim === 'held'
        ? failedCall('open', `${this.listed.path} is in exclusive mode.`, 'NetworkError')
        : failedCall('open', 'The port has neither mark nor space parity.', 'NotSupportedError');
    }
    return lock && claim === 'claimed';
  }

  async #openFailure(error: unknown): Promise<unknown> {
    if (error instanceof DOMException) {
      return error;
    }
    const text = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || /No such (?:file|device)|File not found/i.test(text)) {
      this.lose();
      return failedCall('open', 'Failed to open serial port.', 'NetworkError');
    }
    if (code === 'EACCES' || code === 'EPERM' || /Permission denied/i.test(text)) {
      return new DOMException(await permissionText(this.listed.path), 'NotAllowedError');
    }
    if (/lock port|busy|Access denied/i.test(text)) {
      return failedCall('open', text, 'NetworkError');
    }
    return /baud rate|setting|Inappropriate ioctl/i.test(text)
      ? failedCall('open', text, 'NotSupportedError')
      : failedCall('open', text, 'UnknownError');
  }

  async close(): Promise<void> {
    const opened = this.#handles;
    if (this.#state !== 'open' || opened === null) {
      throw failedCall('close', 'The port is already closed.', 'InvalidStateError');
    }
    if (this.#readable?.locked || this.#writable?.locked) {
      throw badArgument('close', 'Cannot cancel a locked stream');
    }
    const { binding, wire, isClaimed } = opened;
    const [readable, writable] = [this.#readable, this.#writable];
    this.#state = 'closing';
    wire.stop();
    try {
      await Promise.all([readable?.cancel().catch(() => 'lost'), writable?.abort().catch(() => 'lost')]);
      await Promise.all([leaveTheWire(binding), this.#freeBoard(binding)]);
      if (isClaimed && binding.fd !== null) {
        await releasePort(binding.fd);
      }
      await binding.close();
    } finally {
      this.#handles = null;
      this.#readable = null;
      this.#writable = null;
      this.#state = 'closed';
    }
  }

  /** Ends a break, and a reset of a board with an auto-reset circuit: the close leaves the lines as they are. */
  async #freeBoard(binding: Binding): Promise<void> {
    const { dtr, rts, brk } = this.#lines;
    if (this.#hasLines && (brk || (rts && !dtr))) {
      this.#lines = { dtr, rts: rts && dtr, brk: false };
      await binding.set({ ...this.#lines }).catch(() => 'a device that is gone has no lines');
    }
  }

  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.#registry.forget(this);
    if (this.#state === 'open') {
      await this.close();
    }
  }

  async setSignals(signals: SerialOutputSignals = {}): Promise<void> {
    const binding = this.#openBinding('setSignals');
    const { dataTerminalReady, requestToSend, break: brk } = signals;
    if (dataTerminalReady === undefined && requestToSend === undefined && brk === undefined) {
      throw badArgument('setSignals', 'Signals dictionary must contain at least one member.');
    }
    const { dtr, rts } = this.#lines;
    this.#lines = { dtr: dataTerminalReady ?? dtr, rts: requestToSend ?? rts, brk: brk ?? this.#lines.brk };
    if (this.#hasLines) {
      await binding.set({ ...this.#lines }).catch((error: unknown) => {
        throw failedCall('setSignals', error instanceof Error ? error.message : String(error), 'NetworkError');
      });
    }
  }

  async getSignals(): Promise<SerialInputSignals> {
    const binding = this.#openBinding('getSignals');
    if (!this.#hasLines) {
      return { clearToSend: false, dataCarrierDetect: false, dataSetReady: false, ringIndicator: false };
    }
    try {
      const { cts, dcd, dsr } = await binding.get();
      // The binding does not report the ring indicator.
      return { clearToSend: cts, dataCarrierDetect: dcd, dataSetReady: dsr, ringIndicator: false };
    } catch {
      throw failedCall('getSignals', 'Failed to get control signals.', 'NetworkError');
    }
  }

  /**
   * Marks the device as gone. Called by the registry, and after a read or write that failed. A pending read ends with
   * the descriptor.
   */
  lose(): void {
    if (this.#connected) {
      this.#connected = false;
      this.#registry.lost(this);
    }
  }

  #openBinding(method: string): Binding {
    if (this.#state !== 'open') {
      throw failedCall(method, 'The port is closed.', 'InvalidStateError');
    }
    return this.#opened.binding;
  }

  get #opened(): Opened {
    if (this.#handles === null) {
      throw failedCall('readable', 'The port is closed.', 'InvalidStateError');
    }
    return this.#handles;
  }

  #newReadable(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let isCancelled = false;
    // The system holds back what is not read, so nothing is read ahead.
    return new ReadableStream(
      {
        type: 'bytes',
        pull: async (controller) => {
          const bytes = await this.#nextBytes();
          // A read outlives its stream: its bytes are for the next one.
          if (isCancelled || (bytes === 'stopped' && this.#connected)) {
            return;
          }
          this.#reading = null;
          if (typeof bytes !== 'string') {
            controller.enqueue(bytes);
            return;
          }
          this.#isReadToEnd = true;
          this.#readable = null;
          controller.error(deviceLost());
          this.lose();
        },
        cancel: () => {
          isCancelled = true;
          this.#readable = null;
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Returns the read that is pending, or begins one. */
  #nextBytes(): Promise<Uint8Array<ArrayBuffer> | 'stopped' | 'lost'> {
    const { wire, buffer } = this.#opened;
    this.#reading ??= wire.read(buffer).then(
      (count) => (count === 0 ? 'stopped' : Uint8Array.from(buffer.subarray(0, count))),
      () => 'lost',
    );
    return this.#reading;
  }

  #newWritable(): WritableStream<Uint8Array> {
    const { binding, wire, bufferSize } = this.#opened;
    return new WritableStream(
      {
        write: async (chunk) => {
          try {
            await wire.write(bytesOf(chunk));
          } catch (error) {
            this.#writable = null;
            this.lose();
            throw error;
          }
        },
        close: async () => {
          this.#writable = null;
          await binding.drain().catch(() => 'a device that is gone has nothing to drain');
        },
        abort: async () => {
          this.#writable = null;
          // Bytes that a closing port has taken may leave.
          if (this.#state === 'open') {
            await binding.flush().catch(() => 'a device that is gone has nothing to flush');
          }
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferSize }),
    );
  }
}
