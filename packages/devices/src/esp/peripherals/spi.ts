/**
 * SPI2 as a master in user mode: data out and in, simultaneously or in sequence. Commands, addresses and dummy cycles
 * are not simulated; transfers with them send nothing. ESP32 Technical Reference Manual, chapter 7 "SPI Controller"
 * (sections 7.4.3 "Clock Polarity and Phase", 7.7 "Registers"); ESP32-C3, chapter 26.
 */
import type { SpiBus } from '../../breadboard/buses.ts';
import type { Level } from '../../breadboard/net.ts';
import { Wave } from '../../breadboard/wave.ts';
import type { RegisterBlock } from '../memory.ts';
import type { ChipContext } from './context.ts';

export interface SpiMasterLayout {
  readonly start: number;
  /** Bit of CMD that applies the settings; null: they apply at once. */
  readonly takeOver: number | null;
  readonly control: number;
  readonly clock: number;
  readonly user: number;
  readonly pins: number;
  readonly outLength: number;
  readonly inLength: number;
  readonly data: number;
  /** Register that enables the clock, and its bits; null: none. */
  readonly gate: { readonly offset: number; readonly bits: number } | null;
  /** Bit of USER that selects the clock edge on which data goes out. */
  readonly outEdge: number;
  readonly signals: { readonly clock: number; readonly in: number; readonly out: number; readonly select: number };
}

export const esp32Spi2: SpiMasterLayout = {
  start: 1 << 18,
  takeOver: null,
  control: 0x08,
  clock: 0x18,
  user: 0x1c,
  pins: 0x34,
  outLength: 0x28,
  inLength: 0x2c,
  data: 0x80,
  gate: null,
  outEdge: 1 << 7,
  signals: { clock: 8, in: 9, out: 10, select: 11 },
};

export const esp32c3Spi2: SpiMasterLayout = {
  start: 1 << 24,
  takeOver: 1 << 23,
  control: 0x08,
  clock: 0x0c,
  user: 0x10,
  pins: 0x20,
  outLength: 0x1c,
  inLength: 0x1c,
  data: 0x98,
  // SPI_CLK_EN and SPI_MST_CLK_ACTIVE. Bit 2 only selects crystal (0) or PLL (SPI_CLK_GATE_REG).
  gate: { offset: 0xe8, bits: 3 },
  outEdge: 1 << 9,
  signals: { clock: 63, in: 64, out: 65, select: 68 },
};

const user = { duplex: 1, dataOut: 1 << 27, dataIn: 1 << 28, others: (7 << 29) >>> 0 } as const;
const idleHigh = 1 << 29;
const selectOff = 1;
const wholeClock = 2 ** 31;
const [lowestInFirst, lowestOutFirst] = [1 << 25, 1 << 26];
const bufferWords = 16;

export class SpiMaster implements RegisterBlock {
  readonly #layout: SpiMasterLayout;
  readonly #context: ChipContext;
  readonly #waves = { clock: new Wave(0), out: new Wave(0), select: new Wave(1) };
  readonly #words = new Map<number, number>();
  /** Settings in effect. */
  #active = new Map<number, number>();
  #busyUntil = Number.NEGATIVE_INFINITY;
  #received: { readonly at: number; readonly words: readonly number[] } | null = null;

  constructor(layout: SpiMasterLayout, context: ChipContext) {
    this.#layout = layout;
    this.#context = context;
    context.pins.provide(layout.signals.clock, this.#waves.clock);
    context.pins.provide(layout.signals.out, this.#waves.out);
    context.pins.provide(layout.signals.select, this.#waves.select);
  }

  reset(): void {
    this.#words.clear();
    this.#active.clear();
    this.#received = null;
    this.#busyUntil = Number.NEGATIVE_INFINITY;
  }

  read(offset: number): number {
    this.#advance();
    const word = this.#words.get(offset) ?? 0;
    return offset !== 0 ? word : this.#now < this.#busyUntil ? this.#layout.start : 0;
  }

  write(offset: number, value: number): void {
    this.#advance();
    const { takeOver, start } = this.#layout;
    if (offset !== 0) {
      this.#words.set(offset, value);
      return;
    }
    if (takeOver === null || (value & takeOver) !== 0) {
      this.#active = new Map(this.#words);
    }
    if ((value & start) !== 0 && this.#now >= this.#busyUntil && this.#hasClock) {
      this.#transfer();
    }
  }

  get #now(): number {
    return this.#context.memory.now;
  }

  get #hasClock(): boolean {
    const { gate } = this.#layout;
    return gate === null || ((this.#words.get(gate.offset) ?? 0) & gate.bits) === gate.bits;
  }

  #setting(offset: number): number {
    return this.#active.get(offset) ?? 0;
  }

  /** Milliseconds of a bit. */
  get #bitTime(): number {
    const word = this.#setting(this.#layout.clock);
    const divider = word >= wholeClock ? 1 : (((word >>> 18) & 0x1fff) + 1) * (((word >>> 12) & 0x3f) + 1);
    return divider / this.#context.crystal;
  }

  /** SPI mode, 0 to 3. Bit 1: the clock idles high. Bit 0: data goes out on the first edge of the clock. */
  get #mode(): number {
    const high = (this.#setting(this.#layout.pins) & idleHigh) !== 0 ? 1 : 0;
    const edge = (this.#setting(this.#layout.user) & this.#layout.outEdge) !== 0 ? 1 : 0;
    return high * 2 + (high ^ edge);
  }

  #advance(): void {
    if (this.#received !== null && this.#received.at <= this.#now) {
      for (const [index, word] of this.#received.words.entries()) {
        this.#words.set(this.#layout.data + index * 4, word);
      }
      this.#received = null;
    }
  }

  #transfer(): void {
    const { outLength, inLength, data } = this.#layout;
    const choice = this.#setting(this.#layout.user);
    if ((choice & user.others) !== 0) {
      return;
    }
    const bytes = (offset: number, on: number) =>
      (choice & on) === 0 ? 0 : Math.ceil(((this.#setting(offset) & 0x1ff) + 1) / 8);
    const sentCount = Math.min(bytes(outLength, user.dataOut), bufferWords * 4);
    const duplex = (choice & user.duplex) !== 0;
    const receivedCount = Math.min(bytes(duplex && sentCount > 0 ? outLength : inLength, user.dataIn), bufferWords * 4);
    const buffer = new DataView(new ArrayBuffer(bufferWords * 4));
    for (let index = 0; index < bufferWords; index++) {
      buffer.setUint32(index * 4, this.#words.get(data + index * 4) ?? 0, true);
    }
    const total = duplex ? Math.max(sentCount, receivedCount) : sentCount + receivedCount;
    const sent = Array.from({ length: total }, (_, index) => (index < sentCount ? buffer.getUint8(index) : 0));
    const heard = this.#exchange(sent.map((byte) => this.#ordered(byte, lowestOutFirst)));
    const first = duplex ? 0 : sentCount;
    for (let index = 0; index < receivedCount; index++) {
      buffer.setUint8(index, this.#ordered(heard[first + index] ?? 0, lowestInFirst));
    }
    const words = Array.from({ length: bufferWords }, (_, index) => buffer.getUint32(index * 4, true));
    this.#received = receivedCount > 0 ? { at: this.#busyUntil, words } : null;
  }

  #ordered(byte: number, lowestFirst: number): number {
    if ((this.#setting(this.#layout.control) & lowestFirst) === 0) {
      return byte;
    }
    return Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1) << (7 - bit)).reduce((all, bit) => all | bit);
  }

  /** Sends bytes, highest bit first. Returns the bytes on the input. */
  #exchange(sent: readonly number[]): readonly number[] {
    const { pins, board } = this.#context;
    const { signals } = this.#layout;
    const idle: Level = this.#mode >= 2 ? 1 : 0;
    const selects = (this.#setting(this.#layout.pins) & selectOff) === 0;
    const input = pins.inputNet(signals.in);
    for (const name of ['clock', 'out', 'select'] as const) {
      pins.changeSignal(signals[name], () => this.#waves[name].forget(this.#now));
    }
    pins.changeSignal(signals.clock, () => this.#waves.clock.push(this.#now, idle));
    const bitTime = this.#bitTime;
    const begin = this.#now + bitTime;
    const end = begin + sent.length * 8 * bitTime;
    if (selects) {
      this.#waves.select.push(this.#now, 0);
      this.#waves.select.push(end + bitTime, 1);
    }
    const targets = board
      .spiBuses(pins.outputNets(signals.clock), pins.outputNets(signals.out))
      .filter((bus) => bus.nets.select.level(begin) === 0);
    for (const { target } of targets) {
      target.select(begin);
    }
    const heard = sent.map((byte, index) =>
      this.#byte(byte, begin + index * 8 * bitTime, targets, input?.name ?? null),
    );
    for (const bus of targets) {
      if (selects) {
        bus.target.deselect?.(end);
      }
    }
    this.#busyUntil = end + bitTime;
    return heard;
  }

  #byte(byte: number, at: number, targets: readonly SpiBus[], input: string | null): number {
    const bitTime = this.#bitTime;
    const late = (this.#mode & 1) === 1 ? bitTime / 2 : 0;
    const idle: Level = this.#mode >= 2 ? 1 : 0;
    for (let bit = 0; bit < 8; bit++) {
      const begin = at + bit * bitTime;
      this.#waves.out.push(begin + late, ((byte >> (7 - bit)) & 1) as Level);
      this.#waves.clock.push(begin + (late > 0 ? 0 : bitTime / 2), (1 - idle) as Level);
      this.#waves.clock.push(begin + (late > 0 ? bitTime / 2 : bitTime), idle);
    }
    let heard = 0;
    let driven = false;
    for (const bus of targets) {
      // In a different mode each side samples while the other one changes the line. The result is shifted by one bit.
      const fits = bus.target.modes.includes(this.#mode);
      const answer = bus.target.exchange(fits ? byte : byte >> 1, at);
      for (let bit = 0; bit < 8; bit++) {
        bus.drive(at + bit * bitTime, ((answer >> (7 - bit)) & 1) as Level);
      }
      if (input === bus.nets.in.name) {
        heard |= fits ? answer : answer >> 1;
        driven = true;
      }
    }
    const net = this.#context.pins.inputNet(this.#layout.signals.in);
    return driven || net === null ? heard : this.#sampled(net, at);
  }

  /** Samples an input that no part drives, in the middle of each bit: a loop from the output, or a constant level. */
  #sampled(net: { level(time: number): Level }, at: number): number {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) {
      byte = (byte << 1) | net.level(at + (bit + 0.75) * this.#bitTime);
    }
    return byte;
  }
}
