/** One board on the bench, from its connect to its end: its pins, its levels, and the instruments that a person opens on it. */
import {
  adcSample,
  adcUp,
  inputPin,
  type Lab,
  LabError,
  type Macro,
  outputPin,
  type PinSetup,
  pinRule,
  pwmOn,
  readPin,
  readRegisters,
  releasePin,
  spiTransfer,
  spiUp,
  watchPins,
  writeRegister,
} from '@wirebench/lab';
import type { AdcSample, LabTick, OwnedPin, PinLook, PinUse, SpiBus } from '../lab-protocol.ts';
import { hexBytes, hexNumber } from './bus-log.ts';
import { DeviceJobs } from './device-jobs.ts';
import type { InstrumentParts, SessionParts } from './instrument-parts.ts';
import { LabI2c } from './lab-i2c.ts';
import { LabUart } from './lab-uart.ts';
import { PinOwners } from './pin-owners.ts';

/** Milliseconds between two reads of all levels, and between two samples of all analog pins. */
const levelPause = 8;
const samplePause = 20;
/** Milliseconds over which reads are counted. */
const countPeriod = 1_000;
/** Milliseconds until counters are told again while nothing else changes. */
const countPause = 250;

export class LabSession {
  readonly lab: Lab;
  readonly i2c: LabI2c;
  readonly devices: DeviceJobs;
  readonly uart: LabUart;
  readonly #parts: SessionParts;
  readonly #owners = new PinOwners();
  readonly #looks = new Map<number, PinLook>();
  #levels: readonly number[] | null = null;
  #levelReads = 0;
  #countedAt = 0;
  #spi: SpiBus | null = null;
  #samples: AdcSample[] = [];

  constructor(lab: Lab, parts: SessionParts) {
    this.lab = lab;
    this.#parts = parts;
    const instrument: InstrumentParts = {
      ...parts,
      lab,
      owners: this.#owners,
      claim: (pins) => this.#claim(pins),
      look: (gpios) => this.#look(gpios),
      release: (gpios) => this.#release(gpios),
    };
    this.i2c = new LabI2c(instrument);
    this.devices = new DeviceJobs(instrument, this.i2c);
    this.uart = new LabUart(instrument);
  }

  /** Looks at all pins once, then watches their levels until the board is gone. */
  async start(): Promise<void> {
    const { chip } = this.lab;
    await this.#look(chip.pins.map(({ gpio }) => gpio));
    this.#levels = (await this.lab.run(watchPins(chip))).words;
    void this.#repeat(levelPause, () => this.#watch());
    void this.#repeat(samplePause, () => this.#sample());
  }

  tick(): Omit<LabTick, 'step' | 'open' | 'lost'> {
    const samples = this.#samples;
    this.#samples = [];
    return {
      baudRate: this.lab.baudRate,
      levels: this.#levels,
      owned: this.#owners.list,
      looks: [...this.#looks.values()],
      levelReads: this.#levelReads,
      counters: { ...this.lab.counters },
      spi: this.#spi,
      uart: this.uart.bridge,
      samples,
      cycles: this.devices.takeCycles(),
      ...this.i2c.tick(),
    };
  }

  async setPin(gpio: number, use: PinUse): Promise<void> {
    const { chip } = this.lab;
    const owned = ownedOf(gpio, use);
    this.#owners.check(gpio, owned.owner);
    const before = this.#owners.get(gpio)?.use ?? null;
    if (before !== null && before.kind !== use.kind) {
      // Each use leaves something of its own at the pin: a signal that drives it, a pull, an analog pad.
      await this.lab.run(releasePin(chip, gpio));
    }
    await this.lab.run(macroOf(this.lab, gpio, use));
    if (use.kind === 'pwm') {
      // There is one channel, and the pin before has lost it.
      await this.#release(this.#owners.of('pwm').flatMap((pin) => (pin.gpio === gpio ? [] : [pin.gpio])));
    }
    this.#owners.set(owned);
    this.#parts.log.wrote(lineOf(gpio, use));
    if (pinRule(chip, gpio).kind !== 'locked') {
      await this.#look([gpio]);
    }
    this.#parts.onChange();
  }

  async releasePin(gpio: number): Promise<void> {
    this.#owners.check(gpio, 'pin');
    await this.#release([gpio]);
    this.#parts.log.wrote(`GPIO ${gpio} released`);
  }

  async openSpi(bus: SpiBus): Promise<void> {
    const pins = { CLK: bus.clk, MOSI: bus.mosi, MISO: bus.miso, CS: bus.cs };
    const before = this.#owners.of('spi').map(({ gpio }) => gpio);
    const owned = Object.entries(pins).map(([label, gpio]) => ({ gpio, owner: 'spi', label, use: null }) as const);
    for (const { gpio } of owned) {
      this.#owners.check(gpio, 'spi');
    }
    await this.lab.run(spiUp(this.lab.chip, bus));
    await this.#release(before.filter((gpio) => !owned.some((pin) => pin.gpio === gpio)));
    this.#claim(owned);
    this.#spi = bus;
    this.#parts.log.wrote(
      `SPI on CLK ${bus.clk} MOSI ${bus.mosi} MISO ${bus.miso} CS ${bus.cs}, mode ${bus.mode}, ${bus.clock / 1_000} kHz`,
    );
    await this.#look(owned.map(({ gpio }) => gpio));
  }

  async closeSpi(): Promise<void> {
    await this.#release(this.#owners.of('spi').map(({ gpio }) => gpio));
    this.#spi = null;
    this.#parts.log.wrote('SPI closed');
  }

  async exchange(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#spi === null) {
      throw new LabError('refused', { detail: 'SPI is not open.' });
    }
    const { clock, mode } = this.#spi;
    const { finished, bytes: answer } = await this.lab.run(spiTransfer(this.lab.chip, { bytes, clock, mode }));
    if (!finished) {
      throw new Error('The SPI controller did not end the transfer in time.');
    }
    this.#parts.log.read(`SPI ${hexBytes(bytes)} · R ${hexBytes(answer)}`);
    return answer;
  }

  async readWords(addresses: readonly number[]): Promise<readonly number[]> {
    const words = await this.lab.run(readRegisters(this.lab.chip, addresses));
    const [address] = addresses;
    this.#parts.log.read(
      addresses.length === 1 && address !== undefined
        ? `REG ${hexNumber(address, 8)} · ${hexNumber(words[0] ?? 0, 8)}`
        : `REG ${addresses.length} registers read`,
    );
    return words;
  }

  async writeWord(address: number, value: number, mask: number): Promise<number> {
    await this.lab.run(writeRegister(address, value, mask));
    this.#parts.log.wrote(`REG ${hexNumber(address, 8)} = ${hexNumber(value, 8)} mask ${hexNumber(mask, 8)}`);
    const [word = 0] = await this.readWords([address]);
    return word;
  }

  #claim(pins: readonly OwnedPin[]): void {
    for (const { gpio, owner } of pins) {
      this.#owners.check(gpio, owner);
    }
    for (const pin of pins) {
      this.#owners.set(pin);
    }
    this.#parts.onChange();
  }

  async #release(gpios: readonly number[]): Promise<void> {
    for (const gpio of gpios) {
      await this.lab.run(releasePin(this.lab.chip, gpio));
      this.#owners.free(gpio);
    }
    await this.#look(gpios);
  }

  /** Locked pins are not looked at. */
  async #look(gpios: readonly number[]): Promise<void> {
    const { chip } = this.lab;
    const usable = gpios.filter((gpio) => pinRule(chip, gpio).kind !== 'locked');
    await Promise.all(
      usable.map(async (gpio) => {
        this.#looks.set(gpio, lookOf(gpio, await this.lab.run(readPin(chip, gpio))));
      }),
    );
    this.#parts.onChange();
  }

  async #watch(): Promise<void> {
    const { words } = await this.lab.run(watchPins(this.lab.chip), { priority: 'background' });
    const { clock, onChange } = this.#parts;
    this.#levelReads++;
    clock.schedule(countPeriod, () => {
      this.#levelReads--;
    });
    const changed = words.some((word, index) => word !== this.#levels?.[index]);
    if (changed || clock.now() - this.#countedAt >= countPause) {
      this.#levels = words;
      this.#countedAt = clock.now();
      onChange();
    }
  }

  async #sample(): Promise<void> {
    for (const { gpio } of this.#owners.of('adc')) {
      const sample = await this.lab.run(adcSample(this.lab.chip, gpio), { priority: 'background' });
      if (sample !== null) {
        this.#samples.push({ gpio, at: this.#parts.clock.now(), ...sample });
        this.#parts.onChange();
      }
    }
  }

  /** Until the board is gone. What fails once may go well the next time. */
  async #repeat(pause: number, act: () => Promise<void>): Promise<void> {
    const { over } = this.lab;
    while (!over.aborted) {
      try {
        await act();
      } catch (error) {
        if (!(error instanceof LabError)) {
          throw error;
        }
      }
      // Ended early, the board is gone.
      await this.#parts.clock.sleep(pause, over).catch(() => undefined);
    }
  }
}

function ownedOf(gpio: number, use: PinUse): OwnedPin {
  switch (use.kind) {
    case 'input':
      return { gpio, owner: 'pin', label: 'IN', use };
    case 'output':
      return { gpio, owner: 'pin', label: use.openDrain ? 'OD' : 'OUT', use };
    case 'pwm':
      return { gpio, owner: 'pwm', label: 'PWM', use };
    case 'adc':
      return { gpio, owner: 'adc', label: 'ADC', use };
  }
}

function macroOf({ chip }: Lab, gpio: number, use: PinUse): Macro<void> {
  switch (use.kind) {
    case 'input':
      return inputPin(chip, gpio, use.pull);
    case 'output':
      return outputPin(chip, gpio, use);
    case 'pwm':
      return pwmOn(chip, { pin: gpio, frequency: use.frequency, duty: use.duty });
    case 'adc':
      return adcUp(chip, gpio);
  }
}

function lineOf(gpio: number, use: PinUse): string {
  switch (use.kind) {
    case 'input':
      return `IN ${gpio}, ${use.pull === 'none' ? 'no pull' : `pull-${use.pull}`}`;
    case 'output':
      return `${use.openDrain ? 'OD' : 'OUT'} ${gpio} = ${use.high ? 1 : 0}`;
    case 'pwm':
      return `PWM ${gpio}, ${use.frequency} Hz, ${Math.round(use.duty * 1_000) / 10} %`;
    case 'adc':
      return `ADC ${gpio}, raw 12 bit, not calibrated`;
  }
}

function lookOf(gpio: number, { output, openDrain, pull, inputEnabled }: PinSetup): PinLook {
  const direction = output ? (openDrain ? 'both' : 'out') : inputEnabled ? 'in' : 'off';
  return { gpio, direction, pull };
}
