/**
 * State machine of one port of the bench: disconnected → connecting → connected → disconnecting | reconnecting →
 * disconnected (docs/behaviour.md, "Ports"). It decides which calls each state allows and reports the changes. It
 * does not read the bytes.
 */
import type { Clock } from '@wirebench/clock';
import {
  type CloseReport,
  type ControlLines,
  closeLimit,
  describePortSettings,
  errorName,
  type LinkEnd,
  linesOff,
  linesToSet,
  openErrorOf,
  openPort,
  type PortSettings,
  remoteTimingOf,
  SerialLink,
  type SignalChange,
  type StepPlayer,
  setControlLines,
  stepPlayerOf,
  within,
} from '@wirebench/port';
import type { PortState, PortStatus } from './bench-status.ts';
import { LineErrorTally } from './line-errors.ts';
import { type PacedLines, PacedSender, type PacedText, type SendingTurn } from './paced-sender.ts';
import type { PortNumber } from './port-number.ts';
import { ReconnectWait, reconnectPeriod } from './reconnect-wait.ts';
import { SecretMask, type Secrets } from './secret-mask.ts';
import type { SendPieces } from './send-input.ts';
import { JobEnd, type QueueProgress } from './send-queue.ts';
import { type SessionError, type SessionFailure, sessionError } from './session-failure.ts';
import { lossNotice, type NoticeText, type SessionNotice, sessionNotice } from './session-notices.ts';

export interface SessionEvents {
  /** A connect by the user with these settings begins: counts since the last connect restart at 0. */
  readonly begun: (settings: PortSettings) => void;
  /** Receives the number of bytes that have arrived for the log. They follow in `received`, some of them later. */
  readonly arrived: (count: number, at: number) => void;
  /** Receives bytes for the log, with asterisks in place of secrets. */
  readonly received: (bytes: Uint8Array, at: number) => void;
  /**
   * Receives bytes that were accepted for writing. If they are hidden, they must not be shown or stored. Undefined: the
   * receiver decides.
   */
  readonly sent: (bytes: Uint8Array, at: number, hidden: Hiding | undefined) => void;
  /** Receives the number of bytes that were accepted as keys. */
  readonly typed: (count: number, at: number) => void;
  /** Receives the number of bytes that passed to or from the work that holds the port. They are not in the log. */
  readonly moved: (direction: 'received' | 'sent', count: number) => void;
  /** The connection has ended, and no more bytes come from it. */
  readonly ended: () => void;
  readonly notice: (notice: NoticeText) => void;
  /** Called after each change of `status`. */
  readonly changed: () => void;
}

/** True: what is sent is shown as its number of bytes. A text: it is shown as this name. False: it is shown. */
export type Hiding = boolean | string;

/** Takes bytes to a board. A rejection with NotAllowedError fails this one message, and the port stays open. */
export type SendWay = (bytes: Uint8Array) => Promise<void>;

/** Log and way of bytes that are sent. */
export interface SendManner {
  readonly hidden: Hiding;
  /** Takes the bytes instead of the open port. */
  readonly way: SendWay | undefined;
}

export interface SessionLines extends Omit<PacedLines, 'onBegin'> {
  /** Called when a line begins. */
  readonly manner: () => SendManner;
}

/** The part of a port's status that its session maintains. The owner of the channels counts the lines and reads prompts. */
export type SessionStatus = Omit<PortStatus, 'lines' | 'heldLines' | 'droppedLines' | 'asks'>;

/**
 * Work that has a port to itself: a file transfer, the files of a board, the setup of its Wi-Fi, the search for devices, a
 * round of polling.
 */
export type PortWork = 'transfer' | 'board-files' | 'improv' | 'modbus-search' | 'modbus-poll';

/** The port in the hands of one piece of work. Nothing else can send, except while `admitsOthers`. */
export interface PortHold {
  /** Aborts when the port is closed or lost. */
  readonly over: AbortSignal;
  /** True: what others send goes to the port, and into the log, between the bytes of the work. At first false. */
  admitsOthers: boolean;
  /** Set: the work gives the port up as soon as other work needs it, and is called. At first null. */
  onYield: (() => void) | null;
  /** Resolves when the port has taken the bytes, which must not change before. They are not in the log. */
  send(bytes: Uint8Array): Promise<void>;
  /** Does the same as `send`, and shows the bytes in the log as sent ones. */
  sendShown(bytes: Uint8Array): Promise<void>;
  /** Gives received bytes to the log that are not for the work. */
  pass(bytes: Uint8Array): void;
  /** Gives the port back. `rest` are received bytes that the work did not use: they go to the log. */
  release(rest: Uint8Array): void;
}

export interface SessionParts {
  readonly clock: Clock;
  /** True: wait for a device that vanished. */
  readonly reconnect: boolean;
  /** Bytes that are masked wherever the port receives them. */
  readonly secrets: Secrets;
}

interface Opening {
  readonly device: SerialPort;
  readonly settings: PortSettings;
  readonly signal: AbortSignal;
  /** True: the device came back. False: the user connected it. */
  readonly again: boolean;
}

const refusals = {
  transfer: 'send-while-transferring',
  'board-files': 'send-while-board-files',
  improv: 'send-while-improv',
  'modbus-search': 'send-while-modbus-search',
  'modbus-poll': 'send-while-modbus-poll',
} as const satisfies Record<PortWork, SessionFailure>;

/** Failures that a person has wanted. */
const quiet: ReadonlySet<SessionFailure> = new Set(['cancelled', 'send-stopped']);
const CTRL_C = 0x03;
const nothing = new Uint8Array();
const text: PacedText = { isKeys: false, isPaced: true };
const keys: PacedText = { isKeys: true, isPaced: true };
const filePiece: PacedText = { isKeys: false, isPaced: false };

/** Error whose message says how far the sending came. */
const amountOf = ({ sent, total }: QueueProgress) => new Error(`${sent} of ${total} bytes`);

const connectRefusals = {
  connected: 'already-connected',
  connecting: 'already-connecting',
  disconnecting: 'connect-while-disconnecting',
  disconnected: null,
  reconnecting: null,
} as const satisfies Record<PortState, SessionFailure | null>;

export class PortSession {
  readonly #port: PortNumber;
  readonly #clock: Clock;
  readonly #events: SessionEvents;
  readonly #lineErrors: LineErrorTally;
  readonly #mask: SecretMask;
  readonly #sender: PacedSender;
  #reconnect: boolean;
  #status: Omit<SessionStatus, 'errors'> = {
    state: 'disconnected',
    settings: null,
    info: null,
    notBack: false,
    signals: linesOff,
    connectedAt: null,
    received: 0,
    sent: 0,
  };
  #link: SerialLink | null = null;
  #opening: Opening | null = null;
  #connecting: AbortController | null = null;
  #wait: ReconnectWait | null = null;
  /** Takes received bytes while a piece of work has the port to itself. */
  #taker: ((bytes: Uint8Array) => void) | null = null;
  /** Set together with `#taker`. */
  #hold: PortHold | null = null;
  #work: PortWork = 'transfer';
  #disconnecting: Promise<void> | null = null;
  /** The device used last, and the work that must end before it can be opened again. */
  #leaving: { readonly device: SerialPort; readonly done: Promise<unknown> } | null = null;

  constructor(port: PortNumber, { clock, reconnect, secrets }: SessionParts, events: SessionEvents) {
    this.#port = port;
    this.#clock = clock;
    this.#reconnect = reconnect;
    this.#events = events;
    this.#lineErrors = new LineErrorTally(clock, (notice, count) => this.#say(notice, count));
    this.#mask = new SecretMask(clock, secrets, (bytes) => events.received(bytes, clock.wallTime()));
    this.#sender = new PacedSender({
      clock,
      settings: () => this.#status.settings,
      onGiven: (count) => this.#update({ sent: this.#status.sent + count }),
    });
  }

  get status(): SessionStatus {
    return { ...this.#status, errors: this.#lineErrors.counts };
  }

  /** The wait for a device that vanished; null without one. */
  get wait(): ReconnectWait | null {
    return this.#wait;
  }

  /** The open device; null without one. */
  get device(): SerialPort | null {
    return this.#link?.device ?? null;
  }

  /** Returns true if `device` is open here or being opened. */
  holds(device: SerialPort): boolean {
    return this.#link?.device === device || this.#opening?.device === device;
  }

  /** Adds a notice of the failure and returns the error to throw. */
  fail(code: SessionFailure, cause?: unknown): SessionError {
    const error = sessionError(code, this.#port, cause);
    this.#events.notice({ level: quiet.has(code) ? 'info' : 'error', text: error.message });
    return error;
  }

  /**
   * Checks that a connect can begin.
   *
   * @throws SessionError if the state does not allow it.
   */
  checkConnect(): void {
    const refusal = connectRefusals[this.#status.state];
    if (refusal !== null) {
      throw this.fail(refusal);
    }
  }

  /** Opens `device`. This ends the wait for another device. */
  async connect(device: SerialPort, settings: PortSettings): Promise<void> {
    this.checkConnect();
    this.#endWait();
    this.#lineErrors.reset();
    const connecting = new AbortController();
    this.#connecting = connecting;
    this.#update({ state: 'connecting', settings, info: device.getInfo(), notBack: false, received: 0, sent: 0 });
    this.#events.begun(settings);
    try {
      await this.#open({ device, settings, signal: connecting.signal, again: false });
    } catch (error) {
      if (connecting.signal.aborted) {
        throw this.fail('cancelled');
      }
      this.#update({ state: 'disconnected' });
      const { code, cause } = openErrorOf(error, device);
      throw this.fail(code, cause);
    }
  }

  /** Closes the port. Also cancels an opening and a wait. A second call joins the first. */
  async disconnect(): Promise<void> {
    switch (this.#status.state) {
      case 'disconnected':
        throw this.fail('not-connected');
      case 'reconnecting':
        this.cancelReconnect();
        break;
      case 'connecting':
        this.#connecting?.abort();
        this.#leave(this.#openingEnds());
        break;
      case 'connected':
        this.#closeLink();
        break;
      case 'disconnecting':
    }
    await this.#disconnecting;
  }

  /**
   * Resolves when the port has taken the bytes; rejects if it did not. With pieces, this takes time, and what is sent
   * before its end follows behind.
   *
   * @param way Takes the bytes instead of the open port.
   */
  send(bytes: Uint8Array, hidden?: Hiding, way?: SendWay): Promise<void> {
    return this.#send(bytes, text, () => this.#events.sent(bytes, this.#clock.wallTime(), hidden), way);
  }

  /** Sends a piece of a file, which has a pace of its own, as `send` does. */
  sendPiece(bytes: Uint8Array): Promise<void> {
    return this.#send(bytes, filePiece, () => this.#events.sent(bytes, this.#clock.wallTime(), undefined));
  }

  /** Sends keys, which are reported by their number only. Resolves and rejects as `send` does. */
  type(bytes: Uint8Array): Promise<void> {
    return this.#send(bytes, keys, () => this.#events.typed(bytes.length, this.#clock.wallTime()));
  }

  /** Sends lines with a pause after each. Nothing comes between two of them. Resolves and rejects as `send` does. */
  async sendLines({ manner, ...lines }: SessionLines): Promise<void> {
    const link = this.#freeLink();
    const onBegin = (line: Uint8Array) => {
      const { hidden, way } = manner();
      this.#events.sent(line, this.#clock.wallTime(), hidden);
      return way;
    };
    await this.#inTurn(link, this.#sender.lines(link, { ...lines, onBegin }));
  }

  /**
   * Runs a job that sends by itself and leaves no line in the log. What others send follows behind it. Rejects as `send`
   * does.
   *
   * @param bytes Number of bytes that it will send.
   */
  async sendingJob<Result>(bytes: number, work: (turn: SendingTurn) => Promise<Result>): Promise<Result> {
    const link = this.#freeLink();
    this.#events.typed(bytes, this.#clock.wallTime());
    return this.#inTurn(link, this.#sender.job(link, bytes, work));
  }

  /** Sends texts and keys in pieces from now on. Null: at once. */
  setPieces(pieces: SendPieces | null): void {
    this.#sender.setPieces(pieces);
  }

  /** Returns the time that a text of this length needs on its way, in milliseconds. */
  sendTime(length: number): number {
    return this.#sender.timeOf(length);
  }

  /** Progress of what is being sent; null if nothing is, or if it takes less than a second. */
  get sending(): QueueProgress | null {
    return this.#sender.shownProgress;
  }

  /** Ends what is being sent, and drops what waits behind it. */
  stopSending(): void {
    const end = this.#sender.takeEnd();
    this.#sender.stop();
    if (end !== null) {
      this.fail('send-stopped', amountOf(end));
    }
  }

  async #send(bytes: Uint8Array, how: PacedText, report: () => void, way?: SendWay): Promise<void> {
    const link = this.#freeLink();
    if (bytes.length === 0) {
      return;
    }
    const isInterrupt = bytes.length === 1 && bytes[0] === CTRL_C && this.sending !== null;
    if (isInterrupt) {
      // The person wants an end now, of what the board does and of what it gets.
      this.stopSending();
    }
    report();
    if (way === undefined && !isInterrupt && this.#sender.takesTurns(how)) {
      await this.#inTurn(link, this.#sender.text(link, bytes, how));
      return;
    }
    this.#update({ sent: this.#status.sent + bytes.length });
    if (how.isKeys) {
      remoteTimingOf(link.device)?.writeKeys(bytes);
    }
    await this.#reported(way === undefined ? link.send(bytes) : way(bytes));
  }

  /** @throws SessionError while nothing may be sent. */
  #freeLink(): SerialLink {
    const link = this.#linkFor('send-while-disconnecting');
    if (this.#hold?.admitsOthers !== true) {
      this.checkFree();
    }
    return link;
  }

  /** Turns a failure of the port into the error of the session. */
  async #reported<Result>(sending: Promise<Result>): Promise<Result> {
    try {
      return await sending;
    } catch (error) {
      if (errorName(error) === 'NotAllowedError') {
        throw this.fail('send-failed', error);
      }
      // Not reported here: the link ends with the same error, which is reported once for all writes that fail
      // together.
      throw sessionError('send-failed', this.#port, error);
    }
  }

  /** Turns the end of a sending that takes turns into the error of the session. How far it came is said once. */
  async #inTurn<Result>({ over }: SerialLink, sending: Promise<Result>): Promise<Result> {
    try {
      return await sending;
    } catch (error) {
      const { cause, progress = null } = error instanceof JobEnd ? error : { cause: error };
      if (over.aborted) {
        throw progress === null
          ? sessionError('send-cut', this.#port, new Error('nothing more'))
          : this.fail('send-cut', amountOf(progress));
      }
      if (errorName(cause) === 'AbortError') {
        throw sessionError('send-stopped', this.#port, new Error('nothing more'));
      }
      return this.#reported(Promise.reject(cause));
    }
  }

  /** True: a piece of work has the port to itself. */
  get isHeld(): boolean {
    return this.#taker !== null;
  }

  /**
   * Ends work that yields to others.
   *
   * @throws SessionError while a piece of work has the port to itself.
   */
  checkFree(): void {
    const { onYield = null, release } = this.#hold ?? {};
    if (onYield !== null) {
      release?.(nothing);
      onYield();
    }
    if (this.#taker !== null) {
      throw this.fail(refusals[this.#work]);
    }
  }

  /**
   * Gives the open port to a piece of work. Received bytes go to `received` and not to the log, and `send` is refused.
   *
   * @throws SessionError while no device is open, and while other work has the port.
   */
  hold(received: (bytes: Uint8Array) => void, work: PortWork = 'transfer'): PortHold {
    const link = this.#linkFor('send-while-disconnecting');
    this.checkFree();
    if (this.#sender.isBusy) {
      throw this.fail('hold-while-sending');
    }
    const taker = (bytes: Uint8Array) => received(bytes);
    this.#taker = taker;
    this.#work = work;
    const hold: PortHold = {
      over: link.over,
      admitsOthers: false,
      onYield: null,
      send: async (bytes) => {
        this.#update({ sent: this.#status.sent + bytes.length });
        this.#events.moved('sent', bytes.length);
        await link.send(bytes);
      },
      sendShown: async (bytes) => {
        this.#update({ sent: this.#status.sent + bytes.length });
        this.#events.sent(bytes, this.#clock.wallTime(), false);
        await link.send(bytes);
      },
      pass: (bytes) => {
        if (this.#taker === taker && bytes.length > 0) {
          this.#mask.take(bytes);
        }
      },
      release: (rest) => {
        if (this.#taker === taker) {
          hold.pass(rest);
          this.#taker = null;
          this.#hold = null;
          this.#events.changed();
        }
      },
    };
    this.#hold = hold;
    return hold;
  }

  async setSignals(change: SignalChange): Promise<void> {
    const { device } = this.#linkFor('signals-while-disconnecting');
    try {
      await setControlLines(device, change);
    } catch (error) {
      throw this.fail('signals-failed', error);
    }
    const { dtr, rts } = this.#status.signals;
    this.#update({ signals: { dtr: change.dtr ?? dtr, rts: change.rts ?? rts } });
  }

  /** The open device if it plays sequences itself; null for a local port, and while no device is open. */
  get player(): StepPlayer | null {
    return this.#link === null ? null : stepPlayerOf(this.#link.device);
  }

  /**
   * Returns a signal for work that needs the open port: it aborts when the port is closed or lost.
   *
   * @param refusal Failure if the port is disconnecting.
   * @throws SessionError while no device is open.
   */
  connection(refusal: SessionFailure): AbortSignal {
    return this.#linkFor(refusal).over;
  }

  setReconnect(enabled: boolean): void {
    this.#reconnect = enabled;
    if (!enabled) {
      this.cancelReconnect();
    }
  }

  cancelReconnect(): void {
    this.#stopWaiting('stopped-waiting');
  }

  /** Sets the settings with which a lost device is opened again. Does nothing while the port waits for none. */
  reopenWith(settings: PortSettings): void {
    if (this.#wait !== null) {
      this.#update({ settings });
    }
  }

  /** Takes `device` for the awaited one and opens it with the previous settings. */
  async reopen(device: SerialPort): Promise<void> {
    const { settings } = this.#status;
    const wait = this.#wait;
    if (wait === null || settings === null) {
      return;
    }
    const outcome = await wait.reopen(device, () =>
      this.#open({ device, settings, signal: wait.signal, again: true }).then(
        () => null,
        (error: unknown) => openErrorOf(error, device).code,
      ),
    );
    if (outcome === 'unclear' && wait === this.#wait) {
      this.askToPick();
    }
  }

  /** Asks the person to pick the board, once per wait, because the lost device cannot be identified. */
  askToPick(): void {
    if (this.#wait?.ask()) {
      this.#say('pick-again');
    }
  }

  /** Closes the open device. No timer or promise stays pending. */
  async dispose(): Promise<void> {
    this.setReconnect(false);
    if (this.#status.state !== 'disconnected') {
      await this.disconnect();
    }
    await this.#leaving?.done;
  }

  /** Opens a device. Rejects with the system's error, or after an abort. */
  #open(opening: Opening): Promise<void> {
    const { device, settings, signal } = opening;
    const after = this.#leaving?.device === device ? this.#leaving.done : null;
    this.#opening = opening;
    const opened = openPort(this.#clock, {
      device,
      settings,
      signal,
      after,
      lines: linesToSet(settings.linesAtOpen),
      onOpen: (lines) => this.#adopt(opening, lines),
      onLinesFailed: (error) => void this.fail('signals-failed', error),
    }).finally(() => {
      if (this.#opening === opening) {
        this.#opening = null;
      }
    });
    this.#leaving = { device, done: opened.catch(() => undefined) };
    return opened;
  }

  #adopt({ device, settings, again }: Opening, signals: ControlLines): void {
    const link = new SerialLink(
      this.#clock,
      { device, settings, overruns: 'retry-once' },
      {
        bytes: (bytes) => {
          this.#status = { ...this.#status, received: this.#status.received + bytes.length };
          if (this.#taker === null) {
            this.#events.arrived(bytes.length, this.#clock.wallTime());
            this.#mask.take(bytes);
          } else {
            this.#events.moved('received', bytes.length);
            this.#taker(bytes);
          }
        },
        lineError: (kind) => this.#lineErrors.add(kind),
        overrun: (final) => {
          this.#lineErrors.addOverrun();
          this.#say(final ? 'overrun-final' : 'overrun-retry');
        },
        ended: (end) => this.#linkEnded(link, end),
      },
    );
    this.#endWait();
    this.#link = link;
    this.#update({ state: 'connected', signals, ...(!again && { connectedAt: this.#clock.wallTime() }) });
    this.#say(again ? 'connected-again' : 'connected', describePortSettings(settings));
    link.start();
  }

  #linkFor(refusal: SessionFailure): SerialLink {
    if (this.#status.state === 'disconnecting') {
      throw this.fail(refusal);
    }
    if (this.#link === null) {
      throw this.fail('not-connected');
    }
    return this.#link;
  }

  #linkEnded(link: SerialLink, end: LinkEnd): void {
    if (end.reason === 'lost') {
      this.#lose(link);
      return;
    }
    if (end.reason !== 'overrun') {
      this.fail(end.reason, end.error);
    }
    this.#closeLink();
  }

  /** Handles a device that is gone. Its link is closed in the background. */
  #lose(link: SerialLink): void {
    this.#link = null;
    this.#leaving = { device: link.device, done: link.close() };
    this.#finish();
    this.#say(lossNotice(link.device));
    if (this.#reconnect) {
      this.#wait = new ReconnectWait(this.#clock, link.device, () => this.#stopWaiting('not-back'));
    }
    this.#update({ state: this.#reconnect ? 'reconnecting' : 'disconnected', signals: linesOff });
  }

  #closeLink(): void {
    const link = this.#link;
    if (link === null) {
      return;
    }
    this.#link = null;
    const done = link.close();
    this.#leaving = { device: link.device, done };
    this.#leave(
      done.then((report) => {
        this.#say('disconnected');
        return report;
      }),
    );
  }

  /** Waits until the aborted opening ends. After `closeLimit` it is left to itself. */
  async #openingEnds(): Promise<CloseReport> {
    const done = this.#leaving?.done ?? Promise.resolve();
    return { unsent: 0, closed: (await within(this.#clock, closeLimit, done)) !== 'late' };
  }

  #leave(closing: Promise<CloseReport>): void {
    this.#update({ state: 'disconnecting' });
    this.#disconnecting = closing.then(({ unsent, closed }) => {
      this.#finish();
      if (unsent > 0) {
        this.#say('unsent', unsent);
      }
      if (!closed) {
        this.#say('not-closed');
      }
      this.#disconnecting = null;
      this.#update({ state: 'disconnected', signals: linesOff });
    });
  }

  /** Reports held-back line errors and the end of the connection. */
  #finish(): void {
    this.#taker = null;
    this.#hold = null;
    this.#lineErrors.flush();
    this.#mask.end();
    this.#events.ended();
  }

  #stopWaiting(notice: 'stopped-waiting' | 'not-back'): void {
    if (this.#wait !== null) {
      this.#endWait();
      this.#update({ state: 'disconnected', notBack: notice === 'not-back' });
      this.#say(notice, reconnectPeriod / 1_000);
    }
  }

  #endWait(): void {
    this.#wait?.end();
    this.#wait = null;
  }

  #say(notice: SessionNotice, value?: string | number): void {
    this.#events.notice(sessionNotice(notice, this.#port, value));
  }

  #update(change: Partial<Omit<SessionStatus, 'errors'>>): void {
    this.#status = { ...this.#status, ...change };
    this.#events.changed();
  }
}
