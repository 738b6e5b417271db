/**
 * Jobs that run on a port for a while, with their progress: sending a file, repeating a message, searching for the
 * baud rate. The engine runs the jobs; this file reports them to the page.
 */
import type { PortSettings } from '@wirebench/port';
import {
  type BaudFinding,
  type Bench,
  byPort,
  fileSource,
  type PortNumber,
  type RepeatReport,
  type SendPace,
  type SendProgress,
  type SendReport,
} from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import type { BaudProgress } from '../../protocol/bench/job-part.ts';
import type { PortSource } from '../../protocol/bench/port-part.ts';
import type { PortDevices } from './port-devices.ts';

export interface RunningJobsParts {
  readonly bench: Bench;
  readonly devices: PortDevices;
  readonly onProgress: () => void;
}

export class RunningJobs {
  readonly #parts: RunningJobsParts;
  #sends: BenchTick['sends'] = byPort(() => null);
  readonly #repeats = new Map<number, number>();
  #baudSearches: BenchTick['baudSearches'] = byPort(() => null);

  constructor(parts: RunningJobsParts) {
    this.#parts = parts;
  }

  get progress(): Pick<BenchTick, 'sends' | 'repeats' | 'baudSearches'> {
    return { sends: this.#sends, repeats: Object.fromEntries(this.#repeats), baudSearches: this.#baudSearches };
  }

  async sendFile(port: PortNumber, file: File, pace: SendPace, signal: AbortSignal): Promise<SendReport> {
    const onProgress = (progress: SendProgress | null) => {
      this.#sends = { ...this.#sends, [port]: progress };
      this.#parts.onProgress();
    };
    try {
      return await this.#parts.bench.jobs.sendFile(port, fileSource(file), { pace, signal, onProgress });
    } finally {
      onProgress(null);
    }
  }

  /** @param ticket Number by which the page ends the job. */
  async repeat(
    port: PortNumber,
    bytes: Uint8Array,
    every: number,
    ticket: number,
    signal: AbortSignal,
  ): Promise<RepeatReport> {
    const { bench, onProgress } = this.#parts;
    const onSent = (count: number) => {
      this.#repeats.set(ticket, count);
      onProgress();
    };
    try {
      return await bench.jobs.repeat(port, bytes, every, { signal, onSent });
    } finally {
      this.#repeats.delete(ticket);
      onProgress();
    }
  }

  /**
   * Searches for the baud rate of the open port, or of `source` if none is open. An open port is closed for the
   * search, and reopened with its settings after any outcome.
   */
  async findBaudRate(
    port: PortNumber,
    source: PortSource,
    settings: PortSettings,
    signal: AbortSignal,
  ): Promise<BaudFinding> {
    const { bench, devices } = this.#parts;
    const { state, info, signals, settings: opened } = bench.status().ports[port];
    if (state === 'connected' && opened !== null) {
      const device = devices.opened(port, info);
      await bench.disconnect(port);
      if (device === null) {
        throw new Error('The board is gone. Plug it in and connect it again.');
      }
      try {
        return await this.#listen(port, device, { settings, lines: signals, signal });
      } finally {
        // The user may have connected another device during the search.
        if (bench.status().ports[port].state === 'disconnected') {
          await bench.connect(port, device, opened);
        }
      }
    }
    return devices.attach(port, source, settings.baudRate, (device) =>
      this.#listen(port, device, { settings, signal }),
    );
  }

  async #listen(
    port: PortNumber,
    device: SerialPort,
    options: Parameters<Bench['jobs']['findBaudRate']>[2],
  ): Promise<BaudFinding> {
    const show = (progress: BaudProgress | null) => {
      this.#baudSearches = { ...this.#baudSearches, [port]: progress };
      this.#parts.onProgress();
    };
    try {
      return await this.#parts.bench.jobs.findBaudRate(port, device, {
        ...options,
        onTry: (rate, index, count) => show({ rate, index, count }),
      });
    } finally {
      show(null);
    }
  }
}
