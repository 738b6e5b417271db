/** The I2C bus of a board: opening it, looking for devices and for the bus itself, transfers, and freeing a bus that hangs. */
import {
  busCandidates,
  findBuses,
  type I2cAnswer,
  i2cRecover,
  i2cTransfer,
  i2cUp,
  LabError,
  scan,
} from '@wirebench/lab';
import type { I2cBus, I2cPair, LabTick, OwnedPin } from '../lab-protocol.ts';
import { hexBytes, hexNumber } from './bus-log.ts';
import type { InstrumentParts } from './instrument-parts.ts';

export class LabI2c {
  readonly #parts: InstrumentParts;
  #bus: I2cBus | null = null;
  #scan: LabTick['scan'] = null;
  #stuck = false;
  #found: readonly number[] = [];
  #search: AbortController | null = null;

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
  }

  tick(): Pick<LabTick, 'i2c' | 'scan' | 'stuck' | 'found'> {
    return { i2c: this.#bus, scan: this.#scan, stuck: this.#stuck, found: this.#found };
  }

  /** Ends a search for the bus. */
  cancel(): void {
    this.#search?.abort();
  }

  async open(bus: I2cBus): Promise<void> {
    const { lab, owners, claim, look, release, log } = this.#parts;
    const before = owners.of('i2c').map(({ gpio }) => gpio);
    const pins: readonly OwnedPin[] = [
      { gpio: bus.sda, owner: 'i2c', label: 'SDA', use: null },
      { gpio: bus.scl, owner: 'i2c', label: 'SCL', use: null },
    ];
    for (const { gpio } of pins) {
      owners.check(gpio, 'i2c');
    }
    await lab.run(i2cUp(lab.chip, bus));
    await release(before.filter((gpio) => gpio !== bus.sda && gpio !== bus.scl));
    claim(pins);
    this.#bus = bus;
    this.#forget();
    log.wrote(`I2C0 on SDA ${bus.sda} SCL ${bus.scl}, ${bus.clock / 1_000} kHz, pull-ups on`);
    await look([bus.sda, bus.scl]);
  }

  async close(): Promise<void> {
    const { owners, release, log } = this.#parts;
    this.#bus = null;
    this.#forget();
    await release(owners.of('i2c').map(({ gpio }) => gpio));
    log.wrote('I2C closed');
  }

  /** Asks all addresses. What stands at those that answer is for somebody else to find out. */
  async scan(): Promise<readonly number[]> {
    const { lab, clock, log, onChange } = this.#parts;
    const { clock: hertz } = this.#open();
    const begun = clock.now();
    this.#forget();
    this.#scan = { running: true, asked: 0 };
    try {
      const { found, stuckAt } = await scan(lab, {
        clock: hertz,
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
          : `I2C scan: the bus is stuck at ${hexNumber(stuckAt)}`,
      );
      if (stuckAt !== null) {
        this.#sayStuck();
      }
      return this.#found;
    } catch (error) {
      // Of the addresses that were not asked nothing is known.
      this.#scan = null;
      throw error;
    } finally {
      this.#scan &&= { running: false, asked: this.#scan.asked };
      onChange();
    }
  }

  /** @param quiet leaves out of the log what goes well or is not acknowledged: what is read again and again would fill it */
  async transfer(address: number, write: Uint8Array, read: number, quiet = false): Promise<Uint8Array> {
    const { lab, log } = this.#parts;
    const { clock } = this.#open();
    const { answer, read: bytes } = await lab.run(i2cTransfer(lab.chip, { address, write, read, clock }));
    const sent = `I2C ${hexNumber(address)}${write.length === 0 ? '' : ` W ${hexBytes(write)}`}`;
    if (answer !== 'present') {
      if (!quiet) {
        log.read(`${sent} · ${outcomes[answer]}`);
      }
      if (answer === 'stuck') {
        this.#sayStuck();
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
  }

  async recover(): Promise<boolean> {
    const { lab, log, onChange } = this.#parts;
    const bus = this.#open();
    const { sda, scl } = await lab.run(i2cRecover(lab.chip, bus));
    await lab.run(i2cUp(lab.chip, bus));
    log.read(`I2C recovery: nine clocks and a stop, SDA ${sda ? 'high' : 'low'}, SCL ${scl ? 'high' : 'low'}`);
    this.#stuck = !(sda && scl);
    onChange();
    return sda && scl;
  }

  /** Pins that somebody uses are left alone; an open bus is closed for it. */
  async findBuses(): Promise<readonly I2cPair[]> {
    const { lab, owners, log } = this.#parts;
    if (this.#bus !== null) {
      await this.close();
    }
    this.#search = new AbortController();
    const pins = busCandidates(lab.chip).filter((gpio) => owners.get(gpio) === undefined);
    const { pulledUp, buses } = await findBuses(lab, { pins, signal: this.#search.signal });
    log.read(
      `I2C search: ${pulledUp.length === 0 ? 'no pull-ups on free pins' : `pull-ups on ${pulledUp.join(', ')}`}${buses
        .map(({ sda, scl, addresses }) => `; SDA ${sda} SCL ${scl}: ${hexBytes(addresses)}`)
        .join('')}`,
    );
    return buses;
  }

  #sayStuck(): void {
    this.#stuck = true;
    this.#parts.log.notice('warning', 'I2C: SDA or SCL stays low, the bus is stuck');
    this.#parts.onChange();
  }

  #open(): I2cBus {
    if (this.#bus === null) {
      throw new LabError('refused', { detail: 'The I2C bus is not open.' });
    }
    return this.#bus;
  }

  #forget(): void {
    this.#scan = null;
    this.#stuck = false;
    this.#found = [];
  }
}

const outcomes = {
  present: 'acknowledged',
  absent: 'no acknowledge',
  stuck: 'the bus is stuck',
  unfinished: 'no answer in time',
} satisfies Record<I2cAnswer, string>;
