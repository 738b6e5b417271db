/**
 * Four ports and one time line: the class that a worker owns and a page asks. Brings sessions, channels, search and export
 * together; has no knowledge of its own of any of them.
 */
import type { Clock } from '@wirebench/clock';
import { type AnswerOutcome, AnswerWatch, type Expectation } from './answer-watch.ts';
import { BenchChannels } from './bench-channels.ts';
import type { BenchStatus, PortStatus } from './bench-status.ts';
import type { SignalChange } from './control-lines.ts';
import { exportCsv } from './export-csv.ts';
import { exportRaw } from './export-raw.ts';
import { exportText } from './export-text.ts';
import type { SearchQuery } from './line-matcher.ts';
import type { TextExportOptions } from './log-lines.ts';
import { PortSession } from './port-session.ts';
import { type PortNumber, type PortSettings, portNumbers, wireTime } from './port-settings.ts';
import { offerDevice } from './reconnect-wait.ts';
import { rowPage } from './row-page.ts';
import { LineSearch } from './search.ts';
import type { NoticeLevel, RowPage, RowQuery } from './timeline-rows.ts';

export interface BenchOptions {
  readonly clock: Clock;
  /** Bytes kept of what each port receives; `defaultRingBytes` unless told. */
  readonly ringBytes?: number;
  /** Whether a device that vanished is waited for; true unless told. */
  readonly reconnect?: boolean;
  /** Called after every change of the time line or of a port's status, in the middle of it: ask later, and coalesce. */
  readonly onChange?: () => void;
  /**
   * Called with every byte received, exactly once and in order, after it stands on the time line. The bytes may be kept
   * or transferred. Must not throw.
   */
  readonly onReceived?: (port: PortNumber, bytes: Uint8Array, at: number) => void;
}

/**
 * Every method that rejects rejects with a `SessionError`: its `code` is for programs, its `message` for people. What went
 * wrong stands on the time line too, so a message need not be shown twice.
 */
export class Bench {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #channels: BenchChannels;
  readonly #answers: AnswerWatch;
  readonly #sessions: Readonly<Record<PortNumber, PortSession>>;
  /** For each port, the lines that had been received when it was last connected. */
  readonly #linesBefore: Record<PortNumber, number> = { 1: 0, 2: 0, 3: 0, 4: 0 };
  #revision = 0;

  /** Throws a RangeError when `ringBytes` is out of range. */
  constructor({ clock, ringBytes, reconnect = true, onChange, onReceived }: BenchOptions) {
    this.#clock = clock;
    this.#onChange = onChange ?? (() => undefined);
    this.#channels = new BenchChannels(ringBytes);
    this.#answers = new AnswerWatch(clock);
    const session = (port: PortNumber) => this.#newSession(port, reconnect, onReceived);
    this.#sessions = { 1: session(1), 2: session(2), 3: session(3), 4: session(4) };
  }

  /** Opens `device`. While the port waits for a device that vanished, this is how a person picks the board again. */
  async connect(port: PortNumber, device: SerialPort, settings: PortSettings): Promise<void> {
    const session = this.#sessions[port];
    session.checkConnect();
    if (this.#otherSessions(port).some((other) => other.holds(device))) {
      throw session.fail('open-here');
    }
    try {
      this.#channels.received(port).reserve();
    } catch (error) {
      throw session.fail('no-memory', error);
    }
    await session.connect(device, settings);
  }

  /** Closes the port and resolves when it is closed; cancels an opening and a reconnect. */
  disconnect(port: PortNumber): Promise<void> {
    return this.#sessions[port].disconnect();
  }

  /**
   * Puts the bytes on the time line at once, as one line, and resolves when the port has taken them. They must not change
   * until then. Rejects, without a line, when the port is not connected.
   */
  send(port: PortNumber, bytes: Uint8Array): Promise<void> {
    return this.#sessions[port].send(bytes);
  }

  /**
   * Sends, and looks for the answer in every byte that is received from that moment on, an echo included. The time that the
   * message itself takes on the wire does not count as waiting. Nothing is sent when `signal` is aborted already. Rejects as `send` does, and with a RangeError for an answer
   * of no bytes; whatever else becomes of the wait is an outcome.
   */
  async ask(port: PortNumber, bytes: Uint8Array, { answer, timeout, signal }: Expectation): Promise<AnswerOutcome> {
    const session = this.#sessions[port];
    const { settings } = session.status;
    const onTheWire = settings === null ? 0 : wireTime(settings, bytes.length);
    const notSent = new AbortController();
    const signals = [notSent.signal, ...(signal === undefined ? [] : [signal])];
    const outcome = this.#answers.expect(port, {
      answer,
      timeout: timeout + onTheWire,
      signal: AbortSignal.any(signals),
    });
    if (signal?.aborted) {
      return outcome;
    }
    try {
      // A port that takes no bytes keeps nobody waiting beyond the timeout.
      await Promise.race([session.send(bytes), outcome]);
    } catch (error) {
      notSent.abort();
      throw error;
    }
    return outcome;
  }

  /** What changes is set in one step. */
  setSignals(port: PortNumber, change: SignalChange): Promise<void> {
    return this.#sessions[port].setSignals(change);
  }

  status(): BenchStatus {
    const status = (port: PortNumber): PortStatus => {
      const received = this.#channels.received(port);
      return {
        ...this.#sessions[port].status,
        lines: received.endLine - this.#linesBefore[port],
        droppedLines: received.droppedLines + this.#channels.sent(port).droppedLines,
      };
    };
    return {
      ports: { 1: status(1), 2: status(2), 3: status(3), 4: status(4) },
      revision: this.#revision,
      lines: this.#channels.lines,
      droppedLines: this.#channels.droppedLines,
      newestAt: this.#channels.newestAt,
    };
  }

  /**
   * The device that the port has open, null while it has none. After a reconnect it may be another object than the one that
   * was given to `connect`.
   */
  device(port: PortNumber): SerialPort | null {
    return this.#sessions[port].device;
  }

  /** All rows of a page share one buffer, which may be transferred: `page.rows[0]?.bytes.buffer`. */
  rows(query: RowQuery): RowPage {
    return rowPage(this.#channels.timeline(query.channels), query);
  }

  /** Forgets all lines of all channels. Ports stay as they are. */
  clear(): void {
    this.#channels.clear();
    this.#timelineChanged();
  }

  /** Puts a line of the bench itself on the time line. */
  notice(level: NoticeLevel, text: string, port: PortNumber | null): void {
    this.#channels.notice(level, text, port, this.#clock.now());
    this.#timelineChanged();
  }

  /** To be told of every port that newly appears: the `connect` events of `navigator.serial`. */
  deviceAppeared(device: SerialPort): void {
    offerDevice(Object.values(this.#sessions), device);
  }

  /** Stops waiting for a device that vanished; does nothing when the port does not wait. */
  cancelReconnect(port: PortNumber): void {
    this.#sessions[port].cancelReconnect();
  }

  /** Whether devices that vanish from now on are waited for. Switching it off ends the waits there are. */
  setReconnect(enabled: boolean): void {
    for (const port of portNumbers) {
      this.#sessions[port].setReconnect(enabled);
    }
  }

  /**
   * Keeps this many bytes of what each port receives, from `minimumRingBytes` to `maximumRingBytes`; of what is held the
   * newest lines that fit stay. Throws a RangeError when out of range or out of memory.
   */
  resize(ringBytes: number): void {
    this.#channels.resize(ringBytes);
    this.#timelineChanged();
  }

  /** A search that has not begun yet. Throws a `SearchQueryError` when the query is not valid. */
  search(query: SearchQuery): LineSearch {
    return new LineSearch(this.#clock, this.#channels.select(query.channels), query);
  }

  /** What a port received and is still held, exactly, as copies that may be transferred. */
  exportRaw(port: PortNumber): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportRaw(this.#channels.received(port));
  }

  /** The log as UTF-8 text, one line for each line held. */
  exportText(options: TextExportOptions = {}): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportText(this.#channels.timeline(options.channels), options);
  }

  /** The log as CSV (RFC 4180). */
  exportCsv(options: TextExportOptions = {}): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportCsv(this.#channels.timeline(options.channels), options);
  }

  /** Closes every port; no timer is left. */
  async dispose(): Promise<void> {
    await Promise.all(portNumbers.map((port) => this.#sessions[port].dispose()));
  }

  #newSession(port: PortNumber, reconnect: boolean, onReceived: BenchOptions['onReceived']): PortSession {
    const received = this.#channels.received(port);
    return new PortSession(port, this.#clock, reconnect, {
      begun: () => {
        this.#linesBefore[port] = received.endLine;
      },
      received: (bytes, at) => {
        received.append(bytes, at);
        this.#timelineChanged();
        this.#answers.received(port, bytes, at);
        onReceived?.(port, bytes, at);
      },
      sent: (bytes, at) => {
        this.#channels.sent(port).appendEntry(bytes, at);
        this.#timelineChanged();
      },
      ended: () => {
        received.finishLine();
        this.#answers.ended(port);
        this.#timelineChanged();
      },
      notice: ({ level, text }) => this.notice(level, text, port),
      changed: () => this.#onChange(),
    });
  }

  #otherSessions(port: PortNumber): PortSession[] {
    return portNumbers.filter((other) => other !== port).map((other) => this.#sessions[other]);
  }

  #timelineChanged(): void {
    this.#revision++;
    this.#onChange();
  }
}
