/**
 * Worker side of the bench: owns the bench, its devices and its recording, answers calls and sends ticks. It runs in
 * the worker, or on the page if workers have no Web Serial. The code is the same in both.
 */
import type { Clock } from '@wirebench/clock';
import {
  Bench,
  byPort,
  type Hiding,
  type PortNumber,
  portNumbers,
  type SendWay,
  SessionError,
} from '@wirebench/serial';
import type { BenchApi, BenchTick, Channel } from '../../protocol/bench/bench-tick.ts';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { CallFailure } from '../../protocol/calls/call-protocol.ts';
import { type CallHandlers, CallServer, tickInterval } from '../../protocol/calls/call-server.ts';
import { untilStep } from '../../shared/paint-step.ts';
import { CrashWatch } from '../crash/crash-watch.ts';
import { Recorder } from '../recording/recorder.ts';
import { recordingFailureText } from '../recording/recording-failure.ts';
import type { OpenRecordingFile } from '../recording/recording-file.ts';
import { AcquiredPorts } from './acquired-ports.ts';
import type { BenchTap, ChunkListener } from './bench-tap.ts';
import { ConsoleSearch } from './console-search.ts';
import { FrameWorker } from './frame-worker.ts';
import { JobWorker } from './job-worker.ts';
import { LineAuthors } from './line-authors.ts';
import { PlotWorker } from './plot-worker.ts';
import { PortDevices } from './port-devices.ts';
import { PortWorker } from './port-worker.ts';
import { RowWorker } from './row-worker.ts';
import { RuleWorker } from './rule-worker.ts';
import { ToolPorts } from './tool-ports.ts';
import type { TrialWorker } from './trial-worker.ts';

export interface BenchWorkerParts {
  readonly clock: Clock;
  readonly openRecordingFile: OpenRecordingFile;
}

/** Lines per frame of the page that fill a console. */
const screenful = 30;

/**
 * Decides how often the page receives a tick: once per frame, or less often while more lines arrive than a user can
 * read. Counts lines; the caller passes the time.
 */
export class TickPace {
  #lines = 0;
  #at = Number.NEGATIVE_INFINITY;
  #flooded = false;

  /** Shortest time from the last tick to the next, in milliseconds. Longer while many lines arrive. */
  get interval(): number {
    return this.#flooded ? untilStep(this.#at) : tickInterval;
  }

  /**
   * Notes a sent tick.
   * @param lines Total of received lines, including those that left the ring.
   * @param at Milliseconds since the Unix epoch.
   */
  sent(lines: number, at: number): void {
    const elapsed = Math.max(tickInterval, at - this.#at);
    this.#flooded = (lines - this.#lines) * tickInterval > screenful * elapsed;
    this.#lines = lines;
    this.#at = at;
  }
}

/** Milliseconds after its last key for which a guest is shown. */
const typingTime = 3_000;
/** Milliseconds without a key after which the log says again that a guest types. */
const noticeTime = 60_000;

interface Typist {
  readonly name: string;
  /** Cancels the end of typing. */
  readonly stay: () => void;
}

/** A guest that types on a port. */
interface TypedName {
  readonly port: PortNumber;
  readonly name: string;
}

/** Guests of a shared bench that type key by key, each for a few seconds after its last key. */
class Typists {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  /** By the guest's ID, in the order in which they began. */
  readonly #now = byPort(() => new Map<string, Typist>());
  /** Guests that the host of another bench names as typing there. */
  #named: readonly TypedName[] = [];
  /** Time of the last key, by port and name. */
  readonly #last = new Map<string, number>();

  /** @param onChange Called when another guest types, or when one has stopped. */
  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Name of the guest that has typed longest; null for a port without one. */
  get names(): BenchTick['typists'] {
    return byPort((port) => {
      const [first] = this.#now[port].values();
      return first?.name ?? this.#named.find((one) => one.port === port)?.name ?? null;
    });
  }

  /** Guests of this bench that type now. */
  get guests(): readonly { readonly port: PortNumber; readonly guest: string }[] {
    return portNumbers.flatMap((port) => [...this.#now[port].keys()].map((guest) => ({ port, guest })));
  }

  /** A guest has typed. Returns true if it did not type there for a minute, so that the log should say so. */
  typed(port: PortNumber, guest: string, name: string): boolean {
    const typing = this.#now[port];
    const before = typing.get(guest);
    before?.stay();
    const stay = this.#clock.schedule(typingTime, () => {
      typing.delete(guest);
      this.#onChange();
    });
    typing.set(guest, { name, stay });
    if (before?.name !== name) {
      this.#onChange();
    }
    return this.#isNews({ port, name });
  }

  /** Sets the guests that the host names as typing. Returns those that the log should name. */
  setNamed(named: readonly TypedName[]): readonly TypedName[] {
    const before = this.#named;
    this.#named = named;
    this.#onChange();
    const isSame = (one: TypedName, other: TypedName) => one.port === other.port && one.name === other.name;
    // A guest that has stopped was typing until now.
    for (const one of before.filter((typist) => !named.some((other) => isSame(typist, other)))) {
      this.#isNews(one);
    }
    return named.filter((one) => !before.some((other) => isSame(one, other)) && this.#isNews(one));
  }

  #isNews({ port, name }: TypedName): boolean {
    const key = `${port} ${name}`;
    const now = this.#clock.now();
    const last = this.#last.get(key) ?? Number.NEGATIVE_INFINITY;
    this.#last.set(key, now);
    return now - last >= noticeTime;
  }
}

export class BenchWorker {
  readonly bench: Bench;
  /** Receives the bench's bytes and changes while it is shared. */
  tap: BenchTap | null = null;
  readonly acquired = new AcquiredPorts();
  readonly toolPorts: ToolPorts;
  readonly authors = new LineAuthors();
  /** Lines that a poll of registers has sent. */
  readonly #polled = new LineAuthors();
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
  readonly #ports: PortWorker;
  readonly #rows: RowWorker;
  readonly #jobs: JobWorker;
  readonly #search: ConsoleSearch;
  readonly frames: FrameWorker;
  readonly #plot: PlotWorker;
  readonly #rules: RuleWorker;
  readonly #crashes: CrashWatch;
  /** Hear every chunk of the bench's own ports, in this order. */
  readonly #listeners: readonly ChunkListener[];
  readonly #pace = new TickPace();
  #trials: Promise<TrialWorker['handlers']> | null = null;

  constructor(channel: Channel, { clock, openRecordingFile }: BenchWorkerParts) {
    this.#clock = clock;
    this.typists = new Typists(clock, () => this.#change());
    this.toolPorts = new ToolPorts({
      clock,
      acquired: this.acquired,
      tap: () => this.tap,
      onChange: () => this.#change(),
    });
    this.devices = new PortDevices(
      clock,
      (port) => this.bench.deviceAppeared(port),
      () => this.#change(),
    );
    this.#recorder = new Recorder({
      clock,
      open: openRecordingFile,
      logFeed: (options) => this.bench.logFeed(options),
      onFigures: () => this.#change(),
      onFailure: (reason) => this.bench.notice('error', recordingFailureText[reason], null),
    });
    this.bench = new Bench({
      clock,
      onChange: () => {
        this.#change();
        this.#rules.changed();
        this.#jobs.changed();
      },
      onReceived: (port, bytes, at) => {
        this.tap?.bytes(port, 'received', bytes, at);
        for (const listener of this.#listeners) {
          listener.received(port, bytes, at);
        }
      },
      onSent: (port, bytes, at) => {
        this.tap?.bytes(port, 'sent', bytes, at);
        for (const listener of this.#listeners) {
          listener.sent?.(port, bytes);
        }
      },
    });
    const { bench, devices } = this;
    const onProgress = () => this.#change();
    const checkFree = (port: PortNumber) => {
      this.acquired.check(port);
      this.toolPorts.check(port);
    };
    this.#search = new ConsoleSearch({ bench, clock, onProgress });
    this.frames = new FrameWorker({ bench, clock, onProgress });
    this.#plot = new PlotWorker({ bench, clock, onProgress });
    this.#crashes = new CrashWatch({ bench, clock, onMarked: onProgress });
    this.#rules = new RuleWorker({
      bench,
      clock,
      isElsewhere: (port) => devices.facts(port)?.kind === 'remote',
      onProgress,
    });
    this.#jobs = new JobWorker({
      bench,
      clock,
      devices,
      onProgress,
      onOutput: (port, bytes) => {
        this.tap?.bytes(port, 'received', bytes, clock.wallTime());
        this.record(port, 'received', bytes);
      },
      send: (port, bytes, hidden) => this.#send(port, bytes, hidden),
      hiddenWay: (port) => this.#hiddenWay(port),
      checkFree,
      isShared: () => this.tap !== null,
      otherMaster: (port) => this.frames.registers(port)?.other ?? null,
      onPolled: (port) => {
        const line = this.#newestSent(port);
        if (line !== undefined) {
          this.#polled.add(line.sequence, 'poll');
        }
      },
    });
    this.#ports = new PortWorker({
      bench,
      clock,
      devices,
      onProgress,
      checkFree,
      stopJobs: (port) => this.#jobs.stop(port),
      usesOtherSettings: (port) => this.#jobs.usesOtherSettings(port),
    });
    this.#rows = new RowWorker({
      bench,
      clock,
      search: this.#search,
      crashes: this.#crashes,
      rules: this.#rules,
      plot: this.#plot,
      recorder: this.#recorder,
      waits: this.#jobs.waits,
      authors: this.authors,
      polled: this.#polled,
      rawFiles: this.rawFiles,
      onProgress,
    });
    this.#listeners = [this.#recorder, ...this.#jobs.listeners, this.#ports.listener];
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
    const line = this.#newestSent(port);
    if (line !== undefined && this.authors.of(line.sequence) !== words) {
      this.authors.add(line.sequence, words);
      this.tap?.signed(port, words);
    }
  }

  #newestSent(port: PortNumber) {
    return this.bench.rows({ layout: 'text', anchor: 'tail', count: 1, channels: [`sent-${port}`] }).rows[0];
  }

  #send(port: PortNumber, bytes: Uint8Array, hidden: Hiding | undefined): Promise<void> {
    return this.bench.send(port, bytes, { hidden, hiddenWay: this.#hiddenWay(port) });
  }

  #hiddenWay(port: PortNumber): SendWay | undefined {
    const { remoteHidden } = this;
    return remoteHidden === null ? undefined : (bytes) => remoteHidden(port, bytes);
  }

  /** Trials of decoders. A failed load is tried again with the next call. */
  #loadTrials(): Promise<TrialWorker['handlers']> {
    this.#trials ??= import('./trial-worker.ts').then(
      (loaded) => new loaded.TrialWorker(this.bench, (port) => this.frames.onChosen(port)).handlers,
      (error: unknown) => {
        this.#trials = null;
        throw error;
      },
    );
    return this.#trials;
  }

  /** Calls of all parts. */
  get #handlers(): CallHandlers<BenchApi> {
    return {
      ...this.#ports.handlers,
      ...this.#rows.handlers,
      ...this.#jobs.handlers,
      ...this.frames.handlers,
      guessFramings: async (...about) => (await this.#loadTrials()).guessFramings(...about),
      countFraming: async (...about) => (await this.#loadTrials()).countFraming(...about),
      tryDecoder: async (...about) => (await this.#loadTrials()).tryDecoder(...about),
      applyDecoder: async (...about) => (await this.#loadTrials()).applyDecoder(...about),
      searchChecksums: async (...about) => (await this.#loadTrials()).searchChecksums(...about),
      endTrial: async (...about) => (await this.#loadTrials()).endTrial(...about),
      find: (request) => this.#search.find(request),
      findStep: (direction, from) => this.#rows.show(this.#search.step(direction, from)),
      closePane: (pane) => this.#search.closePane(pane),
      setRules: (rules) => this.#rules.set(rules),
      ruleCounts: () => this.#rules.counts,
      resetRuleCounts: () => this.#rules.resetCounts(),
      markStep: (direction, from) => this.#rows.show(this.#rules.step(direction, from)),
      markTicks: () => this.#rules.ticks(),
      plot: (choice) => this.#plot.choose(choice),
      plotPicture: (view) => this.#plot.picture(view),
      plotCursor: (query, near) => this.#plot.cursor(query, near),
      plotFigures: (query) => this.#plot.figures(query),
      plotSpectra: (view, choice) => this.#plot.spectra(view, choice),
      plotPlane: (view, query) => this.#plot.plane(view, query),
      incidents: () => this.#crashes.incidents,
      setCodeRanges: (ranges) => this.#crashes.setCodeRanges(ranges),
      logDumps: () => this.#crashes.dumps,
      logDumpText: (id) => this.#crashes.dumpText(id),
      showDumpLines: (port, sequence, shown) => this.#crashes.showDumpLines(port, sequence, shown),
      dumpLines: (port, sequence) => this.#rows.dumpLines(port, sequence),
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
    };
  }

  /** Deletes all lines, and what is known of them: opened logs are read again. */
  readonly startOver = (): void => this.#rows.startOver();

  #change(): void {
    this.#line.change();
    this.tap?.changed();
    this.screen?.();
  }

  #tick(): BenchTick {
    this.#search.advance();
    this.#plot.advance();
    this.#crashes.advance();
    const status = this.bench.status();
    this.#pace.sent(status.lines + status.droppedLines, this.#clock.now());
    return {
      status,
      users: this.acquired.users,
      typists: this.typists.names,
      recordings: this.#recorder.running,
      ...this.#ports.progress,
      ...this.#jobs.progress,
      ...this.#rows.takeProgress(),
      plotRevision: this.#plot.revision,
      incidentRevision: this.#crashes.incidentRevision,
      ruleRevision: this.#rules.revision,
      ruleEvents: this.#rules.take(),
      find: this.#search.status,
    };
  }
}

function failureOf(error: unknown): CallFailure {
  return callFailure(error, error instanceof SessionError ? error.code : null);
}
