/**
 * A W3C `SerialPort` whose board is at the host. It exists while a board is plugged in there and this guest may use
 * it. A lost connection stalls the port; it continues where it was.
 */

import type { AwaitedFrame, ExpectedBytes, LineStep, RemoteLoss, RemoteTiming, StepPlayer } from '@wirebench/port';
import { badArgument, checkOptions, deviceLost, failedCall, PortEventTarget } from '@wirebench/port/web-serial';
import { inputBits } from '../frames/input-bits.ts';
import {
  type Answer,
  hostAbilities,
  type Message,
  type MessageOf,
  type PortEnd,
  stepLimit,
} from '../frames/messages.ts';
import { RemoteReading } from './remote-reading.ts';
import { RemoteWriting } from './remote-writing.ts';

type PortRequest =
  | Omit<MessageOf<'open'>, 'request'>
  | Omit<MessageOf<'close'>, 'request'>
  | Omit<MessageOf<'signals'>, 'request'>
  | Omit<MessageOf<'steps'>, 'request'>
  | Omit<MessageOf<'inputs'>, 'request'>
  | Omit<MessageOf<'drain'>, 'request'>
  | Omit<MessageOf<'answerTime'>, 'request'>;

export interface PortVisit {
  readonly window: number;
  /** Returns the sum of the host's `hostAbilities`; 0 while they are unknown. */
  abilities(): number;
  send(message: Message): void;
  /** Sends a request and returns the host's answer; `aborted` if the port is gone before the host answers. */
  request(message: PortRequest): Promise<{ readonly answer: Answer; readonly value: number }>;
  /** Removes the port after the page has called `forget()`. */
  forget(port: RemotePort): void;
}

/** Error names of a rejected `open`. Chromium uses the same names for a local port. */
const openErrors: Readonly<Record<Exclude<Answer, 'done'>, string>> = {
  'no-right': 'NotAllowedError',
  busy: 'NetworkError',
  'no-device': 'NetworkError',
  'permission-denied': 'NotAllowedError',
  'bad-settings': 'NotSupportedError',
  'open-failed': 'UnknownError',
  'not-open': 'NetworkError',
  failed: 'UnknownError',
  aborted: 'NetworkError',
};

/** The host's reasons for the end of a use, as values of `lostBy`. Null: the board itself is gone or failed. */
const losses: Readonly<Record<PortEnd, RemoteLoss | null>> = {
  unplugged: null,
  failed: null,
  'taken-back': 'taken-back',
  away: 'connection',
};

export class RemotePort extends PortEventTarget implements SerialPort, StepPlayer, RemoteTiming {
  readonly number: number;
  /** True: the host reports that its board is simulated. */
  readonly isSimulated: boolean;
  readonly #visit: PortVisit;
  readonly #info: SerialPortInfo;
  #state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  /** Settles when a pending close has ended; never rejects. */
  #closing: Promise<unknown> = Promise.resolve();
  #connected = true;
  #isForgotten = false;
  /** True: the port can no longer be used. */
  #isLost = false;
  #lostBy: RemoteLoss | null = null;
  #reading: RemoteReading | null = null;
  #writing: RemoteWriting | null = null;

  /** Called by `RemoteGuest` only, as local ports come only from `navigator.serial`. */
  constructor(number: number, info: SerialPortInfo, visit: PortVisit, isSimulated: boolean) {
    super();
    this.isSimulated = isSimulated;
    this.number = number;
    this.#info = info;
    this.#visit = visit;
  }

  get lostBy(): RemoteLoss | null {
    return this.#lostBy;
  }

  get connected(): boolean {
    return this.#connected;
  }

  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#state === 'open' ? (this.#reading?.stream ?? null) : null;
  }

  get writable(): WritableStream<Uint8Array> | null {
    return this.#state === 'open' ? (this.#writing?.stream ?? null) : null;
  }

  getInfo(): SerialPortInfo {
    return { ...this.#info };
  }

  /**
   * Opens the port. Waits for a pending `close`: callers give up waiting for it after seconds, but a host can be away
   * for a minute.
   */
  async open(options: SerialOptions): Promise<void> {
    const { bufferSize, dataBits, stopBits, ...settings } = checkOptions(options);
    if (this.#state === 'closing') {
      await this.#closing;
    }
    if (this.#state !== 'closed') {
      const reason =
        this.#state === 'opening' ? 'A call to open() is already in progress.' : 'The port is already open.';
      throw failedCall('open', reason, 'InvalidStateError');
    }
    if (!this.#connected || this.#isForgotten) {
      throw failedCall('open', 'Failed to open serial port.', 'NetworkError');
    }
    this.#state = 'opening';
    this.#isLost = false;
    this.#lostBy = null;
    const { number: port } = this;
    const { window } = this.#visit;
    this.#reading = new RemoteReading({
      window,
      bufferSize,
      credit: (total) => this.#visit.send({ kind: 'credit', port, total }),
    });
    this.#writing = new RemoteWriting({
      window,
      send: (at, bytes) => this.#visit.send({ kind: 'bytes', port, at, bytes }),
      keys: (at, length) => {
        if ((this.#visit.abilities() & hostAbilities.typists) !== 0) {
          this.#visit.send({ kind: 'areKeys', port, at, length });
        }
      },
      drain: async () => {
        await this.#call('drain', { kind: 'drain', port });
      },
      discard: (upTo) => this.#visit.send({ kind: 'discard', port, upTo }),
      hold: (at, answer) =>
        this.#visit.send(
          'delimiter' in answer ? { kind: 'hold', port, at, ...answer } : { kind: 'expect', port, at, ...answer },
        ),
    });
    const { answer } = await this.#visit.request({
      kind: 'open',
      port,
      settings: { ...settings, dataBits: dataBits === 7 ? '7' : '8', stopBits: stopBits === 2 ? '2' : '1' },
      window,
    });
    if (answer !== 'done' || this.#isForgotten) {
      this.#leave();
      throw failedCall('open', 'Failed to open serial port.', openErrors[answer === 'done' ? 'aborted' : answer]);
    }
    this.#state = 'open';
    if (this.#isLost) {
      this.#reading?.lose();
      this.#writing?.lose();
    }
  }

  async setSignals(signals: SerialOutputSignals): Promise<void> {
    const { dataTerminalReady, requestToSend, break: hold } = signals;
    this.#mustBeOpen('setSignals');
    if (dataTerminalReady === undefined && requestToSend === undefined && hold === undefined) {
      throw badArgument('setSignals', 'Signals dictionary must contain at least one member.');
    }
    await this.#call('setSignals', {
      kind: 'signals',
      port: this.number,
      dtr: dataTerminalReady ?? null,
      rts: requestToSend ?? null,
      break: hold ?? null,
    });
  }

  async getSignals(): Promise<SerialInputSignals> {
    this.#mustBeOpen('getSignals');
    const bits = await this.#call('getSignals', { kind: 'inputs', port: this.number });
    const values = inputBits.map((name, at) => [name, (bits & (1 << at)) !== 0]);
    return Object.fromEntries(values) as unknown as SerialInputSignals;
  }

  /**
   * Plays a sequence of DTR and RTS at the host, so that the network does not stretch its pauses.
   * @param release Sequence that the host plays if this guest does not come back. The next call replaces it.
   * @throws NetworkError if the device is gone.
   * @throws The reason of `signal`; the sequence has been stopped.
   */
  async playSteps(steps: readonly LineStep[], signal: AbortSignal, release: readonly LineStep[] = []): Promise<void> {
    this.#mustBeOpen('setSignals');
    signal.throwIfAborted();
    const { number: port } = this;
    const fields = (list: readonly LineStep[]) =>
      list.slice(0, stepLimit).map(([dtr, rts, wait]) => ({ dtr, rts, wait: Math.round(wait) }));
    const stop = () => this.#visit.send({ kind: 'stop', port });
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#call('setSignals', { kind: 'steps', port, steps: fields(steps), release: fields(release) });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  get canExpectBytes(): boolean {
    return (this.#visit.abilities() & hostAbilities.expect) !== 0;
  }

  writeAfter(bytes: Uint8Array, answer: AwaitedFrame | ExpectedBytes): void {
    this.#writing?.hold(bytes, answer);
  }

  /**
   * Announces a write of keys as they are pressed: the host and its guests show no line for them. The write must use
   * this same array. An older host shows them.
   */
  writeKeys(bytes: Uint8Array): void {
    this.#writing?.keys(bytes);
  }

  dropWaiting(): void {
    this.#writing?.drop();
  }

  async timeToAnswer(): Promise<number> {
    const { answer, value } = await this.#visit.request({ kind: 'answerTime', port: this.number });
    if (answer !== 'done' || this.#isLost) {
      throw deviceLost();
    }
    return value;
  }

  async close(): Promise<void> {
    if (this.#state !== 'open') {
      const reason =
        this.#state === 'closing' ? 'A call to close() is already in progress.' : 'The port is already closed.';
      throw failedCall('close', reason, 'InvalidStateError');
    }
    if (this.#reading?.isLocked || this.#writing?.isLocked) {
      throw badArgument('close', 'Cannot close a port with a locked stream');
    }
    this.#state = 'closing';
    const closing = this.#close();
    this.#closing = closing.catch(() => undefined);
    await closing;
  }

  /**
   * Returns a closed port to the host's session at once. Otherwise the host waits for a while in case the guest opens
   * it again.
   *
   * @throws InvalidStateError while the port is open.
   */
  async giveBack(): Promise<void> {
    if (this.#state !== 'closed') {
      throw new DOMException('The port is open.', 'InvalidStateError');
    }
    // A second close of a closed port makes the host release it at once.
    await this.#visit.request({ kind: 'close', port: this.number });
  }

  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.lose(null);
    if (this.#state === 'open') {
      this.#visit.send({ kind: 'close', port: this.number, request: 0 });
      this.#leave();
    }
    this.#visit.forget(this);
  }

  /** Takes bytes from the host. Called by the visit. Returns false if they are not the next bytes. */
  receive({ at, bytes }: MessageOf<'bytes'>): boolean {
    return this.#state === 'closed' || this.#state === 'closing' || (this.#reading?.receive(at, bytes) ?? true);
  }

  /** Grants room for all bytes up to `total`. Called by the visit. */
  credit(total: number): void {
    this.#writing?.credit(total);
  }

  /** Reports a line error, or bytes that the host did not keep for this guest. Called by the visit. */
  fail({ error, missing }: MessageOf<'lineError'>): void {
    this.#reading?.fail(error, missing);
  }

  /** Ends the use of the port with the host's reason. Called by the visit. */
  end(end: PortEnd): void {
    this.lose(losses[end]);
  }

  /**
   * Makes the port unusable. The first reason is kept. Called by the visit.
   *
   * @param by Null if the board is gone.
   */
  lose(by: RemoteLoss | null): void {
    this.#lostBy = this.#isLost ? this.#lostBy : by;
    this.#isLost = true;
    if (this.#state === 'open') {
      this.#reading?.lose();
      this.#writing?.lose();
    }
  }

  /** Marks the port as disconnected. The visit calls it right before it fires the `disconnect` event. */
  setDisconnected(): void {
    this.#connected = false;
  }

  async #close(): Promise<void> {
    await Promise.all([
      this.#reading?.cancel(),
      this.#writing?.abort(failedCall('close', 'The port is closed.', 'InvalidStateError')),
    ]);
    if (!this.#isLost) {
      await this.#visit.request({ kind: 'close', port: this.number });
    }
    this.#leave();
  }

  async #call(method: string, request: PortRequest): Promise<number> {
    const { answer, value } = await this.#visit.request(request);
    if (answer === 'aborted' || answer === 'not-open' || this.#isLost) {
      throw deviceLost();
    }
    if (answer !== 'done') {
      throw failedCall(
        method,
        'Failed to set or get control signals.',
        answer === 'no-right' ? 'NotAllowedError' : 'NetworkError',
      );
    }
    return value;
  }

  #leave(): void {
    this.#state = 'closed';
    this.#reading = null;
    this.#writing = null;
  }

  #mustBeOpen(method: string): void {
    if (this.#state !== 'open' && this.#state !== 'closing') {
      throw failedCall(method, 'The port is closed.', 'InvalidStateError');
    }
  }
}
