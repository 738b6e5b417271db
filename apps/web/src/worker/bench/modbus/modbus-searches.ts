/** Searches for Modbus devices: at most one on each port. Loaded with the first one. */
import type { Clock } from '@wirebench/clock';
import { describePortSettings, type PortSettings } from '@wirebench/port';
import { type Bench, byPort, type PortNumber } from '@wirebench/serial';
import {
  endSentence,
  type ModbusSearchOptions,
  type ModbusSearchReport,
  planSentences,
  type SearchProgress,
  searchModbusPort,
} from '@wirebench/serial/modbus-search';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';

export interface ModbusSearchesParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly onProgress: () => void;
  /** Returns true while the bench is shared with guests. */
  readonly isShared: () => boolean;
}

interface Running {
  /** Settings with which the port was open when the search began; null: it was not open. */
  readonly own: PortSettings | null;
  readonly stop: AbortController;
  readonly done: Promise<unknown>;
}

const sharedText =
  'This bench is shared, and guests may use its ports. Stop sharing it, then look for Modbus devices. Nothing is sent.';

export class ModbusSearches {
  readonly #parts: ModbusSearchesParts;
  readonly #running = new Map<PortNumber, Running>();
  #ports: BenchTick['modbusSearches'] = byPort(() => null);

  constructor(parts: ModbusSearchesParts) {
    this.#parts = parts;
  }

  /** Progress of each search. */
  get ports(): BenchTick['modbusSearches'] {
    return this.#ports;
  }

  /** Returns true while a search has a port open with other settings than its own. */
  usesOtherSettings(port: PortNumber): boolean {
    const own = this.#running.get(port)?.own ?? null;
    if (own === null) {
      return false;
    }
    const { settings } = this.#parts.bench.status().ports[port];
    return settings !== null && describePortSettings(settings) !== describePortSettings(own);
  }

  /** Stops the search of a port, if there is one, and resolves when the port has its own settings again. */
  async stop(port: PortNumber): Promise<void> {
    const running = this.#running.get(port);
    running?.stop.abort();
    await running?.done;
  }

  /**
   * Searches, and says in the log what is sent and what was found.
   *
   * @throws SessionError if the port is not open or not free. @throws Error if it is shared.
   */
  async run(port: PortNumber, options: ModbusSearchOptions, signal: AbortSignal): Promise<ModbusSearchReport> {
    const { bench, clock, isShared } = this.#parts;
    signal.throwIfAborted();
    const stop = new AbortController();
    const own = bench.status().ports[port].settings;
    let isSaid = false;
    const searching = searchModbusPort({
      bench,
      clock,
      port,
      options,
      signal: AbortSignal.any([signal, stop.signal]),
      onProgress: (progress) => {
        // A search that is refused makes no progress: nothing is sent then.
        if (!isSaid) {
          isSaid = true;
          bench.notice('info', `Look for Modbus devices: ${planSentences(options)[0]}`, port);
        }
        this.#show(port, progress);
      },
      refusal: () => (isShared() ? sharedText : null),
    });
    this.#running.set(port, { own, stop, done: searching.catch(() => undefined) });
    try {
      const report = await searching;
      bench.notice(report.end === 'failed' ? 'error' : 'info', `Look for Modbus devices: ${endSentence(report)}`, port);
      return report;
    } finally {
      this.#running.delete(port);
      this.#show(port, null);
    }
  }

  #show(port: PortNumber, progress: SearchProgress | null): void {
    this.#ports = { ...this.#ports, [port]: progress };
    this.#parts.onProgress();
  }
}
