/**
 * The I2C bus of a board: opens it, scans it, searches the pins for it, makes transfers, and frees a stuck bus. One
 * operation runs at a time, and others are refused with a sentence about the running one.
 */
import {
  busCandidates,
  findBuses,
  type I2cAnswer,
  i2cRecover,
  i2cUp,
  isHigh,
  LabError,
  watchPins,
} from '@wirebench/lab';
import type { HaltedBus, I2cBus, I2cPair, I2cWork, LabTick, OwnedPin } from '../../protocol/lab-protocol.ts';
import { hexBytes, hexNumber } from '../../shared/format/hex.ts';
import type { InstrumentParts } from './instrument-parts.ts';

export class LabI2c {
  readonly #parts: InstrumentParts;
  #bus: I2cBus | null = null;
  #scan: LabTick['scan'] = null;
  #halted: HaltedBus | null = null;
  #found: readonly number[] = [];
  #pairs: readonly I2cPair[] | null = null;
  #work: I2cWork | null = null;
  /** Resolves when the current work has ended. */
  #worked: Promise<void> = Promise.resolve();
  readonly #transfers = new Set<Promise<void>>();
  #search: AbortController | null = null;

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
  }

  tick(): Pick<LabTick, 'i2c' | 'scan' | 'i2cWork' | 'pairs' | 'halted' | 'found'> {
    return {
      i2c: this.#bus,
      scan: this.#scan,
      i2cWork: this.#work,
      pairs: this.#pairs,
      halted: this.#halted,
      found: this.#found,
    };
  }

  /** Cancels a search for the bus. */
  cancel(): void {
    this.#search?.abort();
  }

  open(bus: I2cBus): Promise<void> {
    return this.#alone('opening', async () => {
      const { lab, owners, look, release, log } = this.#parts;
      const before = owners.of('i2c').map(({ gpio }) => gpio);
      const giveBack = owners.take([pinOf(bus.sda, 'SDA'), pinOf(bus.scl, 'SCL')]);
      try {
        await lab.run(i2cUp(lab.chip, bus));
      } catch (error) {
        giveBack();
        throw error;
      }
      await release(before.filter((gpio) => gpio !== bus.sda && gpio !== bus.scl));
      this.#bus = bus;
      this.#forget();
      this.#pairs = null;
      log.wrote(`I2C0 on SDA ${bus.sda} SCL ${bus.scl}, ${bus.clock / 1_000} kHz, pull-ups on`);
      await look([bus.sda, bus.scl]);
    });
  }

  close(): Promise<void> {
    return this.#alone('closing', () => this.#close());
  }

  /** Asks all addresses, and returns those that answer. The page identifies the devices. */
  scan(): Promise<readonly number[]> {
    const bus = this.#open();
    return this.#alone('scanning', async () => {
      this.#forget();
      this.#scan = { running: true, asked: 0 };
      try {
        return await this.#scanAll(bus);
      } catch (error) {
        // The remaining addresses were not asked, so the scan has no result.
        this.#scan = null;
        throw error;
      } finally {
        this.#scan &&= { running: false, asked: this.#scan.asked };
      }
    });
  }

  /** @param quiet Omits success and missing acknowledges from the log, because repeated reads would fill it. */
  async transfer(address: number, write: Uint8Array, read: number, quiet = false): Promise<Uint8Array> {
    const { probe, log, onChange } = this.#parts;
    const bus = this.#open();
    this.#mustBeFree();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#transfers.add(promise);
    try {
      const { answer, read: bytes } = await probe.transfer(bus, { address, write, read, clock: bus.clock });
      if ((answer === 'present' || answer === 'absent') && this.#halted !== null) {
        this.#halted = null;
        onChange();
      }
      const sent = `I2C ${hexNumber(address)}${write.length === 0 ? '' : ` W ${hexBytes(write)}`}`;
      if (answer !== 'present') {
        if (!quiet) {
          log.read(`${sent} · ${outcomes[answer]}`);
        }
        if (answer !== 'absent') {
          await this.#sayHalted();
        }
        throw new Error(`${hexNumber(address)}: ${outcomes[answer]}.`);
      }
      if (quiet) {
        return bytes;
      }
      if (read === 0) {
        log.wrote(sent);
      } else {
        log.read(`${sent} · R ${hexBytes(bytes)}`);
      }
      return bytes;
    } finally {
      this.#transfers.delete(promise);
      resolve();
    }
  }

  recover(): Promise<boolean> {
    const bus = this.#open();
    return this.#alone('recovering', async () => {
      const { lab, log } = this.#parts;
      const { sda, scl } = await lab.run(i2cRecover(lab.chip, bus));
      await lab.run(i2cUp(lab.chip, bus));
      log.read(`I2C recovery: nine clocks and a stop, SDA ${sda ? 'high' : 'low'}, SCL ${scl ? 'high' : 'low'}`);
      this.#halted = sda && scl ? null : { sda, scl, recovered: true };
      return sda && scl;
    });
  }

  /**
   * Searches the free pins for buses. Pins in use are left alone, the others are reserved during the search, and an
   * open bus is closed first.
   */
  findBuses(): Promise<readonly I2cPair[]> {
    return this.#alone('searching', async () => {
      const { lab, owners, look, log } = this.#parts;
      const search = new AbortController();
      this.#search = search;
      this.#pairs = null;
      if (this.#bus !== null) {
        await this.#close();
      }
      const pins = busCandidates(lab.chip).filter((gpio) => owners.get(gpio) === undefined);
      const giveBack = owners.take(pins.map((gpio) => pinOf(gpio, 'I2C?')));
      try {
        const { pulledUp, buses } = await findBuses(lab, { pins, signal: search.signal });
        log.read(
          `I2C search: ${pulledUp.length === 0 ? 'no pull-ups on free pins' : `pull-ups on ${pulledUp.join(', ')}`}${buses
            .map(({ sda, scl, addresses }) => `; SDA ${sda} SCL ${scl}: ${hexBytes(addresses)}`)
            .join('')}`,
        );
        this.#pairs = buses;
        return buses;
      } finally {
        giveBack();
        this.#search = null;
        // Also shows pins that keep the settings of the search because their release has failed.
        await look(pins);
      }
    });
  }

  async #close(): Promise<void> {
    const { owners, release, log } = this.#parts;
    this.#bus = null;
    this.#forget();
    await release(owners.of('i2c').map(({ gpio }) => gpio));
    log.wrote('I2C closed');
  }

  async #scanAll(bus: I2cBus): Promise<readonly number[]> {
    const { probe, clock, log, onChange } = this.#parts;
    const begun = clock.now();
    const { found, stuckAt } = await probe.scan(bus, {
      clock: bus.clock,
      onFound: (address) => {
        this.#found = [...this.#found, address];
        onChange();
      },
      onProgress: (asked) => {
        this.#scan = { running: true, asked };
        onChange();
      },
    });
    const took = ((clock.now() - begun) / 1_000).toFixed(2);
    log.read(
      stuckAt === null
        ? `I2C scan 08-77: ${found.length === 0 ? 'nobody answers' : `${hexBytes(found)} answer`}  ${took} s`
        : `I2C scan: ended at ${hexNumber(stuckAt)}, neither an acknowledge nor its absence was seen`,
    );
    if (stuckAt !== null) {
      await this.#sayHalted();
    }
    return this.#found;
  }

  /**
   * Reads and logs the levels of both lines. The controller alone cannot distinguish a line held low from a slow bus
   * or another master.
   */
  async #sayHalted(): Promise<void> {
    const { lab, log, onChange } = this.#parts;
    const bus = this.#open();
    const levels = await lab.run(watchPins(lab.chip));
    const halted = {
      sda: isHigh(lab.chip, levels, bus.sda),
      scl: isHigh(lab.chip, levels, bus.scl),
      recovered: false,
    };
    this.#halted = halted;
    log.notice('warning', `I2C: the controller got no further, ${linesText(halted)}`);
    onChange();
  }

  /**
   * Runs work that needs the bus alone, after the pending transfers. Opening waits for an earlier opening, because a
   * user may go through a list of pins.
   *
   * @throws LabError `refused` during other work on the bus.
   */
  async #alone<Result>(work: I2cWork, act: () => Promise<Result>): Promise<Result> {
    while (work === 'opening' && this.#work === 'opening') {
      await this.#worked;
    }
    this.#mustBeFree();
    const { onChange } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#work = work;
    this.#worked = promise;
    onChange();
    try {
      // Pending transfers end soon, and no new one begins.
      await Promise.all(this.#transfers);
      return await act();
    } finally {
      this.#work = null;
      resolve();
      onChange();
    }
  }

  #mustBeFree(): void {
    if (this.#work !== null) {
      throw new LabError('refused', { detail: `${workText[this.#work]} Try again when that has ended.` });
    }
  }

  #open(): I2cBus {
    if (this.#bus === null) {
      this.#mustBeFree();
      throw new LabError('refused', { detail: 'The I2C bus is not open.' });
    }
    return this.#bus;
  }

  #forget(): void {
    this.#scan = null;
    this.#halted = null;
    this.#found = [];
  }
}

const pinOf = (gpio: number, label: string): OwnedPin => ({ gpio, owner: 'i2c', label, use: null });

function linesText({ sda, scl }: HaltedBus): string {
  if (sda && scl) {
    return 'though SDA and SCL are high now';
  }
  return sda ? 'SCL is low' : scl ? 'SDA is low' : 'SDA and SCL are low';
}

const workText = {
  opening: 'The I2C bus is being opened.',
  closing: 'The I2C bus is being closed.',
  searching: 'The bench is searching the pins for I2C.',
  scanning: 'The I2C bus is being scanned.',
  recovering: 'The I2C bus is being recovered.',
} satisfies Record<I2cWork, string>;

const outcomes = {
  present: 'acknowledged',
  absent: 'no acknowledge',
  stuck: 'the controller ran out of time or lost the bus',
  unfinished: 'no end in time; the device may have received it',
} satisfies Record<I2cAnswer, string>;
