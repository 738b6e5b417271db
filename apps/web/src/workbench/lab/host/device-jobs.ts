/**
 * What a described device is asked on the I2C bus: a list of transfers once, or again and again. Lists never interleave: a measurement
 * that one has started would be fetched by another. What the bytes mean is known to the page, which may be hidden or slow meanwhile.
 */
import { LabError } from '@wirebench/lab';
import { hexNumber } from '../../../shared/format/hex.ts';
import { type BusTransfer, type DeviceCycle, deviceLimits, type RepeatedJob } from '../bus-transfers.ts';
import type { I2cBus } from '../lab-protocol.ts';
import { InOrder } from './in-order.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import type { LabI2c } from './lab-i2c.ts';

/** A device that says nothing in so many cycles is gone. */
const patience = 3;
/** Cycles that wait for a page which takes no ticks; the oldest go first. */
const mostWaiting = 1_000;

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

  /** Takes what has come since the last time. */
  takeCycles(): readonly DeviceCycle[] {
    const cycles = this.#cycles;
    this.#cycles = [];
    return cycles;
  }

  /**
   * The bytes that each transfer has read. Ends with the first that fails, and with the bus that was open when it was asked for.
   * @throws LabError `refused` for what a device never needs
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

  /** A second job for the same address takes the place of the first. */
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
      // A scan or a search has the bus for itself.
      if (this.#i2c.tick().i2cWork === null) {
        const failure = await this.#cycle(address, transfers, bus, ends);
        failures = failure === null ? 0 : failures + 1;
        if (failures === patience) {
          this.#end(address, failure ?? '');
          return;
        }
      }
      // Ended early, nobody wants the next.
      await clock.sleep(Math.max(1, interval - (clock.now() - begun)), ends).catch(() => undefined);
    }
  }

  /** @returns why it failed; null when it did not, or nobody wants to know any more */
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
    // What begins in the middle of a list has the bus then: the list is skipped.
    if (ends.aborted || (failure !== null && this.#i2c.tick().i2cWork !== null)) {
      return null;
    }
    this.#note({ address, at: this.#parts.clock.now(), answers, failure, ended: false });
    return failure;
  }

  #end(address: number, failure: string): void {
    this.#repeated.delete(address);
    this.#parts.log.notice('warning', `I2C ${hexNumber(address)} is no longer read: ${failure}`);
    this.#note({ address, at: this.#parts.clock.now(), answers: null, failure, ended: true });
  }

  #note(cycle: DeviceCycle): void {
    this.#cycles.push(cycle);
    if (this.#cycles.length > mostWaiting) {
      this.#cycles.splice(0, mostWaiting / 2);
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
        // Another device may stand at this address there.
        throw refused(otherBus);
      }
      answers.push(await this.#i2c.transfer(address, write, read, quiet));
    }
    return answers;
  }
}

/** Whoever wrote the description: nothing else than a device on the bus is spoken to, and it ends. */
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
