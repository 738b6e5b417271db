/**
 * What one port of the bench is doing: disconnected → connecting → connected → disconnecting | reconnecting → disconnected
 * (docs/behaviour.md, "Ports"). Decides what is allowed when, and says what happened; bytes pass through it unseen.
 */
import type { Clock } from '@wirebench/clock';
import type { PortState, PortStatus } from './bench-status.ts';
import { LineErrorTally } from './line-errors.ts';
import {
  type ControlLines,
  linesAtConnect,
  linesOff,
  type SignalChange,
  type StepPlayer,
  setControlLines,
  stepPlayerOf,
} from './port/control-lines.ts';
import { errorName } from './port/error-name.ts';
import { openErrorOf } from './port/open-failure.ts';
import { openPort } from './port/open-port.ts';
import { type CloseReport, type LinkEnd, SerialLink } from './port/serial-link.ts';
import { closeLimit, within } from './port/time-limit.ts';
import { describePortSettings, type PortNumber, type PortSettings } from './port-settings.ts';
import { ReconnectWait, reconnectPeriod } from './reconnect-wait.ts';
import { type SessionError, type SessionFailure, sessionError } from './session-failure.ts';
import { lossNotice, type NoticeText, type SessionNotice, sessionNotice } from './session-notices.ts';

export interface SessionEvents {
  /** A person's connect begins: what is counted since the last connect starts at 0. */
  readonly begun: () => void;
  readonly received: (bytes: Uint8Array, at: number) => void;
  /** The bytes were accepted for writing. */
  readonly sent: (bytes: Uint8Array, at: number) => void;
  /** Nothing more comes from this connection. */
  readonly ended: () => void;
  readonly notice: (notice: NoticeText) => void;
  /** Something of `status` changed. */
  readonly changed: () => void;
}

/** What a session knows of its port's status; lines are counted by who holds them. */
export type SessionStatus = Omit<PortStatus, 'lines' | 'heldLines' | 'droppedLines'>;

interface Opening {
  readonly device: SerialPort;
  readonly settings: PortSettings;
  readonly signal: AbortSignal;
  /** Because the device came back, not because a person connected it. */
  readonly again: boolean;
}

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
  #disconnecting: Promise<void> | null = null;
  /** The device used last, and what has to end before it can be opened again. */
  #leaving: { readonly device: SerialPort; readonly done: Promise<unknown> } | null = null;

  constructor(port: PortNumber, clock: Clock, reconnect: boolean, events: SessionEvents) {
    this.#port = port;
    this.#clock = clock;
    this.#reconnect = reconnect;
    this.#events = events;
    this.#lineErrors = new LineErrorTally(clock, (notice, count) => this.#say(notice, count));
  }

  get status(): SessionStatus {
    return { ...this.#status, errors: this.#lineErrors.counts };
  }

  /** The wait for a device that vanished, while there is one. */
  get wait(): ReconnectWait | null {
    return this.#wait;
  }

  /** What is open here; null while nothing is. */
  get device(): SerialPort | null {
    return this.#link?.device ?? null;
  }

  /** Whether `device` is open here or about to be. */
  holds(device: SerialPort): boolean {
    return this.#link?.device === device || this.#opening?.device === device;
  }

  /** Says what went wrong, and gives the error to throw. */
  fail(code: SessionFailure, cause?: unknown): SessionError {
    const error = sessionError(code, this.#port, cause);
    this.#events.notice({ level: code === 'cancelled' ? 'info' : 'error', text: error.message });
    return error;
  }

  /** Throws when no connect can begin in this state. */
  checkConnect(): void {
    const refusal = connectRefusals[this.#status.state];
    if (refusal !== null) {
      throw this.fail(refusal);
    }
  }

  /** Opens `device`. While another one is waited for, this ends the wait. */
  async connect(device: SerialPort, settings: PortSettings): Promise<void> {
    this.checkConnect();
    this.#endWait();
    this.#lineErrors.reset();
    const connecting = new AbortController();
    this.#connecting = connecting;
    this.#update({ state: 'connecting', settings, info: device.getInfo(), notBack: false, received: 0, sent: 0 });
    this.#events.begun();
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

  /** Also cancels an opening and a wait. A second call joins the first. */
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

  /** Resolves when the port has taken the bytes; rejects when it did not. */
  async send(bytes: Uint8Array): Promise<void> {
    const link = this.#linkFor('send-while-disconnecting');
    if (bytes.length === 0) {
      return;
    }
    this.#events.sent(bytes, this.#clock.now());
    this.#update({ sent: this.#status.sent + bytes.length });
    try {
      await link.send(bytes);
    } catch (error) {
      if (errorName(error) === 'NotAllowedError') {
        throw this.fail('send-failed', error);
      }
      // Not said here: the link ends for it, and that is said once, however many writes fail together.
      throw sessionError('send-failed', this.#port, error);
    }
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

  /** Null for a port that is here, and while none is open. */
  get player(): StepPlayer | null {
    return this.#link === null ? null : stepPlayerOf(this.#link.device);
  }

  /**
   * For what goes on while the port is open: aborts when it is being closed, or lost. Throws while nothing is open, for
   * `refusal` while the port is disconnecting.
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

  /** `device` is taken for the one that is waited for, and opened with the settings of before. */
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

  /** It cannot be told which device is the one that was lost: the person is asked, once in a wait. */
  askToPick(): void {
    if (this.#wait?.ask()) {
      this.#say('pick-again');
    }
  }

  /** Closes what is open; nothing is left running. */
  async dispose(): Promise<void> {
    this.setReconnect(false);
    if (this.#status.state !== 'disconnected') {
      await this.disconnect();
    }
    await this.#leaving?.done;
  }

  /** Rejects with what the system says, or because it was aborted. */
  #open(opening: Opening): Promise<void> {
    const { device, settings, signal } = opening;
    const after = this.#leaving?.device === device ? this.#leaving.done : null;
    this.#opening = opening;
    const opened = openPort(this.#clock, {
      device,
      settings,
      signal,
      after,
      lines: linesAtConnect,
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
          this.#events.received(bytes, this.#clock.now());
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
    this.#update({ state: 'connected', signals, ...(!again && { connectedAt: this.#clock.now() }) });
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

  /** The device is gone: what is left of it is closed behind the scenes. */
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

  /** The opening that was aborted comes to its end, or is left to itself after a while. */
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

  /** Nothing more comes: what was held back is said. */
  #finish(): void {
    this.#lineErrors.flush();
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
