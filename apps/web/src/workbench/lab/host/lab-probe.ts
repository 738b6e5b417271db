/**
 * The program in the chip's RAM: loading it, and what it does instead of the boot ROM's registers once it runs. Who asks for a scan, a
 * transfer or an exchange need not know who answers.
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
import type { I2cBus, ProgramTick, SpiBus } from '../lab-protocol.ts';
import { InOrder } from './in-order.ts';
import type { SessionParts } from './session-parts.ts';

/** Microseconds without progress after which a transfer is given up: devices hold the clock for less. */
const stretchLimit = 20_000;
/** Microseconds for an exchange on SPI: 64 bytes at 40 kHz take 13 ms. */
const spiLimit = 50_000;
/** Addresses of a scan. */
const scanned = 112;

/** Makes the next transfer that is meant. */
interface TransferInstead {
  readonly isMeant: (transfer: I2cTransfer) => boolean;
  readonly make: (bus: I2cBus, transfer: I2cTransfer) => Promise<I2cResult>;
}

export class LabProbe {
  readonly #lab: Lab;
  readonly #parts: SessionParts;
  #probe: Probe | null = null;
  #loading: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null;
  /** One that is captured has three parts, and nothing may come in between. */
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

  /** Once; whoever asks while it loads waits for the same. @throws ProbeError, LabError. */
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

  /** Ends loading. */
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
      // The controller may be busy still, and at which address it got stuck is told by asking one by one.
      await this.#lab.run(i2cUp(this.#lab.chip, bus));
      return scan(this.#lab, options);
    }
  }

  transfer(bus: I2cBus, transfer: I2cTransfer): Promise<I2cResult> {
    // Taken now: one that is asked for later is not the next one.
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

  /** Null: all transfers are made as always. */
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
      // A board that is gone says so by itself.
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

  /** After a failure it is asked who answers: the program may run already, or be running after all. */
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

/** The controller may be busy still, and has to be set up again. */
function isBusFault(error: unknown): boolean {
  return error instanceof ProbeError && (error.code === 'i2c-time-out' || error.code === 'i2c-arbitration-lost');
}
