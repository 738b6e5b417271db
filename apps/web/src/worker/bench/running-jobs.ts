/**
 * Jobs that run on a port for a while, with their progress: pasting, sending a file, repeating a message, searching for the
 * baud rate. The engine runs the jobs; this file reports them to the page.
 */
import type { Clock } from '@wirebench/clock';
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
  type SendWay,
  SessionError,
} from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import type { BaudProgress, Paste, PasteOutcome } from '../../protocol/bench/job-part.ts';
import type { PortSource } from '../../protocol/bench/port-part.ts';
import type { PortDevices } from './port-devices.ts';

export interface RunningJobsParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly devices: PortDevices;
  readonly onProgress: () => void;
  /** Returns the way of hidden bytes to the host of a port; undefined for a port of this page. */
  readonly hiddenWay: (port: PortNumber) => SendWay | undefined;
}

export class RunningJobs {
  readonly #parts: RunningJobsParts;
  #sends: BenchTick['sends'] = byPort(() => null);
  readonly #repeats = new Map<number, number>();
  /** Lines that the port has taken, by the ticket of the paste. */
  readonly #pastedLines = new Map<number, number>();
  #baudSearches: BenchTick['baudSearches'] = byPort(() => null);

  constructor(parts: RunningJobsParts) {
    this.#parts = parts;
  }

  get progress(): Pick<BenchTick, 'sends' | 'repeats' | 'pastedLines' | 'baudSearches'> {
    return {
      sends: this.#sends,
      repeats: Object.fromEntries(this.#repeats),
      pastedLines: Object.fromEntries(this.#pastedLines),
      baudSearches: this.#baudSearches,
    };
  }

  /**
   * Pastes lines with pauses, or code by Python's paste mode. Typing follows behind it.
   *
   * @param ticket Number by which the page ends the paste.
   */
  async paste(port: PortNumber, paste: Paste, ticket: number, signal: AbortSignal): Promise<PasteOutcome> {
    const { bench, onProgress } = this.#parts;
    const sent = () => this.#pastedLines.get(ticket) ?? 0;
    const onLines = (lines: number) => {
      this.#pastedLines.set(ticket, lines);
      onProgress();
    };
    const stop = () => bench.stopSending(port);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const end = await (paste.kind === 'code'
        ? this.#pasteCode(port, paste.lines, onLines)
        : this.#pasteLines(port, paste, onLines));
      return { ...end, sent: sent() };
    } catch (error) {
      const code = error instanceof SessionError ? error.code : null;
      if (code !== 'send-stopped' && code !== 'send-cut') {
        throw error;
      }
      return { kind: code === 'send-stopped' ? 'cancelled' : 'closed', sent: sent() };
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pastedLines.delete(ticket);
      onProgress();
    }
  }

  async #pasteLines(
    port: PortNumber,
    { lines, pause, hidden }: Extract<Paste, { kind: 'lines' }>,
    onSent: (lines: number) => void,
  ): Promise<{ readonly kind: 'done' }> {
    const { bench, hiddenWay } = this.#parts;
    await bench.sendLines(port, lines, { pause, onSent, hidden, hiddenWay: hiddenWay(port) });
    return { kind: 'done' };
  }

  async #pasteCode(port: PortNumber, lines: readonly string[], onLines: (lines: number) => void) {
    const { bench, clock } = this.#parts;
    const { pasteCode, pastedLength } = await import('./board/board-work.ts');
    return bench.sendingJob(port, pastedLength(lines), ({ signal, write, finish }, heard) =>
      pasteCode(lines, {
        link: { read: (stop) => heard.read(stop), write },
        clock,
        signal,
        finish,
        onLines,
      }),
    );
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
