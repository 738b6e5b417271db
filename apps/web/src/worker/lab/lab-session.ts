/** One board on the bench, from its connect to its end: its pins, their levels, and the open instruments. */
import {
  adcUp,
  inputPin,
  type Lab,
  LabError,
  type Macro,
  outputPin,
  type PinSetup,
  pinRule,
  pinsMovedBy,
  pwmOn,
  type RunOptions,
  readPin,
  readRegisters,
  releasePin,
  spiUp,
  watchPins,
  writeRegister,
} from '@wirebench/lab';
import type { LevelsReport, Probe } from '@wirebench/lab/probe';
import type { OwnedPin, PinLook, PinUse, SessionTick, SpiBus } from '../../protocol/lab-protocol.ts';
import { hexBytes, hexNumber } from '../../shared/format/hex.ts';
import { DeviceJobs } from './device-jobs.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import { LabAdc } from './lab-adc.ts';
import { LabCapturing } from './lab-capture.ts';
import { LabCounter } from './lab-counter.ts';
import { LabI2c } from './lab-i2c.ts';
import { LabProbe } from './lab-probe.ts';
import { LabUart } from './lab-uart.ts';
import { PinOwners } from './pin-owners.ts';
import { repeat } from './repeat.ts';
import type { SessionParts } from './session-parts.ts';

/** Time between two reads of all levels, in milliseconds. */
const levelPause = 8;
/** Time between two checks of the program in RAM, in milliseconds. */
const alivePause = 1_000;
/** Period over which reads are counted, in milliseconds. */
const countPeriod = 1_000;
/** Time after which counters are reported although no level has changed, in milliseconds. */
const countPause = 250;

export class LabSession {
  readonly lab: Lab;
  readonly i2c: LabI2c;
  readonly devices: DeviceJobs;
  readonly uart: LabUart;
  readonly counter: LabCounter;
  readonly probe: LabProbe;
  readonly capturing: LabCapturing;
  readonly #adc: LabAdc;
  readonly #parts: SessionParts;
  readonly #owners = new PinOwners();
  readonly #looks = new Map<number, PinLook>();
  #levels: readonly number[] | null = null;
  #levelReads = 0;
  #countedAt = 0;
  #spi: SpiBus | null = null;

  constructor(lab: Lab, parts: SessionParts) {
    this.lab = lab;
    this.#parts = parts;
    this.probe = new LabProbe(lab, parts);
    const instrument: InstrumentParts = {
      ...parts,
      lab,
      probe: this.probe,
      owners: this.#owners,
      claim: (pins) => this.#claim(pins),
      look: async (gpios) => {
        await this.#look(gpios);
      },
      release: (gpios) => this.#release(gpios),
    };
    this.i2c = new LabI2c(instrument);
    this.devices = new DeviceJobs(instrument, this.i2c);
    this.uart = new LabUart(instrument);
    this.counter = new LabCounter(instrument);
    this.capturing = new LabCapturing(instrument);
    this.#adc = new LabAdc(instrument);
  }

  /**
   * Reads all pins once, then watches their levels until the board is gone. Pins that are outputs already are listed
   * as if the user had set them.
   *
   * @returns GPIO numbers of those outputs. A reset leaves no outputs.
   * @throws LabError `cancelled` by the signal; the caller must then leave the board.
   */
  async start(signal: AbortSignal): Promise<readonly number[]> {
    const { chip } = this.lab;
    const setups = await this.#look(
      chip.pins.map(({ gpio }) => gpio),
      { signal },
    );
    const driven = [...setups].filter(([, { output }]) => output);
    for (const [gpio, setup] of driven) {
      this.#owners.set(ownedAs(gpio, setup));
    }
    this.#levels = (await this.lab.run(watchPins(chip), { signal })).words;
    const { clock } = this.#parts;
    const untilGone = { clock, signal: this.lab.over };
    void repeat(() => this.#watch(), { ...untilGone, pause: levelPause, faultPause: levelPause });
    void repeat(() => this.#askProgram(), { ...untilGone, pause: alivePause, faultPause: alivePause });
    void this.#adc.run();
    return driven.map(([gpio]) => gpio);
  }

  /** Ends loading and captures, which occupy the link. */
  endWaiting(): void {
    this.probe.cancel();
    this.capturing.cancel();
  }

  tick(): SessionTick {
    return {
      baudRate: this.lab.baudRate,
      levels: this.#levels,
      owned: this.#owners.list,
      looks: [...this.#looks.values()],
      levelReads: this.#levelReads,
      counters: { ...this.lab.counters },
      spi: this.#spi,
      uart: this.uart.bridge,
      counter: this.counter.tick(),
      samples: this.#adc.take(),
      uartLosses: this.uart.losses,
      capturing: this.capturing.state,
      ...this.probe.tick(),
      cycles: this.devices.takeCycles(),
      ...this.i2c.tick(),
    };
  }

  async setPin(gpio: number, use: PinUse): Promise<void> {
    const { chip } = this.lab;
    if (use.kind === 'adc') {
      this.counter.checkAnalog(gpio);
    }
    const before = this.#owners.get(gpio)?.use ?? null;
    const giveBack = this.#owners.take([ownedOf(gpio, use)]);
    try {
      if (before !== null && before.kind !== use.kind) {
        // Each use leaves a setting at the pin: a signal that drives it, a pull, or an analog pad.
        await this.lab.run(releasePin(chip, gpio));
      }
      await this.lab.run(macroOf(this.lab, gpio, use));
    } catch (error) {
      giveBack();
      throw error;
    }
    if (use.kind === 'pwm') {
      // The chip has one PWM channel, so the previous pin has lost it.
      await this.#release(this.#owners.of('pwm').flatMap((pin) => (pin.gpio === gpio ? [] : [pin.gpio])));
    }
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
    const giveBack = this.#owners.take(owned);
    try {
      await this.lab.run(spiUp(this.lab.chip, bus));
    } catch (error) {
      giveBack();
      throw error;
    }
    await this.#release(before.filter((gpio) => !owned.some((pin) => pin.gpio === gpio)));
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
    const answer = await this.probe.exchange(this.#spi, bytes);
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

  /** Writes a register. Pins that the write has changed are read, and listed as if the user had set them. */
  async writeWord(address: number, value: number, mask: number): Promise<number> {
    const { chip } = this.lab;
    await this.lab.run(writeRegister(address, value, mask));
    this.#parts.log.wrote(`REG ${hexNumber(address, 8)} = ${hexNumber(value, 8)} mask ${hexNumber(mask, 8)}`);
    const moved = pinsMovedBy(chip, address, value, mask);
    const setups = await this.#look(moved);
    for (const [gpio, setup] of setups) {
      const owned = this.#owners.get(gpio);
      if (owned?.owner === 'pwm' ? setup.signal === null : owned?.owner === 'pin' || (!owned && setup.output)) {
        this.#owners.set(ownedAs(gpio, setup));
      }
    }
    this.#parts.onChange();
    const [word = 0] = await this.readWords([address]);
    return word;
  }

  #claim(pins: readonly OwnedPin[]): void {
    this.#owners.take(pins);
    this.#parts.onChange();
  }

  async #release(gpios: readonly number[]): Promise<void> {
    for (const gpio of gpios) {
      await this.lab.run(releasePin(this.lab.chip, gpio));
      this.#owners.free(gpio);
    }
    await this.#look(gpios);
  }

  /** Reads the settings of pins, except locked ones. */
  async #look(gpios: readonly number[], options?: RunOptions): Promise<ReadonlyMap<number, PinSetup>> {
    const { chip } = this.lab;
    const setups = new Map<number, PinSetup>();
    const usable = gpios.filter((gpio) => pinRule(chip, gpio).kind !== 'locked');
    await Promise.all(
      usable.map(async (gpio) => {
        const setup = await this.lab.run(readPin(chip, gpio), options);
        setups.set(gpio, setup);
        this.#looks.set(gpio, lookOf(gpio, setup));
      }),
    );
    this.#parts.onChange();
    return setups;
  }

  async #watch(): Promise<void> {
    if (this.probe.running !== null) {
      await this.#watchBy(this.probe.running);
      return;
    }
    const { words } = await this.lab.run(watchPins(this.lab.chip), { priority: 'background' });
    this.#takeLevels(words);
  }

  /** Receives changes of levels from the program. Locked pins are not watched, because the link uses some of them. */
  async #watchBy(probe: Probe): Promise<void> {
    const pins = this.lab.chip.pins.flatMap(({ gpio, locked }) => (locked === undefined ? [gpio] : []));
    const watch = {
      ...{ pins, interval: levelPause * 1_000 },
      onLevels: ({ levels }: LevelsReport) => this.#takeLevels(levels),
    };
    await probe.stream({ watch, signal: this.lab.over });
  }

  /** Notices a program that has crashed, because it reports changes only. The runner handles a lost answer. */
  async #askProgram(): Promise<void> {
    if (this.probe.running !== null) {
      await this.lab.run(watchPins(this.lab.chip), { priority: 'background' });
    }
  }

  #takeLevels(words: readonly number[]): void {
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

/**
 * Describes a pin that registers have set. Both pulls at once are shown as no pull, because users cannot choose them.
 */
function ownedAs(gpio: number, { output, high, openDrain, pull: read, signal }: PinSetup): OwnedPin {
  const pull = read === 'both' ? 'none' : read;
  const owned = ownedOf(gpio, output ? { kind: 'output', high, openDrain, pull } : { kind: 'input', pull });
  return output && signal !== null ? { ...owned, label: `SIG${signal}` } : owned;
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
