/**
 * The ESP32's peripherals that count and measure edges: the pulse counter (PCNT) and the receiver of the remote
 * control (RMT). ESP32 Technical Reference Manual, chapters 17 "PCNT" (section 17.2.2 "Control", 17.4 "Registers")
 * and 15 "RMT" (sections 15.2.2 "RMT RAM", 15.2.5 "Receiver", 15.4 "Registers"). Filters, the lower limit, thresholds
 * and the transmitter are not simulated. The manual does not describe bus accesses to RMT's memory while the receiver
 * owns it. Here such writes have no effect, and reads return 0.
 */
import type { Level } from '../../breadboard/net.ts';
import type { RegisterBlock } from '../memory.ts';
import type { ChipContext } from './context.ts';

const units = 8;

const pcnt = {
  config: 0x00,
  limits: 0x08,
  configStep: 0x0c,
  count: 0x60,
  control: 0xb0,
  firstSignal: 39,
  signalStep: 4,
} as const;
/** Bit of CONF0: the count restarts at 0 when it reaches its upper limit. */
const pcntLimited = 1 << 12;
/** CTRL after a reset: all units are held in reset. */
const pcntControlReset = 0x5555;
/** Lowest bits of the modes in CONF0: for falling and rising edges, and for the control input at high and low. */
const pcntModes = { falling: 16, rising: 18, controlHigh: 20, controlLow: 22 } as const;

/** The pulse counter: channel 0 of eight units. */
export class PulseCounter implements RegisterBlock {
  readonly #context: ChipContext;
  readonly #words = new Map<number, number>([[pcnt.control, pcntControlReset]]);
  readonly #counts = new Int16Array(units);

  constructor(context: ChipContext) {
    this.#context = context;
    for (let unit = 0; unit < units; unit++) {
      context.pins.listen(
        pcnt.firstSignal + unit * pcnt.signalStep,
        (_time, level) => this.#count(unit, level, 1),
        (pairs) => {
          this.#count(unit, 1, pairs);
          this.#count(unit, 0, pairs);
        },
      );
    }
  }

  reset(): void {
    this.#settle();
    this.#words.clear();
    this.#words.set(pcnt.control, pcntControlReset);
    this.#counts.fill(0);
  }

  read(offset: number): number {
    this.#settle();
    const unit = (offset - pcnt.count) / 4;
    return unit >= 0 && unit < units ? (this.#counts[unit] ?? 0) & 0xffff : (this.#words.get(offset) ?? 0);
  }

  write(offset: number, value: number): void {
    this.#settle();
    this.#words.set(offset, value);
    if (offset === pcnt.control) {
      for (let unit = 0; unit < units; unit++) {
        if (((value >>> (unit * 2)) & 1) === 1) {
          this.#counts[unit] = 0;
        }
      }
    }
  }

  #settle(): void {
    for (let unit = 0; unit < units; unit++) {
      this.#context.pins.settleInput(pcnt.firstSignal + unit * pcnt.signalStep);
    }
  }

  #count(unit: number, level: Level, edges: number): void {
    const control = this.#words.get(pcnt.control) ?? 0;
    if (((control >>> (unit * 2)) & 3) !== 0) {
      return;
    }
    const config = this.#words.get(pcnt.config + unit * pcnt.configStep) ?? 0;
    const gate = this.#context.pins.input(pcnt.firstSignal + unit * pcnt.signalStep + 2);
    const mode = (config >>> (level === 1 ? pcntModes.rising : pcntModes.falling)) & 3;
    const control2 = (config >>> (gate === 1 ? pcntModes.controlHigh : pcntModes.controlLow)) & 3;
    const step = mode === 1 ? 1 : mode === 2 ? -1 : 0;
    const direction = control2 === 0 ? 1 : control2 === 1 ? -1 : 0;
    const count = (this.#counts[unit] ?? 0) + step * direction * edges;
    const limit = (this.#words.get(pcnt.limits + unit * pcnt.configStep) ?? 0) & 0xffff;
    this.#counts[unit] = (config & pcntLimited) !== 0 && count >= limit ? count % limit : count;
  }
}

const rmt = {
  config0: 0x20,
  config1: 0x24,
  configStep: 8,
  raw: 0xa0,
  masked: 0xa4,
  enable: 0xa8,
  clear: 0xac,
  apbConfig: 0xf0,
  memory: 0x800,
  block: 0x100,
  firstSignal: 83,
} as const;
const rmtBits = { receive: 1 << 1, writeReset: 1 << 2, ownedByReceiver: 1 << 5, apbClock: 1 << 17 } as const;
/**
 * CONF1 after a reset: the receiver owns the memory, and the filter is off with a threshold of 15 (ESP-IDF,
 * `soc/esp32/rmt_reg.h`, defaults).
 */
const rmtConfig1Reset = 0xf20;
/** Bits of a duration. The bit above is the level. */
const durationBits = 15;
/** Words of 32 bits in the memory block of one channel. */
const blockWords = 64;
/** Frequency in kHz of the reference clock, used unless `REF_ALWAYS_ON` selects the APB clock. */
const rmtReference = 1_000;

const rmtResetWords = Array.from(
  { length: units },
  (_, channel) => [rmt.config1 + channel * rmt.configStep, rmtConfig1Reset] as const,
);

interface Reception {
  /** Time of the last edge in milliseconds; null: none yet. */
  since: number | null;
  level: Level;
  /** Position of the next item, in halves of a word. */
  at: number;
}

/** The receivers of eight channels. */
export class RemoteReceiver implements RegisterBlock {
  readonly #context: ChipContext;
  readonly #words = new Map<number, number>(rmtResetWords);
  readonly #items = new Uint16Array(units * blockWords * 2);
  readonly #receptions = new Map<number, Reception>();
  #raw = 0;

  constructor(context: ChipContext) {
    this.#context = context;
    for (let channel = 0; channel < units; channel++) {
      context.pins.listen(
        rmt.firstSignal + channel,
        (time, level) => this.#edge(channel, time, level),
        // The memory of one block, the only size in use here, is full by then.
        (_pairs, duration) => this.#pass(channel, duration),
      );
    }
  }

  /** Resets the registers. The memory keeps its content. */
  reset(): void {
    this.#words.clear();
    for (const [offset, word] of rmtResetWords) {
      this.#words.set(offset, word);
    }
    this.#receptions.clear();
    this.#raw = 0;
  }

  read(offset: number): number {
    this.#advance();
    if (offset >= rmt.memory) {
      const at = (offset - rmt.memory) / 2;
      return this.#isOnBus(offset) ? (((this.#items[at + 1] ?? 0) << 16) | (this.#items[at] ?? 0)) >>> 0 : 0;
    }
    if (offset === rmt.raw || offset === rmt.masked) {
      return offset === rmt.raw ? this.#raw : this.#raw & (this.#words.get(rmt.enable) ?? 0);
    }
    return this.#words.get(offset) ?? 0;
  }

  write(offset: number, value: number): void {
    this.#advance();
    if (offset >= rmt.memory) {
      if (this.#isOnBus(offset)) {
        const at = (offset - rmt.memory) / 2;
        this.#items[at] = value & 0xffff;
        this.#items[at + 1] = value >>> 16;
      }
      return;
    }
    this.#words.set(offset, value);
    const channel = (offset - rmt.config1) / rmt.configStep;
    if (offset === rmt.clear) {
      this.#raw &= ~value;
    } else if (Number.isInteger(channel) && channel >= 0 && channel < units) {
      this.#control(channel, value);
    }
  }

  /** True if the bus can access a block: the FIFO is off, and the block's receiver does not own it. */
  #isOnBus(offset: number): boolean {
    const channel = Math.floor((offset - rmt.memory) / rmt.block);
    return ((this.#words.get(rmt.apbConfig) ?? 0) & 1) === 1 && !this.#isOwnedByReceiver(channel);
  }

  #isOwnedByReceiver(channel: number): boolean {
    return ((this.#words.get(rmt.config1 + channel * rmt.configStep) ?? 0) & rmtBits.ownedByReceiver) !== 0;
  }

  #control(channel: number, word: number): void {
    const begun = this.#receptions.get(channel);
    if ((word & rmtBits.receive) === 0) {
      this.#receptions.delete(channel);
    } else if (begun === undefined) {
      this.#receptions.set(channel, { since: null, level: this.#context.pins.input(rmt.firstSignal + channel), at: 0 });
    } else if ((word & rmtBits.writeReset) !== 0) {
      begun.at = 0;
    }
  }

  /** Returns the milliseconds of a tick. */
  #tick(channel: number): number {
    const divider = (this.#words.get(rmt.config0 + channel * rmt.configStep) ?? 0) & 0xff;
    const apb = ((this.#words.get(rmt.config1 + channel * rmt.configStep) ?? 0) & rmtBits.apbClock) !== 0;
    return (divider === 0 ? 256 : divider) / (apb ? this.#context.crystal : rmtReference);
  }

  #idleTime(channel: number): number {
    return (((this.#words.get(rmt.config0 + channel * rmt.configStep) ?? 0) >>> 8) & 0xffff) * this.#tick(channel);
  }

  #advance(): void {
    for (const channel of [...this.#receptions.keys()]) {
      this.#context.pins.settleInput(rmt.firstSignal + channel);
      this.#endIdle(channel, this.#context.memory.now);
    }
  }

  #edge(channel: number, time: number, level: Level): void {
    this.#endIdle(channel, time);
    const reception = this.#receptions.get(channel);
    if (reception === undefined) {
      return;
    }
    if (reception.since !== null) {
      // Durations are differences of rounded times, so that rounding errors do not accumulate.
      const tick = this.#tick(channel);
      this.#store(channel, reception, Math.round(time / tick) - Math.round(reception.since / tick));
    }
    reception.since = time;
    reception.level = level;
  }

  #pass(channel: number, duration: number): void {
    const reception = this.#receptions.get(channel);
    if (reception?.since != null) {
      reception.since += duration;
    }
  }

  /** Ends the reception if the line has not changed for longer than the limit. An item of 0 marks the end. */
  #endIdle(channel: number, time: number): void {
    const reception = this.#receptions.get(channel);
    if (reception?.since != null && time - reception.since > this.#idleTime(channel)) {
      this.#store(channel, reception, 0);
      this.#raw |= 1 << (channel * 3 + 1);
      this.#receptions.delete(channel);
    }
  }

  #store(channel: number, reception: Reception, ticks: number): void {
    const blocks = ((this.#words.get(rmt.config0 + channel * rmt.configStep) ?? 0) >>> 24) & 15;
    const start = channel * blockWords * 2;
    const end = Math.min(this.#items.length, start + blocks * blockWords * 2);
    if (!this.#isOwnedByReceiver(channel) || start + reception.at >= end) {
      this.#raw |= 1 << (channel * 3 + 2);
      return;
    }
    this.#items[start + reception.at++] =
      (Math.min(ticks, 2 ** durationBits - 1) & 0x7fff) | (reception.level << durationBits);
  }
}
