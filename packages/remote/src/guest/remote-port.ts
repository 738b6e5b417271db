/**
 * A `SerialPort` as W3C writes it whose board is somewhere else: everything that works on a port works on it. It is there while a board is
 * plugged in at the host and this guest may use it; a lost connection stalls it, and it goes on where it was.
 * Knows no keys: messages go through the visit that it belongs to.
 */
import type {
  AwaitedFrame,
  ExpectedBytes,
  LineStep,
  RemoteLoss,
  RemoteTiming,
  StepPlayer,
} from '@wirebench/serial/port';
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
import { badArgument, checkOptions, deviceLost, failedCall, PortEventTarget } from './web-serial.ts';

/** A request without its number. */
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
  /** The sum of the host's `hostAbilities`; 0 while they are not known. */
  abilities(): number;
  send(message: Message): void;
  /** What the host answers; `aborted` when the port is gone before it does. */
  request(message: PortRequest): Promise<{ readonly answer: Answer; readonly value: number }>;
  /** The page gives its permission back. */
  forget(port: RemotePort): void;
}

/** A rejected `open`, by name and with a text; the names are those that Chromium uses for the same at a local port. */
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

/** Why the host says that it ended. */
const losses: Readonly<Record<PortEnd, RemoteLoss | null>> = {
  unplugged: null,
  failed: null,
  'taken-back': 'taken-back',
  away: 'connection',
};

export class RemotePort extends PortEventTarget implements SerialPort, StepPlayer, RemoteTiming {
  readonly number: number;
  /** The host says that its board is simulated. */
  readonly isSimulated: boolean;
  readonly #visit: PortVisit;
  readonly #info: SerialPortInfo;
  #state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  /** Settles when a port that is being closed is closed; never rejects. */
  #closing: Promise<unknown> = Promise.resolve();
  #connected = true;
  #isForgotten = false;
  /** The host has ended the use of it. */
  #isLost = false;
  #lostBy: RemoteLoss | null = null;
  #reading: RemoteReading | null = null;
  #writing: RemoteWriting | null = null;

  /** Ports come from a `RemoteGuest`, as local ones come from `navigator.serial`. */
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

  /** Waits for a `close` at hand: a client gives that up after seconds, and a host can be away for a minute. */
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
   * Plays a sequence of DTR and RTS at the host, so that its pauses are those that were asked for.
   * @param release what the host plays when this guest is gone for good, until another sequence is played.
   * @throws NetworkError when the device is gone; the reason of `signal`, and then the sequence has been stopped.
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
   * Of a closed port: the host's session gets it back now, and not only when nobody has opened it again for a while.
   * @throws InvalidStateError while it is open.
   */
  async giveBack(): Promise<void> {
    if (this.#state !== 'closed') {
      throw new DOMException('The port is open.', 'InvalidStateError');
    }
    // A port that is closed already and is closed again is not wanted any more.
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

  /** For the visit: bytes of the host. False when they are not those that follow. */
  receive({ at, bytes }: MessageOf<'bytes'>): boolean {
    return this.#state === 'closed' || this.#state === 'closing' || (this.#reading?.receive(at, bytes) ?? true);
  }

  /** For the visit. */
  credit(total: number): void {
    this.#writing?.credit(total);
  }

  /** For the visit: an error of the line, or bytes that were not kept for this guest. */
  fail({ error, missing }: MessageOf<'lineError'>): void {
    this.#reading?.fail(error, missing);
  }

  /** For the visit: the host does not have it open for this guest any more, and says why. */
  end(end: PortEnd): void {
    this.lose(losses[end]);
  }

  /** For the visit: it cannot be used any more. The first reason stays. @param by null when its board is gone */
  lose(by: RemoteLoss | null): void {
    this.#lostBy = this.#isLost ? this.#lostBy : by;
    this.#isLost = true;
    if (this.#state === 'open') {
      this.#reading?.lose();
      this.#writing?.lose();
    }
  }

  /** For the visit, with the event that the page gets. */
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
