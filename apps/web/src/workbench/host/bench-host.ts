/**
 * The bench's end of the line: owns the bench, its devices and its recording, answers calls and sends ticks. Runs in the
 * worker, or on the page where the worker has no Web Serial; it does not know which.
 */
import type { Clock } from '@wirebench/clock';
import { Bench, portNumbers, SessionError } from '@wirebench/serial';
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
import { paintRow } from '../console/painted-row.ts';
import { Recorder } from '../recording/recorder.ts';
import type { OpenRecordingFile } from '../recording/recording-file.ts';
import { assembleBlob } from './assemble-blob.ts';
import { NoticeFeed } from './notice-feed.ts';
import { PortDevices } from './port-devices.ts';
import { WaitTickets } from './wait-tickets.ts';

/** Shortest time between two ticks, in milliseconds: a frame of the page. */
const tickInterval = 16;

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
    rows: (query) => {
      const { first, total, rows } = this.bench.rows(query);
      return { first, total, rows: rows.map((row) => paintRow(row, query.layout)) };
    },
    clear: () => this.bench.clear(),
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
    const entries = portNumbers.map((port) => [port, this.#devices.facts(port)] as const);
    return {
      status: this.bench.status(),
      devices: Object.fromEntries(entries) as BenchTick['devices'],
      recording: this.#recorder.status,
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
