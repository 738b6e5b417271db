/**
 * Four ports and one timeline: the class that a worker owns and a page asks. Brings sessions, channels, search and export
 * together; has no knowledge of its own of any of them.
 */
import type { Clock } from '@wirebench/clock';
import { type AnswerOutcome, AnswerWatch, type Expectation } from './answer-watch.ts';
import { BenchChannels } from './bench-channels.ts';
import type { BenchStatus, PortStatus } from './bench-status.ts';
import { copyRows, type RowRange } from './copy-rows.ts';
import { exportCsv } from './export-csv.ts';
import { exportRaw } from './export-raw.ts';
import { exportText } from './export-text.ts';
import { ChannelFraming } from './framing/channel-framing.ts';
import type { Framing } from './framing/framings.ts';
import { PortJobs } from './jobs/port-jobs.ts';
import { LineFeed } from './line-feed.ts';
import type { LineQuery, SearchQuery } from './line-query.ts';
import type { TextExportOptions } from './log-lines.ts';
import { Plot, type PlotOptions } from './plot/plot.ts';
import type { SignalChange } from './port/control-lines.ts';
import { PortSession } from './port-session.ts';
import { type PortNumber, type PortSettings, portNumbers, wireTime } from './port-settings.ts';
import { type PassedLine, type RecentLinesOptions, recentLines } from './recent-lines.ts';
import { offerDevice } from './reconnect-wait.ts';
import { RecordedPorts } from './recorded-ports.ts';
import { rowPage } from './row-page.ts';
import { LineSearch } from './search.ts';
import { type PortMeters, type PortStatistics, portStatistics } from './statistics.ts';
import type { ChannelFolds, Timeline } from './timeline.ts';
import type { NoticeLevel, RowPage, RowQuery } from './timeline-rows.ts';
import { TrafficMeter } from './traffic-meter.ts';

export interface BenchOptions {
  readonly clock: Clock;
  /** Bytes kept of what each port receives; `defaultRingBytes` unless told. */
  readonly ringBytes?: number;
  /** Whether a device that vanished is waited for; true unless told. */
  readonly reconnect?: boolean;
  /** Called after every change of the timeline or of a port's status, in the middle of it: ask later, and coalesce. */
  readonly onChange?: () => void;
  /**
   * Called with every byte received, exactly once and in order, after it is on the timeline. The bytes may be kept
   * or transferred. Must not throw.
   */
  readonly onReceived?: (port: PortNumber, bytes: Uint8Array, at: number) => void;
  /** Called with all bytes that a port takes, in order, after they are on the timeline. They are the sender's. Must not throw. */
  readonly onSent?: (port: PortNumber, bytes: Uint8Array, at: number) => void;
}

/** How rows are looked at: through a filter, and with something marked in them. */
export interface RowView {
  /** Only the lines that this search has found. Lines that are new since are searched first, as far as one slice goes. */
  readonly filter?: LineSearch;
  /** Marks in rows of the hex layout what this search looks for; for text there is `search.marker.inText`. */
  readonly marks?: LineSearch;
  /** One row for all lines of each. A filter that picks lines shows them all the same. */
  readonly folds?: ChannelFolds;
}

/**
 * Every method that rejects rejects with a `SessionError`: its `code` is for programs, its `message` for people. What went
 * wrong is on the timeline too, so a message need not be shown twice.
 */
export class Bench {
  /** What goes on for a while on a port. */
  readonly jobs: PortJobs;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #onReceived: BenchOptions['onReceived'];
  readonly #channels: BenchChannels;
  readonly #answers: AnswerWatch;
  readonly #sessions: Readonly<Record<PortNumber, PortSession>>;
  readonly #framings: Readonly<Record<PortNumber, ChannelFraming>>;
  readonly #meters: Readonly<Record<PortNumber, PortMeters>>;
  /** For each port, the lines that had been received when it was last connected. */
  readonly #linesBefore: Record<PortNumber, number> = { 1: 0, 2: 0, 3: 0, 4: 0 };
  readonly #recorded = new RecordedPorts();
  #revision = 0;

  /** Throws a RangeError when `ringBytes` is out of range. */
  constructor(options: BenchOptions) {
    const { clock, ringBytes, reconnect = true, onChange } = options;
    this.#clock = clock;
    this.#onChange = onChange ?? (() => undefined);
    this.#onReceived = options.onReceived;
    this.#channels = new BenchChannels(ringBytes);
    this.#answers = new AnswerWatch(clock);
    const framing = (port: PortNumber) =>
      new ChannelFraming(clock, this.#channels.received(port), () => this.#timelineChanged());
    this.#framings = { 1: framing(1), 2: framing(2), 3: framing(3), 4: framing(4) };
    const meters = () => ({ received: new TrafficMeter(), sent: new TrafficMeter() });
    this.#meters = { 1: meters(), 2: meters(), 3: meters(), 4: meters() };
    const session = (port: PortNumber) => this.#newSession(port, reconnect, options);
    this.#sessions = { 1: session(1), 2: session(2), 3: session(3), 4: session(4) };
    this.jobs = new PortJobs({
      clock,
      session: (port) => this.#sessions[port],
      isHeld: (device) => portNumbers.some((port) => this.#sessions[port].holds(device)) || this.jobs.holds(device),
      say: ({ level, text }, port) => this.notice(level, text, port),
    });
  }

  /** Opens `device`. While the port waits for a device that vanished, this is how a person picks the board again. */
  async connect(port: PortNumber, device: SerialPort, settings: PortSettings): Promise<void> {
    const session = this.#sessions[port];
    session.checkConnect();
    if (this.#otherSessions(port).some((other) => other.holds(device)) || this.jobs.holds(device)) {
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
   * Puts the bytes on the timeline at once, as one line, and resolves when the port has taken them. They must not change
   * until then. Rejects, without a line, when the port is not connected.
   */
  send(port: PortNumber, bytes: Uint8Array): Promise<void> {
    return this.#sessions[port].send(bytes);
  }

  /**
   * Sends, and looks for the answer in every byte that is received from that moment on, an echo included. The time that the
   * message itself takes on the wire does not count as waiting. Nothing is sent when `signal` is aborted already. Rejects as `send` does,
   * and with a RangeError for an answer of no bytes; whatever else becomes of the wait is an outcome.
   */
  async ask(port: PortNumber, bytes: Uint8Array, { answer, timeout, signal }: Expectation): Promise<AnswerOutcome> {
    const session = this.#sessions[port];
    const { settings } = session.status;
    const onTheWire = settings === null ? 0 : wireTime(settings, bytes.length);
    const expectation = { answer, timeout: timeout + onTheWire, signal };
    return this.#answers.ask(port, () => session.send(bytes), expectation);
  }

  /** What changes is set in one step. */
  setSignals(port: PortNumber, change: SignalChange): Promise<void> {
    return this.#sessions[port].setSignals(change);
  }

  status(): BenchStatus {
    return {
      ports: { 1: this.#status(1), 2: this.#status(2), 3: this.#status(3), 4: this.#status(4) },
      revision: this.#revision,
      lines: this.#channels.lines,
      droppedLines: this.#channels.droppedLines,
      newestAt: this.#channels.newestAt,
    };
  }

  /** Amounts, rates and the last minute of a port; worked out when it is asked for. */
  statistics(port: PortNumber): PortStatistics {
    return portStatistics(this.#status(port), this.#meters[port], this.#clock.now());
  }

  /**
   * The device that the port has open, null while it has none. After a reconnect it may be another object than the one that
   * was given to `connect`.
   */
  device(port: PortNumber): SerialPort | null {
    return this.#sessions[port].device;
  }

  /** All rows of a page share one buffer, which may be transferred: `page.rows[0]?.bytes.buffer`. */
  rows(query: RowQuery, { filter, marks, folds }: RowView = {}): RowPage {
    filter?.catchUp();
    const timeline = this.#timeline(query.channels, filter);
    return rowPage(folds === undefined || filter?.picks ? timeline : timeline.folded(folds), query, marks?.marker);
  }

  /** Takes all lines of all channels off the timeline, until `restoreCleared` or `forgetCleared`. Ports stay as they are. */
  clear(): void {
    this.#channels.clear();
    this.#timelineChanged();
  }

  /** Undoes every `clear` since the last `forgetCleared`. Searches that have begun do not know of the lines: begin them anew. */
  restoreCleared(): void {
    this.#channels.restoreCleared();
    this.#timelineChanged();
  }

  /** What was cleared is gone for good, and its memory is given back. */
  forgetCleared(): void {
    this.#channels.forgetCleared();
  }

  /** Puts a line of the bench itself on the timeline. */
  notice(level: NoticeLevel, text: string, port: PortNumber | null): void {
    this.#channels.notice(level, text, port, this.#clock.now());
    this.#timelineChanged();
  }

  /**
   * From now on, what passes this port is what `record` is told, and nothing else: its board is somewhere else, and whoever is there
   * says what passes, also of what is sent from here. It counts, is recorded and searched for answers as at any other port.
   */
  watch(port: PortNumber): void {
    this.#recorded.watch(port);
  }

  /**
   * While this is on, what `record` is told of the port counts as if the bench had it open, and goes on where its session has stopped
   * counting: somebody else has the port open now.
   */
  countRecords(port: PortNumber, on: boolean): void {
    if (on) {
      this.#recorded.count(port, this.#sessions[port].status);
    } else {
      this.#recorded.stopCounting(port);
    }
  }

  /**
   * Puts on the time line what was sent or received by somebody else than the bench, for a port that it has not opened itself or that it
   * watches. What was sent is one line; what was received becomes lines as the port's framing says.
   * @param at when, in milliseconds since the Unix epoch; now unless told.
   */
  record(port: PortNumber, direction: 'received' | 'sent', bytes: Uint8Array, at: number = this.#clock.now()): void {
    if (direction === 'sent') {
      this.#channels.sent(port).appendEntry(bytes, at);
    } else {
      this.#framings[port].received(bytes, at);
    }
    const amounts = this.#recorded.amounts(port);
    if (amounts !== undefined) {
      amounts[direction] += bytes.length;
      this.#meters[port][direction].add(bytes.length, this.#clock.now());
    }
    if (this.#recorded.isWatched(port) && direction === 'received') {
      this.#answers.received(port, bytes, at);
      this.#onReceived?.(port, bytes, at);
    }
    this.#timelineChanged();
  }

  /**
   * Puts a line on the timeline that passed a watched port before this bench was there. People read it, and nothing else: it is not counted,
   * ends no wait for an answer, and is neither in a `lineFeed` nor handed to `onReceived`. An open line goes on with what `record` is given next.
   */
  recordEarlier(port: PortNumber, { direction, bytes, at, isOpen }: Omit<PassedLine, 'sequence'>): void {
    const received = this.#channels.received(port);
    if (direction === 'sent') {
      this.#channels.sent(port).appendEntry(bytes, at);
    } else {
      this.#framings[port].ended();
      if (isOpen) {
        this.#framings[port].received(bytes, at);
      } else {
        const before = received.endLine;
        received.appendEarlier(bytes, at);
        this.#linesBefore[port] += received.endLine - before;
      }
    }
    this.#timelineChanged();
  }

  /** Returns the newest lines that passed a port, the oldest first. */
  recentLines(port: PortNumber, options: RecentLinesOptions): PassedLine[] {
    return recentLines([this.#channels.received(port), this.#channels.sent(port)], options);
  }

  /** To be told of every port that newly appears: the `connect` events of `navigator.serial`. */
  deviceAppeared(device: SerialPort): void {
    offerDevice(Object.values(this.#sessions), device);
  }

  /** Stops waiting for a device that vanished; does nothing when the port does not wait. */
  cancelReconnect(port: PortNumber): void {
    this.#sessions[port].cancelReconnect();
  }

  /** Whether a device of the port that vanishes from now on is waited for. Switching it off ends the wait there is. */
  setReconnect(port: PortNumber, enabled: boolean): void {
    this.#sessions[port].setReconnect(enabled);
  }

  /** Where lines of what the port receives end from now on. Throws a RangeError for options that the framing does not take. */
  setFraming(port: PortNumber, framing: Framing): void {
    this.#framings[port].set(framing);
  }

  /**
   * Keeps this many bytes of what each port receives, from `minimumRingBytes` to `maximumRingBytes`; of what is held the
   * newest lines that fit stay. Throws a RangeError when out of range or out of memory.
   */
  resize(ringBytes: number): void {
    this.#channels.resize(ringBytes);
    this.#timelineChanged();
  }

  /**
   * A search that has not begun yet. Whoever runs it can step through what it finds, mark it, and look at rows through it.
   * Throws a `SearchQueryError` when a regular expression cannot be used.
   */
  search(query: SearchQuery | LineQuery): LineSearch {
    return new LineSearch(this.#clock, this.#channels.select(query.channels), query);
  }

  /** A plot of the numbers in what ports receive, which has not begun yet: whoever runs it looks at its series. */
  plot(options: PlotOptions = {}): Plot {
    return new Plot(
      this.#clock,
      portNumbers.map((port) => this.#channels.received(port)),
      options,
    );
  }

  /** The lines that a port receives, from the oldest one held on, for whoever reads along. */
  lineFeed(port: PortNumber): LineFeed {
    return new LineFeed(this.#channels.received(port));
  }

  /** What a port received and is still held, exactly, as copies that may be transferred. */
  exportRaw(port: PortNumber): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportRaw(this.#channels.received(port));
  }

  /**
   * The log as UTF-8 text, one line for each line held.
   * @param filter only what it has found by now: it has to be complete, else older lines are missing.
   */
  exportText(options: TextExportOptions = {}, filter?: LineSearch): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportText(this.#timeline(options.channels, filter), options);
  }

  /** The log as CSV (RFC 4180); `filter` as in `exportText`. */
  exportCsv(options: TextExportOptions = {}, filter?: LineSearch): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportCsv(this.#timeline(options.channels, filter), options);
  }

  /** The text of rows, for a selection that reaches beyond the screen; `filter` as in `exportText`. */
  copyRows(range: RowRange, filter?: LineSearch): Generator<string, void> {
    return copyRows(this.#timeline(range.channels, filter), range);
  }

  /** Closes every port; no timer is left. */
  async dispose(): Promise<void> {
    await this.jobs.dispose();
    await Promise.all(portNumbers.map((port) => this.#sessions[port].dispose()));
  }

  #newSession(port: PortNumber, reconnect: boolean, { onReceived, onSent }: BenchOptions): PortSession {
    const received = this.#channels.received(port);
    const meters = this.#meters[port];
    return new PortSession(port, this.#clock, reconnect, {
      begun: () => {
        if (this.#recorded.isWatched(port)) {
          this.watch(port);
        }
        this.#linesBefore[port] = received.endLine;
        meters.received.resetPeak(this.#clock.now());
        meters.sent.resetPeak(this.#clock.now());
      },
      received: (bytes, at) => {
        if (this.#recorded.isWatched(port)) {
          return;
        }
        meters.received.add(bytes.length, at);
        this.#framings[port].received(bytes, at);
        this.#timelineChanged();
        this.#answers.received(port, bytes, at);
        onReceived?.(port, bytes, at);
      },
      sent: (bytes, at) => {
        if (this.#recorded.isWatched(port)) {
          return;
        }
        meters.sent.add(bytes.length, at);
        this.#channels.sent(port).appendEntry(bytes, at);
        this.#timelineChanged();
        onSent?.(port, bytes, at);
      },
      ended: () => {
        this.#framings[port].ended();
        this.#answers.ended(port);
        this.#timelineChanged();
      },
      notice: ({ level, text }) => this.notice(level, text, port),
      changed: () => this.#onChange(),
    });
  }

  #status(port: PortNumber): PortStatus {
    const received = this.#channels.received(port);
    const sent = this.#channels.sent(port);
    return {
      ...this.#sessions[port].status,
      ...this.#recorded.amounts(port),
      lines: received.endLine - this.#linesBefore[port],
      heldLines: received.lines + sent.lines,
      droppedLines: received.droppedLines + sent.droppedLines,
    };
  }

  #otherSessions(port: PortNumber): PortSession[] {
    return portNumbers.filter((other) => other !== port).map((other) => this.#sessions[other]);
  }

  #timeline(names: RowQuery['channels'], filter: LineSearch | undefined): Timeline {
    if (filter === undefined) {
      return this.#channels.timeline(names);
    }
    return names === undefined ? filter.timeline : filter.timeline.only(this.#channels.select(names));
  }

  #timelineChanged(): void {
    this.#revision++;
    this.#onChange();
  }
}
