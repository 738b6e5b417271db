/**
 * Carries out lists of I2C transfers for described devices, once or repeatedly. Lists never interleave, because one
 * would fetch a measurement that another has started. Only the page knows the meaning of the bytes, and the page may
 * be hidden or slow.
 */
import { LabError } from '@wirebench/lab';
import { type BusTransfer, type DeviceCycle, deviceLimits, type RepeatedJob } from '../../protocol/bus-transfers.ts';
import type { I2cBus } from '../../protocol/lab-protocol.ts';
import { hexNumber } from '../../shared/format/hex.ts';
import { InOrder } from './in-order.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import type { LabI2c } from './lab-i2c.ts';

/** Number of failed cycles in a row after which a device counts as gone. */
const patience = 3;
/** Maximum number of cycles kept for a page that takes no ticks. The oldest are dropped first. */
const maxWaiting = 1_000;

export class DeviceJobs {
  readonly #parts: InstrumentParts;
  readonly #i2c: LabI2c;
  readonly #repeated = new Map<number, AbortController>();
  readonly #lists = new InOrder();
  #cycles: DeviceCycle[] = [];

  constructor(parts: InstrumentParts, i2c: LabI2c) {
    this.#parts = parts;
    this.#i2c = i2c;
  }

  /** Returns the cycles since the last call, and removes them. */
  takeCycles(): readonly DeviceCycle[] {
    const cycles = this.#cycles;
    this.#cycles = [];
    return cycles;
  }

  /**
   * Returns the bytes that each transfer has read. Stops at the first failure, and if the bus is closed or opened on
   * other pins.
   *
   * @throws LabError `refused` for a list beyond `deviceLimits`.
   */
  transferAll(transfers: readonly BusTransfer[], what?: string): Promise<readonly Uint8Array[]> {
    checkTransfers(transfers);
    const bus = this.#i2c.tick().i2c;
    return this.#lists.run(async () => {
      const answers = await this.#carryOut(transfers, bus, what !== undefined);
      if (what !== undefined) {
        const wasRead = transfers.some(({ read }) => read > 0);
        this.#parts.log[wasRead ? 'read' : 'wrote'](`I2C ${what}`);
      }
      return answers;
    });
  }

  /** Repeats a list. A second job for the same address replaces the first. */
  repeat({ address, transfers, interval }: RepeatedJob): void {
    checkTransfers(transfers);
    if (!(interval >= deviceLimits.shortestInterval && interval <= deviceLimits.longestInterval)) {
      throw refused('This interval is too short or too long.');
    }
    if (this.#i2c.tick().i2c === null) {
      throw refused('The I2C bus is not open.');
    }
    this.endRepeat(address);
    const stopped = new AbortController();
    this.#repeated.set(address, stopped);
    this.#parts.log.read(`I2C ${hexNumber(address)} is read every ${interval} ms; readings are not logged`);
    void this.#repeat({ address, transfers, interval }, stopped);
  }

  endRepeat(address: number): void {
    const stopped = this.#repeated.get(address);
    if (stopped !== undefined) {
      this.#repeated.delete(address);
      stopped.abort();
      this.#parts.log.read(`I2C ${hexNumber(address)} is no longer read`);
    }
  }

  async #repeat({ address, transfers, interval }: RepeatedJob, stopped: AbortController): Promise<void> {
    const { clock, lab } = this.#parts;
    const bus = this.#i2c.tick().i2c;
    const ends = AbortSignal.any([stopped.signal, lab.over]);
    let failures = 0;
    while (!ends.aborted) {
      const begun = clock.now();
      if (this.#i2c.tick().i2c !== bus) {
        this.#end(address, otherBus);
        return;
      }
      // A scan or a search uses the bus alone, so this cycle is skipped.
      if (this.#i2c.tick().i2cWork === null) {
        const failure = await this.#cycle(address, transfers, bus, ends);
        failures = failure === null ? 0 : failures + 1;
        if (failures === patience) {
          this.#end(address, failure ?? '');
          return;
        }
      }
      // An abort of the sleep ends the loop.
      await clock.sleep(Math.max(1, interval - (clock.now() - begun)), ends).catch(() => undefined);
    }
  }

  /** @returns The reason for a failure; null after success, and if the job has ended. */
  async #cycle(
    address: number,
    transfers: readonly BusTransfer[],
    bus: I2cBus | null,
    ends: AbortSignal,
  ): Promise<string | null> {
    let answers: readonly Uint8Array[] | null = null;
    let failure: string | null = null;
    try {
      answers = await this.#lists.run(() => (ends.aborted ? [] : this.#carryOut(transfers, bus, true)));
    } catch (error) {
      failure = textOf(error);
    }
    // Work that begins in the middle of a list takes the bus. This cycle is skipped.
    if (ends.aborted || (failure !== null && this.#i2c.tick().i2cWork !== null)) {
      return null;
    }
    this.#note({ address, at: this.#parts.clock.wallTime(), answers, failure, ended: false });
    return failure;
  }

  #end(address: number, failure: string): void {
    this.#repeated.delete(address);
    this.#parts.log.notice('warning', `I2C ${hexNumber(address)} is no longer read: ${failure}`);
    this.#note({ address, at: this.#parts.clock.wallTime(), answers: null, failure, ended: true });
  }

  #note(cycle: DeviceCycle): void {
    this.#cycles.push(cycle);
    if (this.#cycles.length > maxWaiting) {
      this.#cycles.splice(0, maxWaiting / 2);
    }
    this.#parts.onChange();
  }

  async #carryOut(
    transfers: readonly BusTransfer[],
    bus: I2cBus | null,
    quiet: boolean,
  ): Promise<readonly Uint8Array[]> {
    const { clock, lab } = this.#parts;
    const answers: Uint8Array[] = [];
    for (const { address, write, read, delay } of transfers) {
      if (delay > 0) {
        await clock.sleep(delay / 1_000, lab.over);
      }
      if (this.#i2c.tick().i2c !== bus) {
        // The same address on other pins may be another device.
        throw refused(otherBus);
      }
      answers.push(await this.#i2c.transfer(address, write, read, quiet));
    }
    return answers;
  }
}

/**
 * Checks that a list addresses only devices on the bus, and that it ends in time, because descriptions come from
 * other people.
 */
function checkTransfers(transfers: readonly BusTransfer[]): void {
  const { lowestAddress, highestAddress, transfers: most, delay: longest } = deviceLimits;
  const waits = transfers.reduce((sum, { delay }) => sum + delay, 0);
  const isFine = transfers.every(
    ({ address, delay }) => address >= lowestAddress && address <= highestAddress && delay >= 0,
  );
  if (!isFine || transfers.length > most || !(waits <= longest)) {
    throw refused('This list of transfers reaches beyond what a device may ask for.');
  }
}

const otherBus = 'The bus was closed, or opened on other pins.';

const refused = (detail: string) => new LabError('refused', { detail });

function textOf(error: unknown): string {
  return error instanceof LabError ? (error.detail ?? error.message) : error instanceof Error ? error.message : '';
}
