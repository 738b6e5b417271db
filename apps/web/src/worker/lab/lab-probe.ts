/**
 * The program in the chip's RAM: loads it, and uses it instead of the boot ROM's registers once it runs. Callers of a
 * scan, a transfer or an exchange need not know which of the two answers.
 */
import {
  type I2cResult,
  type I2cScan,
  type I2cScanReport,
  type I2cTransfer,
  i2cTransfer,
  i2cUp,
  type Lab,
  LabError,
  scan,
  spiReady,
  spiTransfer,
} from '@wirebench/lab';
import { findProbe, type Probe, ProbeError, startProbe } from '@wirebench/lab/probe';
import type { I2cBus, ProgramTick, SpiBus } from '../../protocol/lab-protocol.ts';
import { InOrder } from './in-order.ts';
import type { SessionParts } from './session-parts.ts';

/** Microseconds without progress after which a transfer is aborted. Devices stretch the clock for less. */
const stretchLimit = 20_000;
/** Limit for an exchange on SPI, in microseconds: 64 bytes at 40 kHz take 13 ms. */
const spiLimit = 50_000;
/** Number of addresses in a scan. */
const scanned = 112;

/** Makes the next matching transfer in place of the usual code. */
interface TransferInstead {
  readonly isMeant: (transfer: I2cTransfer) => boolean;
  readonly make: (bus: I2cBus, transfer: I2cTransfer) => Promise<I2cResult>;
}

export class LabProbe {
  readonly #lab: Lab;
  readonly #parts: SessionParts;
  #probe: Probe | null = null;
  #loading: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null;
  /** A captured transfer has three parts, and no other transfer may come between them. */
  readonly #transfers = new InOrder();
  #instead: TransferInstead | null = null;

  constructor(lab: Lab, parts: SessionParts) {
    this.#lab = lab;
    this.#parts = parts;
  }

  /** Null: the boot ROM answers. */
  get running(): Probe | null {
    return this.#probe;
  }

  tick(): Pick<ProgramTick, 'program' | 'loading'> {
    const { version, processorClock, longestCapture } = this.#probe?.capabilities ?? {};
    return {
      program:
        version === undefined || processorClock === undefined || longestCapture === undefined
          ? null
          : { version, processorClock, longestCapture },
      loading: this.#loading !== null,
    };
  }

  /**
   * Loads the program once. Calls during the loading wait for it.
   * @throws ProbeError, LabError
   */
  load(): Promise<void> {
    if (this.#probe !== null) {
      return Promise.resolve();
    }
    if (this.#loading === null) {
      const abort = new AbortController();
      const ended = this.#load(abort.signal).finally(() => {
        this.#loading = null;
        this.#parts.onChange();
      });
      this.#loading = { abort, ended };
      this.#parts.onChange();
    }
    return this.#loading.ended;
  }

  /** Cancels loading. */
  cancel(): void {
    this.#loading?.abort.abort();
  }

  async scan(bus: I2cBus, options: I2cScan): Promise<I2cScanReport> {
    const probe = this.#probe;
    if (probe === null) {
      return scan(this.#lab, options);
    }
    try {
      const found = await probe.i2cScan(stretchLimit);
      for (const address of found) {
        options.onFound?.(address);
      }
      options.onProgress?.(scanned, scanned);
      return { found, stuckAt: null };
    } catch (error) {
      if (!isBusFault(error)) {
        throw error;
      }
      // The controller may still be busy. A scan of single addresses finds the one at which it got stuck.
      await this.#lab.run(i2cUp(this.#lab.chip, bus));
      return scan(this.#lab, options);
    }
  }

  transfer(bus: I2cBus, transfer: I2cTransfer): Promise<I2cResult> {
    // Decided now, because a transfer that is requested later is not the next one.
    const instead = this.#instead?.isMeant(transfer) ? this.#instead : null;
    if (instead !== null) {
      this.#instead = null;
    }
    return this.#transfers.run(() => instead?.make(bus, transfer) ?? this.#transfer(bus, transfer));
  }

  async #transfer(bus: I2cBus, transfer: I2cTransfer): Promise<I2cResult> {
    const { chip } = this.#lab;
    const probe = this.#probe;
    if (probe === null) {
      return this.#lab.run(i2cTransfer(chip, transfer));
    }
    const { address, write, read } = transfer;
    try {
      return { answer: 'present', read: await probe.i2cTransfer({ address, write, read, stretchLimit }) };
    } catch (error) {
      if (error instanceof ProbeError && error.code === 'i2c-no-acknowledge') {
        return { answer: 'absent', read: new Uint8Array() };
      }
      if (!isBusFault(error)) {
        throw error;
      }
      await this.#lab.run(i2cUp(chip, bus));
      return { answer: 'stuck', read: new Uint8Array() };
    }
  }

  /** Replaces the code for the next matching transfer. Null: all transfers are made as usual. */
  transferBy(instead: TransferInstead | null): void {
    this.#instead = instead;
  }

  async exchange({ clock, mode }: SpiBus, bytes: Uint8Array): Promise<Uint8Array> {
    const probe = this.#probe;
    if (probe !== null) {
      await this.#lab.run(spiReady(this.#lab.chip, { clock, mode }));
      return probe.spiTransfer(bytes, spiLimit);
    }
    const { finished, bytes: answer } = await this.#lab.run(spiTransfer(this.#lab.chip, { bytes, clock, mode }));
    if (!finished) {
      throw new Error('The SPI controller did not end the transfer in time.');
    }
    return answer;
  }

  async #load(signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    try {
      this.#probe = await this.#startOrFind(signal);
    } catch (error) {
      // The loss of a board is reported elsewhere.
      if (!(error instanceof LabError)) {
        log.notice('error', error instanceof Error ? error.message : String(error));
      }
      throw error;
    }
    const { version, processorClock } = this.#probe.capabilities;
    log.notice(
      'success',
      this.#lab.runsProbe
        ? `The bench program's own operations are used, version ${version}, processor at ${processorClock / 1e6} MHz. Nothing was loaded`
        : `The program in RAM runs, version ${version}, processor at ${processorClock / 1e6} MHz. Flash was not touched, and a reset ends it`,
    );
  }

  /**
   * Starts the program. After a failure it asks the chip whether the program runs, because it may have started all
   * the same.
   */
  async #startOrFind(signal: AbortSignal): Promise<Probe> {
    try {
      return await startProbe(this.#lab, signal);
    } catch (error) {
      this.#lab.over.throwIfAborted();
      if (
        !(error instanceof ProbeError || signal.aborted) ||
        (error instanceof ProbeError && error.code === 'other-version')
      ) {
        throw error;
      }
      const found = await findProbe(this.#lab);
      if (found !== null) {
        return found;
      }
      throw signal.aborted ? new LabError('cancelled', { cause: error }) : error;
    }
  }
}

/** Returns true if the controller may still be busy and must be set up again. */
function isBusFault(error: unknown): boolean {
  return error instanceof ProbeError && (error.code === 'i2c-time-out' || error.code === 'i2c-arbitration-lost');
}
