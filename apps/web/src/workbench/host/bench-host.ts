/**
 * The bench's end of the line: owns the bench, its devices and its recording, answers calls and sends ticks. Runs in the
 * worker, or on the page where the worker has no Web Serial; it does not know which.
 */
import type { Clock } from '@wirebench/clock';
import {
  Bench,
  fileSource,
  type PortNumber,
  portNumbers,
  type RowQuery,
  type RowRange,
  type SendPace,
  type SendProgress,
  type SendReport,
  SessionError,
} from '@wirebench/serial';
import type {
  BenchApi,
  BenchTick,
  Call,
  CallFailure,
  CallName,
  Channel,
  ExportRequest,
  FromBench,
  RecordingFailure,
  ToBench,
} from '../bench-protocol.ts';
import { type AnsweredPage, paintRow } from '../console/painted-row.ts';
import { Recorder } from '../recording/recorder.ts';
import type { OpenRecordingFile } from '../recording/recording-file.ts';
import { assembleBlob } from './assemble-blob.ts';
import { ConsoleSearch } from './console-search.ts';
import { lineFrom } from './line-from.ts';
import { NoticeFeed } from './notice-feed.ts';
import { PortDevices } from './port-devices.ts';
import { WaitTickets } from './wait-tickets.ts';

/** In milliseconds. A break is longer than a character, which takes 37 ms at 300 baud. */
const breakLength = 250;
/** Shortest time between two ticks, in milliseconds: a frame of the page. */
const tickInterval = 16;

/** Characters that are copied at once: other programs have to take them from the clipboard in one piece. */
const mostCopied = 64 * 1_024 * 1_024;

const recordingFailureText = {
  'storage-full':
    "Recording stopped: the browser's storage for this site is full. Save what was recorded, free some disk space, then start again.",
  'not-writable': 'Recording stopped: the browser could not write the file. Save what was recorded, then start again.',
} satisfies Record<RecordingFailure, string>;

export interface BenchHostParts {
  readonly clock: Clock;
  readonly openRecordingFile: OpenRecordingFile;
}

type Handlers = {
  readonly [Name in CallName]: (
    ...args: Parameters<BenchApi[Name]>
  ) => ReturnType<BenchApi[Name]> | Promise<ReturnType<BenchApi[Name]>>;
};

export class BenchHost {
  readonly bench: Bench;
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #devices: PortDevices;
  readonly #recorder: Recorder;
  readonly #notices: NoticeFeed;
  readonly #waits = new WaitTickets();
  readonly #sends: Record<PortNumber, SendProgress | null> = { 1: null, 2: null, 3: null, 4: null };
  readonly #search: ConsoleSearch;
  /** Arrival of the first line since the log was last cleared. */
  #startedAt: number | null = null;
  #changed = false;
  #tickUnderWay = false;
  #lastTickAt = Number.NEGATIVE_INFINITY;
  #tickScheduled = false;

  constructor(channel: Channel, { clock, openRecordingFile }: BenchHostParts) {
    this.#channel = channel;
    this.#clock = clock;
    this.#devices = new PortDevices(clock, (port) => this.bench.deviceAppeared(port));
    this.#recorder = new Recorder({
      clock,
      open: openRecordingFile,
      onFailure: (reason) => this.bench.notice('error', recordingFailureText[reason], null),
    });
    this.bench = new Bench({
      clock,
      onChange: () => this.#change(),
      onReceived: (port, bytes) => this.#recorder.received(port, bytes),
    });
    this.#notices = new NoticeFeed(this.bench);
    this.#search = new ConsoleSearch({ bench: this.bench, clock, onProgress: () => this.#change() });
    channel.addEventListener('message', ({ data }: MessageEvent<ToBench>) => this.#take(data));
  }

  /** A port that this site may open has been plugged in. */
  deviceAppeared(device: SerialPort): void {
    this.#devices.appeared(device);
    this.bench.deviceAppeared(device);
  }

  readonly #handlers: Handlers = {
    resize: (ringBytes) => this.bench.resize(ringBytes),
    connect: (port, source, settings) =>
      this.#devices.attach(port, source, settings.baudRate, (device) => this.bench.connect(port, device, settings)),
    reopen: async (port, settings) => {
      const device = this.#devices.opened(port, this.bench.status().ports[port].info);
      await this.bench.disconnect(port);
      if (device !== null) {
        await this.bench.connect(port, device, settings);
      }
    },
    disconnect: (port) => this.bench.disconnect(port),
    cancelReconnect: (port) => this.bench.cancelReconnect(port),
    send: (port, bytes) => this.bench.send(port, bytes),
    ask: (port, bytes, answer, timeout, ticket) =>
      this.#waits.hold(ticket, (signal) => this.bench.ask(port, bytes, { answer, timeout, signal })),
    pause: (duration, ticket) =>
      // Ended early is over, too.
      this.#waits.hold(ticket, (signal) => this.#clock.sleep(duration, signal).catch(() => undefined)),
    endWait: (ticket) => this.#waits.end(ticket),
    setSignals: (port, change) => this.bench.setSignals(port, change),
    sendFile: (port, file, pace, ticket) =>
      this.#waits.hold(ticket, (signal) => this.#sendFile(port, file, pace, signal)),
    setFraming: (port, framing) => this.bench.setFraming(port, framing),
    resetBoard: (port, mode) => this.bench.jobs.resetBoard(port, mode),
    sendBreak: async (port) => {
      await this.bench.setSignals(port, { break: true });
      await this.#clock.sleep(breakLength);
      await this.bench.setSignals(port, { break: false });
    },
    rows: (query) => this.#rows(query),
    find: (request) => this.#search.find(request),
    findStep: (direction, from) => this.#search.step(direction, from),
    lineFrom: (at) => lineFrom(this.bench, at),
    copyRows: (range) => this.#copyRows(range),
    clear: () => {
      this.#startedAt = null;
      this.bench.clear();
    },
    notice: (level, text, port) => this.bench.notice(level, text, port),
    exportFile: (request) => this.#export(request),
    startRecording: async () => {
      await this.#recorder.start();
      this.#change();
    },
    stopRecording: async () => {
      const files = await this.#recorder.stop();
      this.#change();
      return files;
    },
    plugDemo: (port, plugged) => {
      this.#devices.plugDemo(port, plugged);
      this.#change();
    },
  };

  async #take(message: ToBench): Promise<void> {
    if ('tickTaken' in message) {
      this.#tickUnderWay = false;
      this.#scheduleTick();
      return;
    }
    const { id } = message;
    try {
      this.#post({ id, value: await this.#handle(message) });
    } catch (error) {
      this.#post({ id, failure: failureOf(error) });
    }
  }

  async #handle<Name extends CallName>({ call, args }: Call<Name>): Promise<ReturnType<BenchApi[Name]>> {
    const handler: Handlers[Name] = this.#handlers[call];
    return handler(...args);
  }

  #rows(query: RowQuery): AnsweredPage {
    const { view } = this.#search;
    const { first, total, rows } = this.bench.rows(query, view);
    this.#startedAt ??= this.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 1 }).rows[0]?.at ?? null;
    const painted = rows.map((row) => paintRow(row, query.layout, view.marks?.marker));
    return { first, total, startedAt: this.#startedAt, rows: painted };
  }

  async #copyRows(range: RowRange): Promise<string> {
    const pieces: string[] = [];
    let length = 0;
    for (const piece of this.bench.copyRows(range, this.#search.view.filter)) {
      pieces.push(piece);
      length += piece.length;
      if (length > mostCopied) {
        throw new RangeError('This is too much for the clipboard. Export the log instead.');
      }
      await this.#clock.sleep(0);
    }
    return pieces.join('');
  }

  async #sendFile(port: PortNumber, file: File, pace: SendPace, signal: AbortSignal): Promise<SendReport> {
    const onProgress = (progress: SendProgress | null) => {
      this.#sends[port] = progress;
      this.#change();
    };
    try {
      return await this.bench.jobs.sendFile(port, fileSource(file), { pace, signal, onProgress });
    } finally {
      onProgress(null);
    }
  }

  #export(request: ExportRequest): Promise<Blob> {
    const pause = () => this.#clock.sleep(0);
    switch (request.kind) {
      case 'text':
        return assembleBlob(this.bench.exportText({ portNames: request.portNames }), 'text/plain', pause);
      case 'csv':
        return assembleBlob(this.bench.exportCsv({ portNames: request.portNames }), 'text/csv', pause);
      case 'raw':
        return assembleBlob(this.bench.exportRaw(request.port), 'application/octet-stream', pause);
    }
  }

  #change(): void {
    this.#changed = true;
    this.#scheduleTick();
  }

  /** At most one tick per frame, and none before the page has taken the last one: a page that is busy gets no backlog. */
  #scheduleTick(): void {
    if (!this.#changed || this.#tickUnderWay || this.#tickScheduled) {
      return;
    }
    this.#tickScheduled = true;
    this.#clock.schedule(Math.max(0, this.#lastTickAt + tickInterval - this.#clock.now()), () => {
      this.#tickScheduled = false;
      const tick = this.#tick();
      this.#changed = false;
      this.#tickUnderWay = true;
      this.#lastTickAt = this.#clock.now();
      this.#post({ tick });
    });
  }

  #tick(): BenchTick {
    this.#search.advance();
    const entries = portNumbers.map((port) => [port, this.#devices.facts(port)] as const);
    return {
      status: this.bench.status(),
      devices: Object.fromEntries(entries) as BenchTick['devices'],
      recording: this.#recorder.status,
      sends: { ...this.#sends },
      find: this.#search.status,
      notices: this.#notices.take(),
    };
  }

  #post(message: FromBench): void {
    this.#channel.postMessage(message, []);
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof Error) {
    return { name: error.name, message: error.message, code: error instanceof SessionError ? error.code : null };
  }
  return { name: 'Error', message: String(error), code: null };
}
