/**
 * Worker side of the bench: owns the bench, its devices and its recording, answers calls and sends ticks. It runs in
 * the worker, or on the page if workers have no Web Serial. The code is the same in both.
 */
import type { Clock } from '@wirebench/clock';
import {
  Bench,
  type Conversation,
  type Hiding,
  type Hit,
  type PortNumber,
  portNumbers,
  type RowQuery,
  type RowRange,
  SessionError,
} from '@wirebench/serial';
import type {
  BenchApi,
  BenchTick,
  Channel,
  CopiedRows,
  ExportRequest,
  LogPart,
  RowLook,
} from '../../protocol/bench-protocol.ts';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { CallFailure } from '../../protocol/calls/call-protocol.ts';
import { type CallHandlers, CallServer, tickInterval } from '../../protocol/calls/call-server.ts';
import { type AnsweredPage, paintRow } from '../../protocol/rows/painted-row.ts';
import { CrashWatch } from '../crash/crash-watch.ts';
import { Recorder } from '../recording/recorder.ts';
import { recordingFailureText } from '../recording/recording-failure.ts';
import type { OpenRecordingFile } from '../recording/recording-file.ts';
import { AcquiredPorts } from './acquired-ports.ts';
import { assembleBlob } from './assemble-blob.ts';
import type { BenchTap } from './bench-tap.ts';
import { BoardJobs } from './board/board-jobs.ts';
import { ConsoleSearch } from './console-search.ts';
import { CopiedText, tooMuchToCopy } from './copied-text.ts';
import { DumpRows } from './dump-rows.ts';
import { ImprovJobs } from './improv/improv-jobs.ts';
import { LineAuthors } from './line-authors.ts';
import { lineFrom } from './line-from.ts';
import { NoticeFeed } from './notice-feed.ts';
import { PlotWorker } from './plot-worker.ts';
import { PortDevices } from './port-devices.ts';
import { RuleWorker } from './rule-worker.ts';
import { RunningJobs } from './running-jobs.ts';
import { TickPace } from './tick-pace.ts';
import { ToolPorts } from './tool-ports.ts';
import { PortTransfers } from './transfer/port-transfers.ts';
import { Typists } from './typists.ts';
import { WaitTickets } from './wait-tickets.ts';

/** In milliseconds. A break must last longer than a character, which takes 37 ms at 300 baud. */
const breakLength = 250;
/** Milliseconds for which a clear can be undone. The cleared lines keep their memory until then. */
const undoTime = 60_000;
/** Maximum number of characters to copy. Other programs take them from the clipboard in one piece. */
const maxCopied = 64 * 1_024 * 1_024;

export interface BenchWorkerParts {
  readonly clock: Clock;
  readonly openRecordingFile: OpenRecordingFile;
}

export class BenchWorker {
  readonly bench: Bench;
  /** Receives the bench's bytes and changes while it is shared. */
  tap: BenchTap | null = null;
  readonly acquired = new AcquiredPorts();
  readonly toolPorts: ToolPorts;
  readonly authors = new LineAuthors();
  readonly typists: Typists;
  /** Sends keys to the boards of another user's bench, while this bench only watches them; null without a visit. */
  remoteKeys: ((port: PortNumber, keys: Uint8Array) => Promise<void>) | null = null;
  /** Sends hidden bytes to another user's bench, which hides them; null if it cannot, and without a visit. */
  remoteHidden: ((port: PortNumber, bytes: Uint8Array) => Promise<void>) | null = null;
  /** Files of opened logs whose received bytes are the file itself. */
  readonly rawFiles = new Map<PortNumber, Blob>();
  /** Called with each change while a Screen is open, so that received bytes go on to it at once; null without one. */
  screen: (() => void) | null = null;
  readonly #line: CallServer<BenchApi, BenchTick>;
  readonly #clock: Clock;
  /** Devices behind the ports. A flasher in the same thread works with the same boards. */
  readonly devices: PortDevices;
  readonly #recorder: Recorder;
  readonly #notices: NoticeFeed;
  readonly #waits = new WaitTickets();
  /** Open conversations by the numbers of the page. */
  readonly #conversations = new Map<number, Conversation>();
  readonly #jobs: RunningJobs;
  readonly #transfers: PortTransfers;
  readonly #boards: BoardJobs;
  readonly #improv: ImprovJobs;
  readonly #search: ConsoleSearch;
  readonly #plot: PlotWorker;
  readonly #rules: RuleWorker;
  readonly #crashes: CrashWatch;
  readonly #dumps: DumpRows;
  readonly #pace = new TickPace();
  /** Arrival of the first line since the log was last cleared. */
  #startedAt: number | null = null;
  /** Bytes of the running export so far; null without an export. */
  #exported: number | null = null;
  /** The last clear, while it can be undone; else null. */
  #cleared: { readonly startedAt: number | null; readonly endWait: () => void } | null = null;

  constructor(channel: Channel, { clock, openRecordingFile }: BenchWorkerParts) {
    this.#clock = clock;
    this.typists = new Typists(clock, () => this.#change());
    this.toolPorts = new ToolPorts({
      clock,
      acquired: this.acquired,
      tap: () => this.tap,
      onChange: () => this.#change(),
    });
    this.devices = new PortDevices(clock, (port) => this.bench.deviceAppeared(port));
    this.#recorder = new Recorder({
      clock,
      open: openRecordingFile,
      logFeed: (options) => this.bench.logFeed(options),
      onFailure: (reason) => this.bench.notice('error', recordingFailureText[reason], null),
    });
    this.bench = new Bench({
      clock,
      onChange: () => {
        this.#change();
        this.#rules.changed();
      },
      onReceived: (port, bytes, at) => {
        this.tap?.bytes(port, 'received', bytes, at);
        this.#recorder.received(port, bytes);
        this.#transfers.received(port, bytes, at);
        this.#boards.received(port, bytes);
        this.#improv.received(port, bytes);
      },
      onSent: (port, bytes, at) => {
        this.tap?.bytes(port, 'sent', bytes, at);
        this.#transfers.sent(port);
      },
    });
    this.#notices = new NoticeFeed(this.bench);
    const { bench, devices } = this;
    const onProgress = () => this.#change();
    this.#search = new ConsoleSearch({ bench, clock, onProgress });
    this.#jobs = new RunningJobs({ bench, devices, onProgress });
    this.#transfers = new PortTransfers({ bench, clock, onProgress });
    const onOutput = (port: PortNumber, bytes: Uint8Array) => {
      this.tap?.bytes(port, 'received', bytes, clock.now());
      this.record(port, 'received', bytes);
    };
    this.#boards = new BoardJobs({ bench, clock, onProgress, onOutput });
    this.#improv = new ImprovJobs({ bench, clock, onProgress });
    this.#plot = new PlotWorker({ bench, clock, onProgress });
    this.#crashes = new CrashWatch({ bench, clock, onMarked: onProgress });
    this.#dumps = new DumpRows(bench, this.#crashes);
    this.#rules = new RuleWorker({
      bench,
      clock,
      isElsewhere: (port) => devices.facts(port)?.kind === 'remote',
      onProgress,
    });
    const tick = () => this.#tick();
    // A plot needs a tick for each frame of the page, even if lines come slowly.
    const interval = () => (this.#plot.running ? tickInterval : this.#pace.interval);
    this.#line = new CallServer({ channel, clock, handlers: this.#handlers, tick, interval, failureOf });
  }

  /** Called when a port that this site may open was plugged in. */
  deviceAppeared(device: SerialPort): void {
    this.devices.appeared(device);
    this.bench.deviceAppeared(device);
  }

  /** Informs the page of a change of a device. */
  devicesChanged(): void {
    this.#change();
  }

  /** Records bytes of a port that a tool or a guest has open: on the timeline and in a recording. */
  record(port: PortNumber, lane: 'received' | 'sent', bytes: Uint8Array): void {
    this.bench.record(port, lane, bytes);
    if (lane === 'received') {
      this.#recorder.received(port, bytes);
    }
  }

  /** Labels the newest sent line of the port with its author. */
  sign(port: PortNumber, words: string): void {
    const { rows } = this.bench.rows({ layout: 'text', anchor: 'tail', count: 1, channels: [`sent-${port}`] });
    const [line] = rows;
    if (line !== undefined && this.authors.of(line.sequence) !== words) {
      this.authors.add(line.sequence, words);
      this.tap?.signed(port, words);
    }
  }

  #send(port: PortNumber, bytes: Uint8Array, hidden: Hiding): Promise<void> {
    const { remoteHidden } = this;
    const hiddenWay = remoteHidden === null ? undefined : (all: Uint8Array) => remoteHidden(port, all);
    return this.bench.send(port, bytes, { hidden, hiddenWay });
  }

  /** @throws RangeError if the conversation is not open. */
  #conversation(number: number): Conversation {
    const conversation = this.#conversations.get(number);
    if (conversation === undefined) {
      throw new RangeError('The conversation is not open');
    }
    return conversation;
  }

  readonly #handlers: CallHandlers<BenchApi> = {
    resize: (ringBytes) => {
      this.#recorder.readLines();
      this.bench.resize(ringBytes);
    },
    connect: async (port, source, settings) => {
      this.acquired.check(port);
      this.toolPorts.check(port);
      await this.devices.attach(port, source, settings.baudRate, (device) =>
        this.bench.connect(port, device, settings),
      );
    },
    reopen: async (port, settings) => {
      await this.#transfers.stop(port);
      await this.#boards.stop(port);
      await this.#improv.stop(port);
      const device = this.devices.opened(port, this.bench.status().ports[port].info);
      await this.bench.disconnect(port);
      if (device !== null) {
        await this.bench.connect(port, device, settings);
      }
    },
    disconnect: async (port) => {
      await this.#transfers.stop(port);
      await this.#boards.stop(port);
      await this.#improv.stop(port);
      await this.bench.disconnect(port);
    },
    cancelReconnect: (port) => this.bench.cancelReconnect(port),
    setReconnect: (port, enabled) => this.bench.setReconnect(port, enabled),
    send: (port, bytes, hidden = false) => this.#send(port, bytes, hidden),
    openConversation: (port, conversation) => {
      const talk = this.bench.converse(port, (bytes, hidden) => this.#send(port, bytes, hidden));
      this.#conversations.set(conversation, talk);
    },
    exchange: (conversation, exchange, ticket) =>
      this.#waits.hold(ticket, (signal) => this.#conversation(conversation).exchange(exchange, signal)),
    closeConversation: (conversation) => {
      const talk = this.#conversation(conversation);
      this.#conversations.delete(conversation);
      return talk.end();
    },
    pause: (duration, ticket) =>
      // A sleep that `endWait` aborts counts as finished.
      this.#waits.hold(ticket, (signal) => this.#clock.sleep(duration, signal).catch(() => undefined)),
    endWait: (ticket) => this.#waits.end(ticket),
    setSignals: (port, change) => this.bench.setSignals(port, change),
    sendFile: (port, file, pace, ticket) =>
      this.#waits.hold(ticket, (signal) => this.#jobs.sendFile(port, file, pace, signal)),
    transferTo: (port, files, protocol, resume, ticket) =>
      this.#waits.hold(ticket, (signal) => this.#transfers.send(port, files, { protocol, resume }, signal)),
    transferFrom: (port, protocol, ticket) =>
      this.#waits.hold(ticket, (signal) => this.#transfers.receive(port, protocol, signal)),
    boardJob: (port, job, mayInterrupt, ticket) =>
      this.#waits.hold(ticket, (signal) => this.#boards.run(port, job, mayInterrupt, signal)),
    improvJob: (port, job, ticket) => this.#waits.hold(ticket, (signal) => this.#improv.run(port, job, signal)),
    repeat: (port, bytes, every, ticket) =>
      this.#waits.hold(ticket, (signal) => this.#jobs.repeat(port, bytes, every, ticket, signal)),
    findBaudRate: async (port, source, settings, ticket) => {
      this.acquired.check(port);
      this.toolPorts.check(port);
      await this.#transfers.stop(port);
      await this.#improv.stop(port);
      return this.#waits.hold(ticket, (signal) => this.#jobs.findBaudRate(port, source, settings, signal));
    },
    statistics: (port) => this.bench.statistics(port),
    plot: (choice) => this.#plot.choose(choice),
    plotPicture: (view) => this.#plot.picture(view),
    incidents: () => this.#crashes.incidents,
    setCodeRanges: (ranges) => this.#crashes.setCodeRanges(ranges),
    logDumps: () => this.#crashes.dumps,
    logDumpText: (id) => this.#crashes.dumpText(id),
    showDumpLines: (port, sequence, shown) => this.#crashes.showDumpLines(port, sequence, shown),
    dumpLines: async (port, sequence) => {
      const pieces = this.#dumps.linesAt(port, sequence);
      return pieces === null ? null : this.#joined(pieces);
    },
    setFraming: (port, framing) => this.bench.setFraming(port, framing),
    resetBoard: (port, mode) => this.bench.jobs.resetBoard(port, mode),
    sendBreak: async (port) => {
      await this.bench.setSignals(port, { break: true });
      await this.#clock.sleep(breakLength);
      await this.bench.setSignals(port, { break: false });
    },
    rows: (query, look = {}) => this.#rows(query, look),
    closePane: (pane) => this.#search.closePane(pane),
    find: (request) => this.#search.find(request),
    findStep: (direction, from) => this.#findStep(direction, from),
    lineFrom: (at) => lineFrom(this.bench, at),
    copyRows: (range, pane = null, ticket) =>
      ticket === undefined
        ? this.#copy(range, pane)
        : this.#waits.hold(ticket, (signal) => this.#copy(range, pane, signal)),
    setRules: (rules) => this.#rules.set(rules),
    ruleCounts: () => this.#rules.counts,
    resetRuleCounts: () => this.#rules.resetCounts(),
    markStep: (direction, from) => this.#rules.step(direction, from),
    markTicks: () => this.#rules.ticks(),
    clear: () => this.#clear(),
    undoClear: () => this.#undoClear(),
    notice: (level, text, port) => this.bench.notice(level, text, port),
    exportFile: (request, ticket) =>
      ticket === undefined
        ? this.#export(request)
        : this.#waits.hold(ticket, (signal) => this.#export(request, signal)),
    startRecording: async (request) => {
      const id = await this.#recorder.start(request);
      this.#change();
      return id;
    },
    stopRecording: async (id) => {
      const stopped = await this.#recorder.stop(id);
      this.#change();
      return stopped;
    },
    plugDemo: (port, plugged) => {
      this.devices.plugDemo(port, plugged);
      this.#change();
    },
  };

  #rows(query: RowQuery, { pane = null, controls = false }: RowLook): AnsweredPage {
    const view = this.#search.viewOf(pane);
    const marker = view.marks?.marker;
    const { folds } = this.#crashes;
    const { first, total, rows } = this.bench.rows(query, { ...view, ...(folds !== undefined && { folds }) });
    this.#startedAt ??= this.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 1 }).rows[0]?.at ?? null;
    const stripOf = this.#dumps.stripsIn(view);
    const looks = this.#rules.looks(rows);
    const painted = rows.map((row, index) => ({
      ...paintRow(row, query.layout, { marker, controls, rule: looks[index] ?? null }),
      crash: this.#crashes.severityOf(row.sequence),
      author: this.authors.of(row.sequence),
      dump: stripOf(row),
    }));
    const complete = view.filter?.complete ?? true;
    return { first, total, startedAt: this.#startedAt, complete, rows: painted };
  }

  /** Unfolds a core dump that contains the hit, so that the hit is visible. */
  #findStep(direction: 'next' | 'previous', from: number): Hit | null {
    const hit = this.#search.step(direction, from);
    if (hit !== null) {
      const anchor = { sequence: hit.sequence, part: 0, offset: 0 };
      const [row] = this.bench.rows({ layout: 'text', anchor, count: 1 }).rows;
      if (row !== undefined && row.port !== null && row.direction === 'received') {
        this.#crashes.showDumpLines(row.port, hit.sequence, true);
      }
    }
    return hit;
  }

  #clear(): void {
    this.#recorder.takeLines();
    this.#cleared?.endWait();
    const startedAt = this.#cleared?.startedAt ?? this.#startedAt;
    const endWait = this.#clock.schedule(undoTime, () => {
      this.#cleared = null;
      this.#crashes.forgetCleared();
      this.bench.forgetCleared();
    });
    this.#cleared = { startedAt, endWait };
    this.#startedAt = null;
    this.#crashes.clear();
    this.bench.clear();
  }

  /** Deletes all lines, and what is known of them: opened logs are read again. */
  readonly startOver = (): void => {
    this.#cleared?.endWait();
    this.#cleared = null;
    this.#startedAt = null;
    this.#crashes.startOver();
    this.bench.startOver();
    this.#rules.startOver();
    this.#search.restart();
  };

  #undoClear(): boolean {
    if (this.#cleared === null) {
      return false;
    }
    this.#cleared.endWait();
    this.#startedAt = this.#cleared.startedAt ?? this.#startedAt;
    this.#cleared = null;
    this.#crashes.restoreCleared();
    this.bench.restoreCleared();
    this.#search.restart();
    this.#rules.restoreCleared();
    return true;
  }

  /** Joins in slices, so that the ports are read in between. */
  async #joined(pieces: Iterable<string>): Promise<string> {
    const joined: string[] = [];
    let length = 0;
    for (const piece of pieces) {
      joined.push(piece);
      length += piece.length;
      if (length > maxCopied) {
        throw new RangeError(tooMuchToCopy);
      }
      await this.#clock.sleep(0);
    }
    return joined.join('');
  }

  async #export(request: ExportRequest, signal?: AbortSignal): Promise<Blob> {
    try {
      return await this.#assemble(request, signal);
    } finally {
      this.#exported = null;
      this.#change();
    }
  }

  async #copy(range: RowRange, pane: LogPart | null, signal?: AbortSignal): Promise<CopiedRows> {
    const copied = new CopiedText(this.#dumps.copied(range, this.#search.viewOf(pane)), maxCopied);
    try {
      const text = await assembleBlob(copied.chunks(), 'text/plain', this.#showExported, signal);
      return { text, rows: copied.rows };
    } finally {
      this.#exported = null;
      this.#change();
    }
  }

  /** Shows the number of bytes that are assembled, and lets everything else that waits have its turn. */
  readonly #showExported = (bytes: number) => {
    this.#exported = bytes;
    this.#change();
    return this.#clock.sleep(0);
  };

  async #assemble(request: ExportRequest, signal?: AbortSignal): Promise<Blob> {
    const pause = this.#showExported;
    switch (request.kind) {
      case 'text':
      case 'csv': {
        const { kind, portNames } = request;
        const filter = request.shownOnly ? await this.#search.wholeFilter(signal) : undefined;
        return kind === 'text'
          ? assembleBlob(this.bench.exportText({ portNames }, filter), 'text/plain', pause, signal)
          : assembleBlob(this.bench.exportCsv({ portNames }, filter), 'text/csv', pause, signal);
      }
      case 'raw':
        if (this.rawFiles.has(request.port)) {
          return this.rawFiles.get(request.port) as Blob;
        }
        return assembleBlob(this.bench.exportRaw(request.port), 'application/octet-stream', pause, signal);
      case 'plot':
        return assembleBlob(this.#plot.exportCsv(request.portNames) ?? [], 'text/csv', pause, signal);
    }
  }

  #change(): void {
    this.#line.change();
    this.tap?.changed();
    this.screen?.();
  }

  #tick(): BenchTick {
    this.#search.advance();
    this.#plot.advance();
    this.#crashes.advance();
    const entries = portNumbers.map((port) => [port, this.devices.facts(port)] as const);
    const status = this.bench.status();
    this.#pace.sent(status.lines + status.droppedLines, this.#clock.now());
    return {
      status,
      users: this.acquired.users,
      typists: this.typists.names,
      devices: Object.fromEntries(entries) as BenchTick['devices'],
      recordings: this.#recorder.running,
      ...this.#jobs.progress,
      ...this.#transfers.progress,
      ...this.#boards.progress,
      ...this.#improv.progress,
      exported: this.#exported,
      plotRevision: this.#plot.revision,
      incidentRevision: this.#crashes.incidentRevision,
      lookRevision: this.#crashes.lookRevision + this.#rules.lookRevision,
      ruleRevision: this.#rules.revision,
      ruleEvents: this.#rules.take(),
      find: this.#search.status,
      notices: this.#notices.take(),
    };
  }
}

function failureOf(error: unknown): CallFailure {
  return callFailure(error, error instanceof SessionError ? error.code : null);
}
