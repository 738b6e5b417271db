/** Jobs on the ports of a bench: which may run at the same time, and the notices when they end. */
import type { Clock } from '@wirebench/clock';
import {
  type ControlLines,
  defaultPortSettings,
  linesAtConnect,
  openErrorOf,
  type PortSettings,
} from '@wirebench/port';
import type { PortNumber } from '../port-number.ts';
import type { PortHold, PortSession, PortWork } from '../port-session.ts';
import type { SessionFailure } from '../session-failure.ts';
import type { NoticeText } from '../session-notices.ts';
import { type BaudFinding, type BaudSearch, findBaudRate } from './find-baud-rate.ts';
import { longestRepeat, type RepeatJob, type RepeatReport, repeatMessage, shortestRepeat } from './repeat-message.ts';
import { type ResetMode, type ResetOptions, resetBoard } from './reset-board.ts';
import {
  type FileSource,
  type SendJob,
  type SendOutcome,
  type SendReport,
  type SendTarget,
  sendFile,
} from './send-file.ts';
import { checkPace, type SendPace } from './send-pace.ts';

export interface SendFileOptions extends Pick<SendJob, 'signal' | 'onProgress'> {
  /** Pace of sending. Default: the speed of the wire. */
  readonly pace?: SendPace;
}

export type RepeatOptions = Pick<RepeatJob, 'signal' | 'onSent'>;

export interface FindBaudOptions extends BaudSearch {
  /** Settings except the rate. Default: the default settings. */
  readonly settings?: PortSettings;
  /** Lines as they were while the port was open, to be kept. Default: as at connect. */
  readonly lines?: ControlLines;
}

interface PortJobsParts {
  readonly clock: Clock;
  readonly session: (port: PortNumber) => PortSession;
  /** Returns true if the board of the port is at a remote host. */
  readonly isElsewhere: (port: PortNumber) => boolean;
  /** Returns true if any port of the bench holds the device. */
  readonly isHeld: (device: SerialPort) => boolean;
  readonly say: (notice: NoticeText, port: PortNumber) => void;
}

/** Texts by outcome. `{unsure}` is empty or says how many more bytes may have been sent. */
const sendNotices = {
  complete: ['success', 'Sent {file} to Port {port}: {sent} bytes in {seconds} s'],
  cancelled: ['info', 'Sending {file} to Port {port} was cancelled after {sent} of {total} bytes{unsure}'],
  closed: ['error', 'Sending {file} stopped because Port {port} was closed, after {sent} of {total} bytes{unsure}'],
  unreadable: [
    'error',
    'Sending {file} to Port {port} stopped after {sent} of {total} bytes: the file can no longer be read. Was it ' +
      'changed or moved? Choose it again.',
  ],
} as const satisfies Record<SendOutcome, readonly [NoticeText['level'], string]>;

/** Notices on the timeline about ended jobs. */
function sendNotice({ outcome, sent, total, unsure, duration }: SendReport, file: string, port: number): NoticeText {
  const [level, text] = sendNotices[outcome];
  const values: Readonly<Record<string, string>> = {
    file,
    port: `${port}`,
    sent: count(sent),
    total: count(total),
    seconds: (duration / 1_000).toFixed(1),
    unsure: unsure === 0 ? '' : `; up to ${count(unsure)} more may have been sent`,
  };
  return { level, text: text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole) };
}

/** Returns the notice; null if the user stopped the repetition and needs none. */
function repeatNotice({ outcome, count: messages }: RepeatReport, port: number): NoticeText | null {
  return outcome === 'cancelled'
    ? null
    : {
        level: 'warning',
        text: `Repeating stopped because Port ${port} was closed, after ${count(messages)} messages`,
      };
}

/** Refusals of work on a port of a remote host. */
const elsewhere = {
  transfer: 'transfer-elsewhere',
  'board-files': 'transfer-elsewhere',
  improv: 'improv-elsewhere',
  'modbus-search': 'modbus-search-elsewhere',
  'modbus-poll': 'modbus-poll-elsewhere',
} as const satisfies Record<PortWork, SessionFailure>;

const resetNotices = {
  run: 'Asked the board on Port {port} to restart, using its control lines',
  boot: 'Asked the board on Port {port} to wait in its bootloader, using its control lines',
} satisfies Record<ResetMode, string>;

function resetNotice(mode: ResetMode, port: number): NoticeText {
  return { level: 'info', text: resetNotices[mode].replace('{port}', `${port}`) };
}

/** Returns the sentence about a board that a reset did not silence. */
const notHeldText = (port: number): string =>
  `Port ${port} went on receiving while the reset was held: its output shows whether the board restarts`;

function count(value: number): string {
  return value.toLocaleString('en');
}

/** Starts jobs on ports. Methods reject with a `SessionError`, except for a RangeError and the reason of an abort. */
export class PortJobs {
  readonly #parts: PortJobsParts;
  readonly #sending = new Set<PortNumber>();
  readonly #resetting = new Set<PortNumber>();
  /** Number of messages that are being repeated on a port. */
  readonly #repeating = new Map<PortNumber, number>();
  /** Devices whose rate is being searched, and the end of each search. */
  readonly #listening = new Map<PortNumber, { readonly device: SerialPort; readonly done: Promise<unknown> }>();
  readonly #disposed = new AbortController();

  constructor(parts: PortJobsParts) {
    this.#parts = parts;
  }

  /** Returns true if a search for the baud rate has the device open. */
  holds(device: SerialPort): boolean {
    return [...this.#listening.values()].some((listening) => listening.device === device);
  }

  /**
   * Sends a file. Messages that are sent at the same time go between its pieces. Resolves with a report, even if
   * sending was cancelled or the port was closed or lost. Rejects if it cannot begin: the port is not connected, or
   * already sends a file.
   */
  async sendFile(port: PortNumber, file: FileSource, options: SendFileOptions = {}): Promise<SendReport> {
    const { pace = { kind: 'wire' }, signal, onProgress } = options;
    checkPace(pace);
    const target = { ...this.#target(port), send: (bytes: Uint8Array) => this.#parts.session(port).sendPiece(bytes) };
    const report = await this.#alone(this.#sending, port, 'already-sending', () =>
      sendFile(this.#parts.clock, target, { file, pace, signal, onProgress }),
    );
    this.#parts.say(sendNotice(report, file.name, port), port);
    return report;
  }

  /**
   * Sends the bytes at once and then every `every` milliseconds, until `signal` aborts or the port is closed or lost.
   * The bytes must not change before that. Rejects if the port is not connected.
   *
   * @throws RangeError if `every` is not between `shortestRepeat` and `longestRepeat`.
   */
  async repeat(
    port: PortNumber,
    bytes: Uint8Array,
    every: number,
    { signal, onSent }: RepeatOptions = {},
  ): Promise<RepeatReport> {
    if (!(every >= shortestRepeat && every <= longestRepeat)) {
      throw new RangeError(`A message is repeated every ${shortestRepeat} to ${longestRepeat} ms`);
    }
    const target = this.#target(port);
    this.#countRepeat(port, 1);
    const report = await repeatMessage(this.#parts.clock, target, { bytes, every, signal, onSent });
    this.#countRepeat(port, -1);
    const notice = repeatNotice(report, port);
    if (notice !== null) {
      this.#parts.say(notice, port);
    }
    return report;
  }

  /**
   * Restarts the board by its control lines (see `reset-board.ts`) and restores the lines. Rejects if the port is not
   * connected, is disconnecting or has no control lines, and with the reason of an abort.
   */
  async resetBoard(port: PortNumber, mode: ResetMode, options: ResetOptions = {}): Promise<void> {
    const session = this.#parts.session(port);
    const over = session.connection('signals-while-disconnecting');
    options.signal?.throwIfAborted();
    const { info, signals } = session.status;
    const { player } = session;
    const setSignals = session.setSignals.bind(session);
    const received = () => session.status.received;
    let wasHeld = true;
    const released = (isSilent: boolean) => {
      wasHeld = isSilent;
      options.released?.(isSilent);
    };
    const own = options.released === undefined ? options : { ...options, released };
    const done = await this.#alone(this.#resetting, port, 'already-resetting', () =>
      resetBoard(this.#parts.clock, { info, signals, over, received, setSignals, player }, mode, own),
    );
    if (done) {
      this.#parts.say(resetNotice(mode, port), port);
      if (!wasHeld) {
        this.#parts.say({ level: 'warning', text: notHeldText(port) }, port);
      }
    }
  }

  /**
   * Checks that registers of a port can be polled.
   *
   * @throws SessionError if the port is not connected, or is on a remote host.
   */
  checkPoll(port: PortNumber): void {
    const session = this.#parts.session(port);
    session.connection('send-while-disconnecting');
    if (this.#parts.isElsewhere(port)) {
      throw session.fail(elsewhere['modbus-poll']);
    }
  }

  /** Returns true while a file transfer has the port. */
  isTransferring(port: PortNumber): boolean {
    return this.#parts.session(port).isHeld;
  }

  /**
   * Gives the port to a file transfer (see `PortSession.hold`), or to other work. Packets of Improv, and rounds of
   * polling, may go between repeated messages.
   *
   * @throws SessionError if the port is not connected, is on a remote host, or sends something already.
   */
  holdForTransfer(port: PortNumber, received: (bytes: Uint8Array) => void, work?: PortWork): PortHold {
    const session = this.#parts.session(port);
    session.connection('send-while-disconnecting');
    if (this.#parts.isElsewhere(port)) {
      throw session.fail(elsewhere[work ?? 'transfer']);
    }
    if (this.#sending.has(port)) {
      throw session.fail('already-sending');
    }
    if (work !== 'improv' && work !== 'modbus-poll' && (this.#repeating.get(port) ?? 0) > 0) {
      throw session.fail('transfer-while-repeating');
    }
    return session.hold(received, work);
  }

  /**
   * Listens to `device` at one rate after the other (see `find-baud-rate.ts`). The port must be disconnected and
   * stays so: the caller connects it at the found rate.
   */
  async findBaudRate(port: PortNumber, device: SerialPort, options: FindBaudOptions = {}): Promise<BaudFinding> {
    const session = this.#parts.session(port);
    session.checkConnect();
    if (this.#listening.has(port)) {
      throw session.fail('already-finding');
    }
    if (this.#parts.isHeld(device)) {
      throw session.fail('open-here');
    }
    const { settings = defaultPortSettings, lines = linesAtConnect, signal, ...search } = options;
    const stop = AbortSignal.any([this.#disposed.signal, ...(signal === undefined ? [] : [signal])]);
    const finding = findBaudRate(this.#parts.clock, { device, settings, lines }, { ...search, signal: stop });
    this.#listening.set(port, { device, done: finding.catch(() => undefined) });
    try {
      return await finding;
    } catch (error) {
      stop.throwIfAborted();
      const { code, cause } = openErrorOf(error, device);
      throw session.fail(code, cause);
    } finally {
      this.#listening.delete(port);
    }
  }

  /** Ends the jobs that do not end with a port. No device stays open. */
  async dispose(): Promise<void> {
    this.#disposed.abort();
    await Promise.all([...this.#listening.values()].map(({ done }) => done));
  }

  #target(port: PortNumber): SendTarget {
    const session = this.#parts.session(port);
    const over = session.connection('send-while-disconnecting');
    session.checkFree();
    return {
      over,
      settings: session.status.settings ?? defaultPortSettings,
      send: (bytes) => session.send(bytes),
    };
  }

  #countRepeat(port: PortNumber, change: number): void {
    this.#repeating.set(port, (this.#repeating.get(port) ?? 0) + change);
  }

  /** Runs the job unless one of its kind already runs on the port. */
  async #alone<Result>(
    running: Set<PortNumber>,
    port: PortNumber,
    refusal: SessionFailure,
    job: () => Promise<Result>,
  ): Promise<Result> {
    if (running.has(port)) {
      throw this.#parts.session(port).fail(refusal);
    }
    running.add(port);
    try {
      return await job();
    } finally {
      running.delete(port);
    }
  }
}
