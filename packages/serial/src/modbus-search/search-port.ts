/**
 * Looks for Modbus devices on a port of a bench: it has the port to itself, what passes is in the log, and the port has
 * its own settings again after any outcome.
 */
import type { Clock } from '@wirebench/clock';
import type { PortSettings } from '@wirebench/port';
import type { Bench } from '../bench.ts';
import type { PortNumber } from '../port-number.ts';
import type { PortHold } from '../port-session.ts';
import type { ModbusSearchReport } from './findings.ts';
import type { OpenLine } from './line-questions.ts';
import { type SearchProgress, searchModbus } from './modbus-search.ts';
import type { ModbusSearchOptions } from './search-plan.ts';

type SearchedBench = Pick<Bench, 'status' | 'device' | 'connect' | 'disconnect' | 'reopenWith' | 'jobs'>;

export interface PortSearch {
  readonly bench: SearchedBench;
  readonly clock: Clock;
  readonly port: PortNumber;
  readonly options: ModbusSearchOptions;
  /** Stops the search. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SearchProgress) => void;
  /** Returns a sentence while nothing must be sent, for instance because the port is shared; null: it may. */
  readonly refusal?: () => string | null;
}

const nothing = new Uint8Array();

/**
 * Searches the open port.
 *
 * @throws SessionError if the port is not connected, is on a remote host, or is in use. Nothing was sent then.
 * @throws Error with the sentence of `refusal`.
 * @throws RangeError for options out of range.
 */
export async function searchModbusPort(search: PortSearch): Promise<ModbusSearchReport> {
  const refused = search.refusal?.() ?? null;
  if (refused !== null) {
    throw new Error(refused);
  }
  return new SearchedPort(search).run();
}

class SearchedPort {
  readonly #search: PortSearch;
  readonly #lost = new AbortController();
  #received: (bytes: Uint8Array) => void = () => undefined;
  #hold: PortHold;
  /** Settings with which the port was opened by its user, and those with which it is open now. */
  readonly #own: PortSettings | null;
  #now: PortSettings | null;
  #device: SerialPort | null;
  /** True: the port is being opened with other settings, so that its end is no loss. */
  #isChanging = false;

  constructor(search: PortSearch) {
    const { bench, port } = search;
    this.#search = search;
    this.#hold = this.#take();
    const { settings } = bench.status().ports[port];
    this.#own = settings;
    this.#now = settings;
    this.#device = bench.device(port);
  }

  async run(): Promise<ModbusSearchReport> {
    const { clock, port, options, signal, onProgress } = this.#search;
    let report: ModbusSearchReport;
    try {
      report = await searchModbus(
        {
          clock,
          signal: AbortSignal.any([signal, this.#lost.signal]),
          open: (settings, received) => this.#open(settings, received),
          ...(onProgress !== undefined && { onProgress }),
        },
        options,
      );
    } catch (error) {
      await this.#restore();
      throw error;
    }
    const isLost = this.#lost.signal.aborted && !signal.aborted;
    const failure = await this.#restore();
    if (failure !== null) {
      return { ...report, end: 'failed', failure };
    }
    return isLost ? { ...report, end: 'failed', failure: `Port ${port} was closed or unplugged.` } : report;
  }

  async #open(settings: PortSettings, received: (bytes: Uint8Array) => void): Promise<OpenLine> {
    if (!isSame(settings, this.#now)) {
      await this.#change(settings);
    }
    this.#received = received;
    const { bench, port, refusal } = this.#search;
    return {
      send: async (bytes) => {
        const refused = refusal?.() ?? null;
        if (refused !== null) {
          throw new Error(refused);
        }
        await this.#hold.sendShown(bytes);
      },
      faults: () => Object.values(bench.status().ports[port].errors).reduce((sum, count) => sum + count, 0),
    };
  }

  /** Opens the port with other settings. */
  async #change(settings: PortSettings): Promise<void> {
    const { bench, port } = this.#search;
    const device = this.#device;
    if (device === null) {
      throw new Error(`Port ${port} has no device.`);
    }
    this.#isChanging = true;
    try {
      this.#hold.release(nothing);
      this.#now = settings;
      await bench.disconnect(port);
      await bench.connect(port, device, settings);
      this.#hold = this.#take();
    } finally {
      this.#isChanging = false;
    }
  }

  #take(): PortHold {
    const { bench, port } = this.#search;
    const hold = bench.jobs.holdForTransfer(
      port,
      (bytes) => {
        hold.pass(bytes);
        this.#received(bytes);
      },
      'modbus-search',
    );
    const onOver = () => {
      if (!this.#isChanging) {
        this.#lost.abort();
      }
    };
    hold.over.addEventListener('abort', onOver, { once: true });
    return hold;
  }

  /** Gives the port back with its own settings. Returns a sentence if they could not be restored. */
  async #restore(): Promise<string | null> {
    const { bench, port } = this.#search;
    const own = this.#own;
    this.#received = () => undefined;
    this.#isChanging = true;
    this.#hold.release(nothing);
    if (own === null || isSame(own, this.#now)) {
      return null;
    }
    bench.reopenWith(port, own);
    const { state } = bench.status().ports[port];
    const isOpen = state === 'connected';
    // An opening that failed left the port closed. A person who closes it does not want it open again.
    if (this.#device === null || !(isOpen || (state === 'disconnected' && !this.#lost.signal.aborted))) {
      return null;
    }
    try {
      if (isOpen) {
        await bench.disconnect(port);
      }
      await bench.connect(port, this.#device, own);
      return null;
    } catch (error) {
      return `Port ${port} could not be opened again with its own settings. ${(error as Error).message}`;
    }
  }
}

function isSame(one: PortSettings, other: PortSettings | null): boolean {
  return (
    other !== null &&
    one.baudRate === other.baudRate &&
    one.parity === other.parity &&
    one.stopBits === other.stopBits &&
    one.dataBits === other.dataBits
  );
}
