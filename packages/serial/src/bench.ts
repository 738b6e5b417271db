/**
 * Four ports and one timeline: the class that a worker owns and a page queries. It only connects sessions, channels,
 * decoders, opened logs, search and export; their rules are in their own files.
 */
import { type Clock, inOrder } from '@wirebench/clock';
import type { FrameReader } from '@wirebench/frames';
import type { PortSettings, SignalChange } from '@wirebench/port';
import { BenchChannels } from './bench-channels.ts';
import type { BenchStatus, PortStatus } from './bench-status.ts';
import { ByteFeed } from './byte-feed.ts';
import { Conversation } from './conversation/conversation.ts';
import { copyRows, type RowRange } from './copy-rows.ts';
import { EchoWatch, withoutEchoes } from './echo-watch.ts';
import { exportCsv } from './export-csv.ts';
import { exportRaw } from './export-raw.ts';
import { exportText } from './export-text.ts';
import type { PortFrames } from './frames/port-frames.ts';
import { type ChosenDecoder, PortPairs } from './frames/port-pairs.ts';
import type { FramedLine } from './framing/channel-decoder.ts';
import { ChannelFraming } from './framing/channel-framing.ts';
import type { Framing } from './framing/framings.ts';
import { HeardBytes } from './heard-bytes.ts';
import { HexLineCount } from './hex-line.ts';
import { PortJobs } from './jobs/port-jobs.ts';
import { LineFeed } from './line-feed.ts';
import type { LineQuery, SearchQuery } from './line-query.ts';
import { LineSieve } from './line-sieve.ts';
import { LogFeed, type LogFeedOptions } from './log-feed.ts';
import type { LinePosition, TextExportOptions } from './log-lines.ts';
import { LogLoader } from './opened-log/log-loader.ts';
import type { LogPiece } from './opened-log/log-piece.ts';
import type { SendingTurn } from './paced-sender.ts';
import { Plot, type PlotOptions } from './plot/plot.ts';
import { type ByPort, byPort, type PortNumber, portNumbers } from './port-number.ts';
import { type Hiding, PortSession, type SendManner, type SendWay } from './port-session.ts';
import { type PassedLine, type RecentLinesOptions, recentLines } from './recent-lines.ts';
import { offerDevice } from './reconnect-wait.ts';
import { RecordedPorts } from './recorded-ports.ts';
import { rowPage } from './row-page.ts';
import { RuleWatch, type RuleWatchParts } from './rules/rule-watch.ts';
import { LineSearch } from './search.ts';
import { Secrets } from './secret-mask.ts';
import { SecretPromptWatch } from './secret-prompt.ts';
import type { SendPieces } from './send-input.ts';
import type { QueueProgress } from './send-queue.ts';
import { type PortMeters, type PortStatistics, portStatistics } from './statistics.ts';
import type { ChannelFolds, Timeline } from './timeline.ts';
import type { NoticeKind, NoticeLevel, Row, RowPage, RowQuery } from './timeline-rows.ts';
import { TrafficMeter } from './traffic-meter.ts';

export interface BenchOptions {
  readonly clock: Clock;
  /** Bytes kept of each port's received data. Default: `defaultRingBytes`. */
  readonly ringBytes?: number;
  /** True: wait for a device that vanished. Default: true. */
  readonly reconnect?: boolean;
  /**
   * Called during every change of the timeline or of a port's status. Query the bench later, not in the call, and
   * coalesce calls.
   */
  readonly onChange?: () => void;
  /**
   * Receives every received byte exactly once and in order, after it is on the timeline. The bytes may be kept or
   * transferred. Must not throw.
   */
  readonly onReceived?: (port: PortNumber, bytes: Uint8Array, at: number) => void;
  /**
   * Receives all bytes that a port takes, in order, after they are on the timeline. The sender owns the bytes. Hidden
   * bytes come as the text of their line. Must not throw.
   */
  readonly onSent?: (port: PortNumber, bytes: Uint8Array, at: number) => void;
}

/** Time for which kept bytes are cut again before other work gets the thread, in milliseconds. */
const TURN = 8;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface SendOptions {
  /**
   * True: the line, `onSent` and everything made of them say how many bytes were sent, and not which. A text: they have
   * this name instead. Both are refused for a watched port without `hiddenWay`, because its host records what it sends.
   * False: they show the bytes. Missing: they hide the answer to a prompt for a password where they can, and show
   * everything else.
   */
  readonly hidden?: Hiding | undefined;
  /** Takes hidden bytes of a watched port to its host, which hides them. */
  readonly hiddenWay?: SendWay | undefined;
}

interface SendLinesOptions extends SendOptions {
  /** Rest on the wire after each line, in milliseconds. */
  readonly pause: number;
  readonly onSent: (lines: number) => void;
}

/** Options that decide whether an echoed command is shown once. */
type EchoView = Pick<RowRange, 'joinsEchoes' | 'layout' | 'stamps' | 'controls'>;

/** Options of a view of rows: filter, marks and folds. */
export interface RowView {
  /** Shows only the lines that this search has found. New lines are searched first, at most one slice. */
  readonly filter?: LineSearch;
  /** Marks the matches of this search in rows of the hex layout. For the text layout use `search.markerOf`. */
  readonly marks?: LineSearch;
  /** Shows the lines of each fold as one row. Ignored with a filter that picks lines. */
  readonly folds?: ChannelFolds;
}

/**
 * Rejected promises have a `SessionError`: its `code` is for programs, its `message` for users. The failure is also
 * on the timeline, so its message need not be shown again.
 */
export class Bench {
  /** Longer operations on a port, such as sending a file. */
  readonly jobs: PortJobs;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #onReceived: BenchOptions['onReceived'];
  readonly #channels: BenchChannels;
  readonly #conversations = new Map<Conversation, PortNumber>();
  /** Receivers of the jobs that send by themselves, with the port of each. */
  readonly #hearing = new Map<HeardBytes, PortNumber>();
  readonly #sessions: ByPort<PortSession>;
  readonly #framings: ByPort<ChannelFraming>;
  /** Each sending is one line, unless a decoder cuts what is sent. */
  readonly #sentFramings: ByPort<ChannelFraming>;
  readonly #meters: ByPort<PortMeters>;
  /** Decoders of the ports, and the frames that they cut. */
  readonly #pairs: PortPairs;
  /** Adds opened logs to the lines of ports. */
  readonly #loader: LogLoader;
  readonly #echoes: ByPort<EchoWatch>;
  /** For each port, the number of lines received before its last connect. */
  readonly #linesBefore: Record<PortNumber, number> = { 1: 0, 2: 0, 3: 0, 4: 0 };
  /** For each port, the offset of the first byte received since its last connect. */
  readonly #bytesBefore: Record<PortNumber, number> = { 1: 0, 2: 0, 3: 0, 4: 0 };
  readonly #recorded = new RecordedPorts();
  readonly #secrets = new Secrets();
  readonly #prompts = byPort(() => new SecretPromptWatch());
  #revision = 0;
  /** Arrival of the newest received byte: a line without an end grows. */
  #receivedAt = Number.NEGATIVE_INFINITY;

  /** @throws RangeError if `ringBytes` is out of range. */
  constructor(options: BenchOptions) {
    const { ringBytes, reconnect = true, onChange } = options;
    // Lines are searched by their times, and curves are drawn along them.
    const clock = inOrder(options.clock);
    this.#clock = clock;
    this.#onChange = onChange ?? (() => undefined);
    this.#onReceived = options.onReceived;
    this.#channels = new BenchChannels(ringBytes);
    this.#framings = byPort(
      (port) => new ChannelFraming(clock, this.#channels.received(port), () => this.#timelineChanged()),
    );
    this.#sentFramings = byPort(
      (port) => new ChannelFraming(clock, this.#channels.sent(port), () => this.#timelineChanged()),
    );
    this.#echoes = byPort((port) => new EchoWatch(this.#channels.received(port), this.#channels.sent(port)));
    this.#pairs = new PortPairs({
      channels: this.#channels,
      framings: { received: this.#framings, sent: this.#sentFramings },
      clock,
      status: (port) => this.#sessions[port].status,
      isWatched: (port) => this.#recorded.isWatched(port),
      loggedByteTime: (port) => this.#loader.byteTime(port),
      say: (text, port) => this.notice('warning', text, port),
    });
    this.#loader = new LogLoader({
      channels: this.#channels,
      framings: { received: this.#framings, sent: this.#sentFramings },
      passBeside: (port, at) => this.#pairs.passBeside(port, at),
    });
    this.#meters = byPort(() => ({ received: new TrafficMeter(), sent: new TrafficMeter() }));
    this.#sessions = byPort((port) => this.#newSession(port, reconnect, options));
    this.jobs = new PortJobs({
      clock,
      session: (port) => this.#sessions[port],
      isElsewhere: (port) => this.#recorded.isWatched(port),
      isHeld: (device) => portNumbers.some((port) => this.#sessions[port].holds(device)) || this.jobs.holds(device),
      say: ({ level, text }, port) => this.notice(level, text, port),
    });
  }

  /**
   * Opens `device`. While the port waits for a device that vanished, this call ends the wait with the user's choice.
   */
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

  /** Closes the port and resolves when it is closed. Cancels an opening and a reconnect. */
  disconnect(port: PortNumber): Promise<void> {
    return this.#sessions[port].disconnect();
  }

  /**
   * Puts the bytes on the timeline at once, as one line, and resolves when the port has taken them. They must not
   * change before that. Rejects, without a line, if the port is not connected.
   */
  async send(port: PortNumber, bytes: Uint8Array, options: SendOptions = {}): Promise<void> {
    const { hidden, way } = this.#mannerOf(port, options);
    await this.#sessions[port].send(bytes, hidden, way);
  }

  /** @throws SessionError if the bytes have to be hidden and the host of the port cannot do it. */
  #mannerOf(port: PortNumber, { hidden, hiddenWay }: SendOptions): SendManner {
    const isWatched = this.#recorded.isWatched(port);
    if (hidden === undefined) {
      const isHidden = this.#asksForSecret(port) && (!isWatched || hiddenWay !== undefined);
      return { hidden: isHidden, way: isHidden && isWatched ? hiddenWay : undefined };
    }
    if (hidden !== false && isWatched && hiddenWay === undefined) {
      throw this.#sessions[port].fail('hidden-from-host');
    }
    return { hidden, way: hidden !== false && isWatched ? hiddenWay : undefined };
  }

  #asksForSecret(port: PortNumber): boolean {
    return this.#prompts[port].prompt !== null;
  }

  /**
   * Sends keys as they are typed. They are counted, and leave no line on the timeline: the board's echo does, and a
   * password has none. Resolves and rejects as `send` does.
   */
  async type(port: PortNumber, keys: Uint8Array): Promise<void> {
    const typing = this.#sessions[port].type(keys);
    if (keys.includes(CARRIAGE_RETURN) || keys.includes(LINE_FEED)) {
      this.#prompts[port].answered();
    }
    await typing;
  }

  /**
   * Sends lines, each with its ending, with a pause after each. Typing follows behind them. Rejects as `send` does.
   *
   * @param onSent Receives the number of lines that the port has taken.
   */
  async sendLines(port: PortNumber, lines: readonly Uint8Array[], options: SendLinesOptions): Promise<void> {
    const { pause, onSent } = options;
    this.#mannerOf(port, options);
    await this.#sessions[port].sendLines({ lines, pause, onSent, manner: () => this.#mannerOf(port, options) });
  }

  /**
   * Runs a job that sends by itself and reads what the port receives, which goes on into the log. Typing follows behind
   * it. Rejects as `send` does.
   *
   * @param bytes Number of bytes that it will send.
   */
  async sendingJob<Result>(
    port: PortNumber,
    bytes: number,
    work: (turn: SendingTurn, heard: HeardBytes) => Promise<Result>,
  ): Promise<Result> {
    return this.#sessions[port].sendingJob(bytes, async (turn) => {
      const heard = new HeardBytes();
      this.#hearing.set(heard, port);
      try {
        return await work(turn, heard);
      } finally {
        this.#hearing.delete(heard);
      }
    });
  }

  /** Sends texts and keys of a port in pieces from now on. Null: at once. */
  setPieces(port: PortNumber, pieces: SendPieces | null): void {
    this.#sessions[port].setPieces(pieces);
  }

  /** Progress of what a port is sending; null if nothing is, or if it takes less than a second. */
  sending(port: PortNumber): QueueProgress | null {
    return this.#sessions[port].sending;
  }

  /** Returns the time that a text of this length needs on its way, in milliseconds. */
  sendTime(port: PortNumber, length: number): number {
    return this.#sessions[port].sendTime(length);
  }

  /** Ends what a port is sending, and drops what waits behind it. */
  stopSending(port: PortNumber): void {
    this.#sessions[port].stopSending();
  }

  /**
   * Begins a conversation with the board on `port`: messages, and answers in every byte that is received from now on.
   * The caller ends it.
   *
   * @param send Replaces `send`, for a caller that knows how to hide bytes of a watched port.
   */
  converse(port: PortNumber, send?: (bytes: Uint8Array, hidden: Hiding | undefined) => Promise<void>): Conversation {
    const session = this.#sessions[port];
    const conversation = new Conversation({
      clock: this.#clock,
      send: send ?? ((bytes, hidden) => this.send(port, bytes, { hidden })),
      asksForSecret: () => this.#asksForSecret(port),
      sendTime: (length) => session.sendTime(length),
      stopSending: () => session.stopSending(),
      isOpen: () => session.status.state === 'connected',
      onEnd: () => this.#conversations.delete(conversation),
    });
    this.#conversations.set(conversation, port);
    return conversation;
  }

  /**
   * Replaces these bytes by asterisks from now on wherever an open port receives them: in the log, in `onReceived` and
   * in everything made of them. Fewer than four bytes are not replaced.
   */
  conceal(secret: Uint8Array): void {
    this.#secrets.add(secret);
  }

  /** Sets all changed lines in one step. */
  setSignals(port: PortNumber, change: SignalChange): Promise<void> {
    return this.#sessions[port].setSignals(change);
  }

  status(): BenchStatus {
    const { newestAt } = this.#channels;
    return {
      ports: { 1: this.#status(1), 2: this.#status(2), 3: this.#status(3), 4: this.#status(4) },
      revision: this.#revision,
      lines: this.#channels.lines,
      droppedLines: this.#channels.droppedLines,
      newestAt: newestAt === null ? null : Math.max(newestAt, this.#receivedAt),
    };
  }

  /** Computes amounts, rates and the last minute of a port at the time of the call. */
  statistics(port: PortNumber): PortStatistics {
    return portStatistics(this.#status(port), this.#meters[port], this.#clock.wallTime());
  }

  /**
   * Returns the port's open device; null without one. After a reconnect it may be another object than the one passed
   * to `connect`.
   */
  device(port: PortNumber): SerialPort | null {
    return this.#sessions[port].device;
  }

  /** Returns a page of rows. All rows share one buffer, which may be transferred: `page.rows[0]?.bytes.buffer`. */
  rows(query: RowQuery, { filter, marks, folds }: RowView = {}): RowPage {
    filter?.catchUp();
    const all = this.#timeline(query.channels, filter);
    const folded = folds === undefined || filter?.picks ? all : all.folded(folds);
    const { timeline, echoes } = this.#shownOnce(folded, query, filter);
    const page = rowPage(timeline, query, marks);
    const withEcho = (row: Row): Row => {
      const echo = echoes.get(row.sequence);
      return echo === undefined ? row : { ...row, echo };
    };
    return echoes.size === 0 ? page : { ...page, rows: page.rows.map(withEcho) };
  }

  /** Shows a sent line beside its echo from now on. Returns false if it was not hidden. */
  showEchoed(port: PortNumber, sequence: number): boolean {
    return this.#echoes[port].show(sequence);
  }

  /**
   * Removes all lines of all channels from the timeline, until `restoreCleared`, or until `forgetCleared` deletes
   * them. Ports do not change.
   */
  clear(): void {
    this.#channels.clear();
    this.#receivedAt = Number.NEGATIVE_INFINITY;
    this.#timelineChanged();
  }

  /**
   * Undoes every `clear` since the last `forgetCleared`. Running searches do not include the restored lines and must
   * be restarted.
   */
  restoreCleared(): void {
    this.#channels.restoreCleared();
    this.#timelineChanged();
  }

  /** Deletes cleared lines permanently and frees their memory. */
  forgetCleared(): void {
    this.#channels.forgetCleared();
  }

  /** Adds a line of the bench itself to the timeline. */
  notice(level: NoticeLevel, text: string, port: PortNumber | null, kind?: NoticeKind): void {
    this.#channels.notice(level, text, port, this.#clock.wallTime(), kind);
    this.#timelineChanged();
  }

  /**
   * From now on takes the traffic of this port from `record` only. The board is at a remote host, which reports all
   * traffic, including bytes sent from here. The traffic is counted, recorded and searched for answers as at any
   * other port.
   */
  watch(port: PortNumber): void {
    this.#recorded.watch(port);
  }

  /**
   * While on, counts bytes passed to `record` as if the bench had the port open, and continues its session's counts.
   * Used while a guest of a shared bench has the port open.
   */
  countRecords(port: PortNumber, on: boolean): void {
    if (on) {
      this.#recorded.count(port, this.#sessions[port].status);
    } else {
      this.#recorded.stopCounting(port);
    }
  }

  /**
   * Adds traffic to the timeline that did not pass the port's session: of a port that the bench has not opened, or
   * that it watches. Sent bytes are one line. Received bytes become lines by the port's framing.
   * @param at Milliseconds since the Unix epoch. Default: now.
   */
  record(
    port: PortNumber,
    direction: 'received' | 'sent',
    bytes: Uint8Array,
    at: number = this.#clock.wallTime(),
  ): void {
    if (direction === 'sent') {
      this.#prompts[port].answered();
      this.#appendSent(port, bytes, at);
      this.#echoes[port].sent(bytes, at);
    } else {
      this.#receivedAt = at;
      this.#prompts[port].received(bytes);
      this.#pairs.passBeside(port, at);
      this.#framings[port].received(bytes, at);
      this.#echoes[port].received(at);
    }
    const amounts = this.#recorded.amounts(port);
    if (amounts !== undefined) {
      amounts[direction] += bytes.length;
      this.#meters[port][direction].add(bytes.length, this.#clock.wallTime());
    }
    if (this.#recorded.isWatched(port) && direction === 'received') {
      this.#heard(port, bytes, at);
      this.#onReceived?.(port, bytes, at);
    }
    this.#timelineChanged();
  }

  /** Ends the open line of a port, before received bytes that do not continue it. */
  endLine(port: PortNumber): void {
    this.#framings[port].disconnected();
    this.#timelineChanged();
  }

  /** Counts keys that did not pass the port's session. They leave no line on the timeline. */
  recordKeys(port: PortNumber, count: number): void {
    if (this.#recorded.amounts(port) !== undefined) {
      this.#countKeys(port, count, this.#clock.wallTime());
      this.#onChange();
    }
  }

  #countKeys(port: PortNumber, count: number, at: number): void {
    this.#meters[port].sent.add(count, at);
    const amounts = this.#recorded.amounts(port);
    if (amounts !== undefined) {
      amounts.sent += count;
    }
  }

  /**
   * Adds a line to the timeline that passed a watched port before this bench joined. It is for reading only: it is
   * not counted, is no answer in a conversation, and is neither in a `lineFeed` nor passed to `onReceived`.
   * If the line is open, the next `record` continues it.
   */
  recordEarlier(port: PortNumber, { direction, bytes, at, isOpen }: Omit<PassedLine, 'sequence'>): void {
    const received = this.#channels.received(port);
    if (direction === 'sent') {
      this.#channels.sent(port).appendEarlier(bytes, at);
    } else {
      this.#framings[port].ended();
      if (isOpen) {
        this.#prompts[port].received(bytes);
        this.#framings[port].received(bytes, at);
      } else {
        const before = received.endLine;
        received.appendEarlier(bytes, at);
        this.#linesBefore[port] += received.endLine - before;
      }
    }
    this.#timelineChanged();
  }

  /**
   * Adds pieces of an opened log, with their own times, to the lines of a port that the bench has not opened. They are
   * counted, and are on no meter, in no recording and no wait for an answer.
   */
  load(port: PortNumber, pieces: readonly LogPiece[]): void {
    this.#loader.load(port, pieces, this.#recorded.amounts(port));
    this.#timelineChanged();
  }

  /** Returns a new count of lines, which decides for `setHexLog`. */
  hexLineCount(): HexLineCount {
    return new HexLineCount();
  }

  /** @param isHexLog True: lines of the log that will be loaded are bytes in hex digits, for decoders of text too. */
  setHexLog(port: PortNumber, isHexLog: boolean): void {
    this.#loader.setHexLog(port, isHexLog);
  }

  /** @param isDated False: the date of the port's lines is not known, so exports leave it out. */
  setDated(port: PortNumber, isDated: boolean): void {
    this.#channels.received(port).isDated = isDated;
    this.#channels.sent(port).isDated = isDated;
    const notices = this.#channels.select(['notices'])[0];
    if (notices !== undefined) {
      notices.isDated = portNumbers.every((number) => this.#channels.received(number).isDated);
    }
  }

  /** Deletes all lines of all channels, and the counts of ports whose records are counted. */
  startOver(): void {
    for (const port of portNumbers) {
      this.#framings[port].ended();
      this.#sentFramings[port].ended();
      this.#linesBefore[port] = this.#channels.received(port).endLine;
      this.#loader.startOver(port);
      this.#pairs.frames(port)?.restartOverview();
      const amounts = this.#recorded.amounts(port);
      if (amounts !== undefined) {
        amounts.received = 0;
        amounts.sent = 0;
      }
    }
    this.#channels.clear();
    this.#channels.forgetCleared();
    this.#pairs.startOver();
    this.#receivedAt = Number.NEGATIVE_INFINITY;
    this.#timelineChanged();
  }

  /** Ends the open line of a port: its log is read to the end. */
  endLoad(port: PortNumber): void {
    this.#loader.end(port);
    this.#framings[port].ended();
    this.#sentFramings[port].ended();
    this.#timelineChanged();
  }

  /** Bytes that the rings of a port hold. */
  ringBytes(port: PortNumber): { readonly received: number; readonly sent: number } {
    return { received: this.#channels.received(port).ring.capacity, sent: this.#channels.sent(port).ring.capacity };
  }

  /** Returns the newest lines that passed a port, oldest first. */
  recentLines(port: PortNumber, options: RecentLinesOptions): PassedLine[] {
    return recentLines([this.#channels.received(port), this.#channels.sent(port)], options);
  }

  /** Call this for every port that newly appears: the `connect` events of `navigator.serial`. */
  deviceAppeared(device: SerialPort): void {
    offerDevice(Object.values(this.#sessions), device);
  }

  /** Stops waiting for a device that vanished. Does nothing if the port does not wait. */
  cancelReconnect(port: PortNumber): void {
    this.#sessions[port].cancelReconnect();
  }

  /** Sets the settings with which a lost device is opened again. Does nothing if the port does not wait. */
  reopenWith(port: PortNumber, settings: PortSettings): void {
    this.#sessions[port].reopenWith(settings);
  }

  /** Sets whether the port waits for a device that vanishes from now on. False also ends a current wait. */
  setReconnect(port: PortNumber, enabled: boolean): void {
    this.#sessions[port].setReconnect(enabled);
  }

  /**
   * Sets the framing of the port's received bytes from now on.
   *
   * @throws RangeError for options that the framing does not take.
   */
  setFraming(port: PortNumber, framing: Framing): void {
    this.#framings[port].set(framing);
  }

  /**
   * Cuts what a port receives and sends into the frames of decoders from now on; null: into lines by its framing again.
   *
   * @param isText True: its frames are lines of text with their endings.
   * @param answersOn Port whose frames answer those of this port: both are one conversation. That port's own decoder
   *   rests until then. null: the answers come on this port.
   * @throws RangeError if `answersOn` is the port itself.
   */
  setDecoder(port: PortNumber, reader: FrameReader | null, isText = false, answersOn: PortNumber | null = null): void {
    this.#pairs.setDecoder(port, reader === null ? null : { reader, isText, answersOn });
    this.#timelineChanged();
  }

  /**
   * Cuts the kept bytes of a port again, in slices, and what comes from now on: with a decoder, or by its framing. The log
   * then shows the lines that it would show had the choice been made before the first kept byte. Lines of other ports,
   * notices and sent lines keep their numbers. A port of a pair, and one with lines whose arrival is not known, is cut from
   * now on only, as by `setDecoder`.
   *
   * @param pause Gives the thread to other work. Rejects to leave everything as it is.
   * @returns Number of the first received line that was cut again, 1 for the first of all; null: none was.
   */
  async changeDecoder(
    port: PortNumber,
    chosen: ChosenDecoder | null,
    pause: () => Promise<void>,
  ): Promise<number | null> {
    const received = this.#channels.received(port);
    const begin = () => ({
      recut: this.#pairs.recut(port, chosen, this.#bytesBefore[port]),
      ring: received.ring,
      changes: this.#framings[port].changes,
    });
    let work = begin();
    let turnEnds = this.#clock.now() + TURN;
    while (work.recut?.step()) {
      if (this.#clock.now() >= turnEnds) {
        await pause();
        turnEnds = this.#clock.now() + TURN;
        if (work.ring !== received.ring || work.changes !== this.#framings[port].changes) {
          work = begin();
        }
      }
    }
    if (work.recut === null) {
      this.setDecoder(port, chosen?.reader ?? null, chosen?.isText, chosen?.answersOn);
      return null;
    }
    const first = received.lines > 0 ? 1 + received.droppedLines : null;
    work.recut.finish();
    this.#linesBefore[port] = received.lineEndingAfter(this.#bytesBefore[port]);
    this.#timelineChanged();
    return first;
  }

  /**
   * Reads the frames that a port's decoder has cut, held ones too, with other fields. It changes nothing for a port
   * without a decoder.
   *
   * @param reader Reader of a decoder that cuts and pairs in the same way.
   */
  readFramesWith(port: PortNumber, reader: FrameReader): void {
    if (this.#pairs.readWith(port, reader)) {
      this.#timelineChanged();
    }
  }

  /** Decoder at work on a port; null: its lines are cut by the framing. */
  decoderOf(port: PortNumber): { readonly reader: FrameReader; readonly isText: boolean } | null {
    return this.#pairs.decoderOf(port);
  }

  /** Returns the port whose frames a port answers; null: it has its own decoder, or none. */
  askingPort(port: PortNumber): PortNumber | null {
    return this.#pairs.askingPort(port);
  }

  /** Frames that the decoder of a port has cut, for their overview; null without a decoder. */
  frames(port: PortNumber): Pick<PortFrames, 'overview' | 'missedPieces' | 'count'> | null {
    return this.#pairs.frames(port);
  }

  /** Reads the line of a row as a frame; null for one that no decoder has cut, or that is not held any more. */
  frameOf({ port, direction, sequence }: Pick<Row, 'port' | 'direction' | 'sequence'>): FramedLine | null {
    if (port === null || direction === 'notice') {
      return null;
    }
    const channel = this.#channels[direction](port);
    const line = channel.lineAtSequence(sequence);
    return line < channel.endLine && channel.sequenceOf(line) === sequence ? channel.frameAt(line) : null;
  }

  /**
   * Keeps this many bytes of each port's received data, from `minimumRingBytes` to `maximumRingBytes`. The newest
   * lines that fit are kept.
   *
   * @throws RangeError if out of range or out of memory.
   */
  resize(ringBytes: number): void {
    this.#channels.resize(ringBytes);
    this.#timelineChanged();
  }

  /**
   * Creates a search that has not begun yet. The caller runs it, steps through its matches, marks them, and filters
   * rows by it.
   *
   * @throws SearchQueryError if a regular expression cannot be used.
   */
  search(query: SearchQuery | LineQuery): LineSearch {
    return new LineSearch(this.#clock, this.#channels.select(query.channels), query);
  }

  /**
   * Creates a search in lines that the bench does not hold.
   *
   * @throws SearchQueryError if a regular expression cannot be used.
   */
  sieve(query: LineQuery): LineSieve {
    return new LineSieve(this.#clock, query);
  }

  /** Creates a plot of the numbers in received lines. It has not begun yet; the caller runs it and reads its series. */
  plot(options: PlotOptions = {}): Plot {
    return new Plot(
      this.#clock,
      portNumbers.map((port) => this.#channels.received(port)),
      options,
    );
  }

  /** Creates a watch without rules. Its owner calls `changed` after each `onChange`. */
  ruleWatch(events: Pick<RuleWatchParts, 'onHit' | 'onChange'>): RuleWatch {
    return new RuleWatch({
      clock: this.#clock,
      channels: this.#channels.select(),
      isOpen: (port) => this.#sessions[port].status.state === 'connected',
      ...events,
    });
  }

  /** Returns the lines that a port receives, from the oldest held one on, for a reader that follows them. */
  lineFeed(port: PortNumber): LineFeed {
    return new LineFeed(this.#channels.received(port));
  }

  /** Returns the bytes that a port receives, for a reader that shows the stream itself. */
  byteFeed(port: PortNumber): ByteFeed {
    return new ByteFeed(this.#channels.received(port));
  }

  /**
   * Returns the lines of ports as they arrive from now on, in the format of `exportText`, for a recording. Includes
   * sent lines and notices. Lines from before this bench joined are left out.
   */
  logFeed(options: LogFeedOptions): LogFeed {
    const ofPorts = options.ports.flatMap((port) => [this.#channels.received(port), this.#channels.sent(port)]);
    return new LogFeed(this.#clock, [...ofPorts, ...this.#channels.select(['notices'])], options);
  }

  /** Exports the held received bytes of a port exactly, as copies that may be transferred. */
  exportRaw(port: PortNumber): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportRaw(this.#channels.received(port));
  }

  /**
   * Exports the log as UTF-8 text, one line of the file for each held line.
   *
   * @param filter Exports only the lines found so far. The search must be complete, else older lines are missing.
   */
  exportText(options: TextExportOptions = {}, filter?: LineSearch): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportText(this.#timeline(options.channels, filter), options);
  }

  /** Exports the log as CSV (RFC 4180). `filter` as in `exportText`. */
  exportCsv(options: TextExportOptions = {}, filter?: LineSearch): Generator<Uint8Array<ArrayBuffer>, void> {
    return exportCsv(this.#timeline(options.channels, filter), options);
  }

  /** Returns the sequence number up to which all lines of a port have ended. */
  endedSequence(port: PortNumber): number {
    const open = [this.#channels.received(port), this.#channels.sent(port)].flatMap((channel) =>
      channel.isOpen(channel.endLine - 1) ? [channel.sequenceOf(channel.endLine - 1)] : [],
    );
    return Math.min(this.#channels.timeline().endSequence, ...open);
  }

  /** Yields the held lines from `sequence` up to `end`, in order, for exports in parts. `filter` as in `exportText`. */
  lines(sequence: number, end: number, filter?: LineSearch): Iterable<LinePosition> {
    return this.#timeline(undefined, filter).linesFrom(sequence, end);
  }

  /** Returns the text of rows, for a selection that reaches beyond the screen. `filter` as in `exportText`. */
  copyRows(range: RowRange, filter?: LineSearch): Generator<string, void> {
    return copyRows(this.#shownOnce(this.#timeline(range.channels, filter), range, filter).timeline, range);
  }

  /** Leaves out the sent lines that were echoed, where `rows` and `copyRows` show such a command once. */
  #shownOnce(timeline: Timeline, { joinsEchoes, layout, stamps, controls }: EchoView, filter?: LineSearch) {
    const joins = joinsEchoes && layout === 'text' && !stamps && !controls && !filter?.picks;
    return withoutEchoes(timeline, joins ? Object.values(this.#echoes) : []);
  }

  /** Closes every port and cancels all timers. */
  async dispose(): Promise<void> {
    await this.jobs.dispose();
    await Promise.all(portNumbers.map((port) => this.#sessions[port].dispose()));
  }

  #newSession(port: PortNumber, reconnect: boolean, { onReceived, onSent }: BenchOptions): PortSession {
    const received = this.#channels.received(port);
    const meters = this.#meters[port];
    return new PortSession(
      port,
      { clock: this.#clock, reconnect, secrets: this.#secrets },
      {
        begun: () => {
          if (this.#recorded.isWatched(port)) {
            this.watch(port);
          }
          this.#linesBefore[port] = received.endLine;
          this.#bytesBefore[port] = received.ring.end;
          this.#pairs.frames(port)?.restartOverview();
          meters.received.resetPeak(this.#clock.wallTime());
          meters.sent.resetPeak(this.#clock.wallTime());
        },
        arrived: (count, at) => {
          if (!this.#recorded.isWatched(port)) {
            meters.received.add(count, at);
          }
        },
        received: (bytes, at) => {
          if (this.#recorded.isWatched(port)) {
            return;
          }
          this.#receivedAt = at;
          this.#prompts[port].received(bytes);
          this.#pairs.passBeside(port, at);
          this.#framings[port].received(bytes, at);
          this.#echoes[port].received(at);
          this.#timelineChanged();
          this.#heard(port, bytes, at);
          onReceived?.(port, bytes, at);
        },
        sent: (bytes, at, hiding) => {
          const hidden = hiding ?? this.#asksForSecret(port);
          this.#prompts[port].answered();
          if (this.#recorded.isWatched(port)) {
            return;
          }
          meters.sent.add(bytes.length, at);
          const shown = hidden === false ? bytes : hiddenLine(bytes.length, hidden);
          this.#appendSent(port, shown, at, hidden !== false);
          this.#echoes[port].sent(shown, at, this.#sessions[port].sendTime(bytes.length));
          this.#timelineChanged();
          onSent?.(port, shown, at);
        },
        typed: (count, at) => this.#countKeys(port, count, at),
        moved: (direction, count) => {
          meters[direction].add(count, this.#clock.wallTime());
          this.#onChange();
        },
        ended: () => {
          this.#prompts[port].reset();
          this.#framings[port].disconnected();
          this.#sentFramings[port].disconnected();
          this.#pairs.endPairing(port);
          for (const conversation of this.#conversationsOf(port)) {
            conversation.closed();
          }
          this.#timelineChanged();
        },
        notice: ({ level, text }) => this.notice(level, text, port),
        changed: () => this.#onChange(),
      },
    );
  }

  /** Adds what was sent in one go: a line, or what a decoder makes of it. Hidden bytes are a line that stands for them. */
  #appendSent(port: PortNumber, bytes: Uint8Array, at: number, isHidden = false): void {
    const channel = this.#channels.sent(port);
    this.#pairs.passBeside(port, at);
    if (channel.isCut && !isHidden) {
      this.#sentFramings[port].received(bytes, at);
    } else {
      channel.arrive(bytes.length, at, isHidden ? 'entry' : 'bytes');
      channel.appendEntry(bytes, at);
    }
  }

  /** Passes received bytes to the port's conversations. */
  #heard(port: PortNumber, bytes: Uint8Array, at: number): void {
    for (const [heard, itsPort] of this.#hearing) {
      if (itsPort === port) {
        heard.received(bytes.slice());
      }
    }
    for (const conversation of this.#conversationsOf(port)) {
      // The recorder or a tap may transfer the bytes afterwards.
      conversation.received(bytes.slice(), at);
    }
  }

  #conversationsOf(port: PortNumber): Conversation[] {
    return this.#conversations.size === 0
      ? []
      : [...this.#conversations].filter(([, itsPort]) => itsPort === port).map(([conversation]) => conversation);
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
      asks: this.#prompts[port].prompt,
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

/**
 * Returns the line that stands for bytes that must not be shown.
 *
 * @param shown Name of what is sent. True: it has none, and the line says the number of bytes.
 */
export function hiddenLine(length: number, shown: string | true = true): Uint8Array {
  const text = shown === true ? `hidden, ${length} ${length === 1 ? 'byte' : 'bytes'}` : `[${shown}, hidden]`;
  return new TextEncoder().encode(`${text}\n`);
}
