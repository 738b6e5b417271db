/**
 * Pads, IO_MUX, GPIO registers and the GPIO matrix: the chip's drive on each pin, and the input of each peripheral.
 * Sources: pin-layouts.ts. An output signal may be on several pins. An input signal comes from one pin or is
 * constant.
 */
import type { Breadboard } from '../../breadboard/breadboard.ts';
import {
  type Drive,
  drives,
  type EdgeListener,
  type Level,
  type Net,
  type PeriodsListener,
  type Source,
} from '../../breadboard/net.ts';
import type { Signal } from '../../breadboard/wave.ts';
import type { Memory } from '../memory.ts';
import type { PinLayout } from './pin-layouts.ts';

const inputEnable = 1 << 9;
const muxPullUp = 1 << 8;
const muxPullDown = 1 << 7;
const openDrain = 1 << 2;
/** Bytes of the GPIO registers, with the selects of all signals (256 on the ESP32, 128 on the ESP32-C3). */
const gpioSize = 0x800;

/** Register for OUT, ENABLE or IN of 32 pins, or one that sets or clears bits of OUT or ENABLE. */
interface Bank {
  readonly what: 'out' | 'enable' | 'in';
  readonly how: 'plain' | 'set' | 'clear';
  readonly upper: 0 | 1;
}

/**
 * Banks by offset from the start of the GPIO registers. Both chips share them, but the ESP32-C3 lacks the upper pins.
 */
const banks: ReadonlyMap<number, Bank> = new Map<number, Bank>([
  [0x04, { what: 'out', how: 'plain', upper: 0 }],
  [0x08, { what: 'out', how: 'set', upper: 0 }],
  [0x0c, { what: 'out', how: 'clear', upper: 0 }],
  [0x10, { what: 'out', how: 'plain', upper: 1 }],
  [0x14, { what: 'out', how: 'set', upper: 1 }],
  [0x18, { what: 'out', how: 'clear', upper: 1 }],
  [0x20, { what: 'enable', how: 'plain', upper: 0 }],
  [0x24, { what: 'enable', how: 'set', upper: 0 }],
  [0x28, { what: 'enable', how: 'clear', upper: 0 }],
  [0x2c, { what: 'enable', how: 'plain', upper: 1 }],
  [0x30, { what: 'enable', how: 'set', upper: 1 }],
  [0x34, { what: 'enable', how: 'clear', upper: 1 }],
  [0x3c, { what: 'in', how: 'plain', upper: 0 }],
  [0x40, { what: 'in', how: 'plain', upper: 1 }],
]);

/** A peripheral's listener for the edges of an input signal. */
interface Listening {
  readonly listener: EdgeListener;
  readonly passed: PeriodsListener | null;
  end: () => void;
}

export class PinMatrix {
  readonly layout: PinLayout;
  readonly #board: Breadboard;
  readonly #memory: Memory;
  /** OUT and ENABLE: pins 0 to 31, and the pins above. */
  readonly #out: [number, number] = [0, 0];
  readonly #enable: [number, number] = [0, 0];
  readonly #pinWords = new Map<number, number>();
  readonly #inputSelects = new Map<number, number>();
  readonly #outputSelects = new Map<number, number>();
  readonly #muxWords: Map<number, number>;
  readonly #rtcWords = new Map<number, number>();
  readonly #signals = new Map<number, Signal>();
  readonly #listening = new Map<number, Listening[]>();
  readonly #pads: readonly Pad[];
  /** Pads whose digital input is on; null after a change of any pad's configuration. */
  #inputs: readonly Pad[] | null = null;

  constructor(layout: PinLayout, memory: Memory, board: Breadboard) {
    this.layout = layout;
    this.#board = board;
    this.#memory = memory;
    this.#muxWords = new Map(layout.resetWords);
    if (layout.rtc !== null) {
      for (const [pin, { offset, up, down }] of layout.rtc.pads) {
        const word = layout.resetWords.get(pin) ?? 0;
        const pulls = bitIf(up, (word & muxPullUp) !== 0) | bitIf(down, (word & muxPullDown) !== 0);
        this.#rtcWords.set(offset, (this.#rtcWords.get(offset) ?? 0) | pulls);
      }
    }
    this.#pads = [...layout.muxOffsets.keys()].map((pin) => new Pad(pin, board.net(pin), this));
    for (const pad of this.#pads) {
      pad.connect(memory.now);
    }
    memory.map(layout.gpio, gpioSize, {
      read: (offset) => this.#readGpio(offset),
      write: (offset, value) => this.#writeGpio(offset, value),
    });
    memory.map(layout.ioMux, 0x100, {
      read: (offset) => this.#muxWords.get(this.#pinOfMux(offset)) ?? 0,
      write: (offset, value) =>
        this.#changePad(this.#pinOfMux(offset), () => this.#muxWords.set(this.#pinOfMux(offset), value)),
    });
    this.#mapRtc();
  }

  /** Removes the chip's pads from the breadboard, because the chip loses power or restarts. */
  disconnect(time: number): void {
    for (const listening of this.#listening.values()) {
      for (const { end } of listening) {
        end();
      }
    }
    this.#listening.clear();
    for (const pad of this.#pads) {
      pad.disconnect(time);
    }
  }

  /** Connects a peripheral's output to a signal of the matrix. */
  provide(signal: number, output: Signal): void {
    this.#signals.set(signal, output);
  }

  /** Changes an output signal. Listeners first receive its edges up to now. */
  changeSignal(signal: number, apply: () => void): void {
    const nets = this.outputNets(signal);
    const { now } = this.#memory;
    const [first, ...others] = nets;
    if (first === undefined) {
      apply();
      return;
    }
    for (const net of others) {
      net.settle(now);
    }
    first.change(now, apply);
    for (const net of others) {
      net.change(now, () => undefined);
    }
  }

  /** Returns the nets that an output signal drives. */
  outputNets(signal: number): readonly Net[] {
    return this.#pads
      .filter((pad) => this.outputSignal(pad.pin) === signal && this.isDigital(pad.pin))
      .map(({ net }) => net);
  }

  /** Returns the net of an input signal. Null if it has none, or if the pad's input is off. */
  inputNet(signal: number): Net | null {
    const pin = (this.#inputSelects.get(signal) ?? 0) & this.layout.inputPinMask;
    const pad = this.#pads.find((candidate) => candidate.pin === pin);
    const routed = ((this.#inputSelects.get(signal) ?? 0) & (this.#inputInvert << 1)) !== 0;
    return pad !== undefined && routed && this.readsInput(pin) ? pad.net : null;
  }

  /** Returns the present level of a peripheral's input. */
  input(signal: number): Level {
    const select = this.#inputSelects.get(signal) ?? 0;
    const number = select & this.layout.inputPinMask;
    const inverted = (select & this.#inputInvert) !== 0 ? 1 : 0;
    const level = number === this.layout.constantHigh ? 1 : (this.inputNet(signal)?.level(this.#memory.now) ?? 0);
    return (level ^ inverted) as Level;
  }

  /**
   * Calls `listener` at each edge of an input signal, also after the signal is routed to another pin.
   * @param signal Number of the input signal.
   * @param listener Receives the edges.
   * @param passed Receives whole periods of a fast signal instead of each edge. Null: the listener needs each edge.
   */
  listen(signal: number, listener: EdgeListener, passed: PeriodsListener | null = null): void {
    const entry: Listening = { listener, passed, end: () => undefined };
    this.#listening.set(signal, [...(this.#listening.get(signal) ?? []), entry]);
    this.#route(signal, entry);
  }

  /** Reports all edges of an input signal up to now to its listeners. */
  settleInput(signal: number): void {
    this.inputNet(signal)?.settle(this.#memory.now);
  }

  /** True if the matrix controls a pin: IO_MUX selects the GPIO function and the RTC does not have the pad. */
  isDigital(pin: number): boolean {
    const { gpioFunction, gpioByZero } = this.layout;
    const choice = ((this.#muxWords.get(pin) ?? 0) >> 12) & 7;
    return (choice === gpioFunction || (choice === 0 && gpioByZero.includes(pin))) && !this.isAnalog(pin);
  }

  /** True if the RTC has the pad (ESP32 only). */
  isAnalog(pin: number): boolean {
    const pad = this.layout.rtc?.pads.get(pin);
    return pad !== undefined && ((this.#rtcWords.get(pad.offset) ?? 0) & bitIf(pad.mux, true)) !== 0;
  }

  /** True if the pad's digital input is on. */
  readsInput(pin: number): boolean {
    return ((this.#muxWords.get(pin) ?? 0) & inputEnable) !== 0 && !this.isAnalog(pin);
  }

  /** Returns the present volts on a pin, for a converter. */
  volts(pin: number): number {
    return this.#board.net(pin).volts(this.#memory.now);
  }

  /** Returns the signal on a pin; null for the plain output. */
  outputSignal(pin: number): number | null {
    const number = (this.#outputSelects.get(pin) ?? this.layout.plainOutput) & (this.layout.plainOutput * 2 - 1);
    return number === this.layout.plainOutput ? null : number;
  }

  /** Returns the drive of a pad's output stage at `time`. */
  output(pin: number, time: number): Drive | null {
    if (!this.isDigital(pin) || this.layout.inputOnly.includes(pin)) {
      return null;
    }
    const select = this.#outputSelects.get(pin) ?? this.layout.plainOutput;
    const [inverted, byRegister] = [this.layout.plainOutput * 2, this.layout.plainOutput * 4];
    const number = this.outputSignal(pin);
    const signal = number === null ? null : this.#signals.get(number);
    const enabled = bitOf(this.#enable, pin) === 1;
    if ((number === null || (select & byRegister) !== 0) && !enabled) {
      return null;
    }
    // A signal without a provider is low.
    const level =
      (number === null ? bitOf(this.#out, pin) : (signal?.level(time) ?? 0)) ^ ((select & inverted) !== 0 ? 1 : 0);
    const drain = ((this.#pinWords.get(pin) ?? 0) & openDrain) !== 0 || signal?.openDrain === true;
    return level === 0 ? drives.low : drain ? null : drives.high;
  }

  pull(pin: number): Drive | null {
    const pad = this.layout.rtc?.pads.get(pin);
    const word = pad === undefined ? (this.#muxWords.get(pin) ?? 0) : (this.#rtcWords.get(pad.offset) ?? 0);
    const up = pad === undefined ? muxPullUp : bitIf(pad.up, true);
    const down = pad === undefined ? muxPullDown : bitIf(pad.down, true);
    return (word & up) !== 0 ? drives.padPullUp : (word & down) !== 0 ? drives.padPullDown : null;
  }

  outputPeriod(pin: number): number {
    const number = this.outputSignal(pin);
    return number === null ? Infinity : (this.#signals.get(number)?.period?.() ?? Infinity);
  }

  nextOutput(pin: number, time: number): number {
    const number = this.outputSignal(pin);
    return number === null ? Infinity : (this.#signals.get(number)?.next(time) ?? Infinity);
  }

  /** Inversion bit of an input select, above the pin's number. The next bit selects the matrix. */
  get #inputInvert(): number {
    return this.layout.inputPinMask + 1;
  }

  #route(signal: number, entry: Listening): void {
    entry.end();
    const net = this.inputNet(signal);
    const inverted = ((this.#inputSelects.get(signal) ?? 0) & this.#inputInvert) !== 0 ? 1 : 0;
    entry.end =
      net === null
        ? () => undefined
        : net.listen(
            this.#memory.now,
            (time, level) => entry.listener(time, (level ^ inverted) as Level),
            entry.passed,
          );
  }

  #reroute(signals: Iterable<number>, apply: () => void): void {
    const list = [...signals];
    for (const signal of list) {
      this.settleInput(signal);
    }
    apply();
    for (const signal of list) {
      for (const entry of this.#listening.get(signal) ?? []) {
        this.#route(signal, entry);
      }
    }
  }

  #pinOfMux(offset: number): number {
    for (const [pin, at] of this.layout.muxOffsets) {
      if (at === offset) {
        return pin;
      }
    }
    return -1;
  }

  /** Changes a pad's configuration, and routes all input signals again. */
  #changePad(pin: number, apply: () => void): void {
    const pad = this.#pads.find((candidate) => candidate.pin === pin);
    if (pad !== undefined) {
      const change = () => {
        apply();
        this.#inputs = null;
      };
      this.#reroute(this.#listening.keys(), () => pad.net.change(this.#memory.now, change));
    }
  }

  #mapRtc(): void {
    const { rtc } = this.layout;
    if (rtc === null) {
      return;
    }
    for (const offset of new Set([...rtc.pads.values()].map((pad) => pad.offset))) {
      const pins = [...rtc.pads].filter(([, pad]) => pad.offset === offset).map(([pin]) => pin);
      this.#memory.attach(rtc.base + offset, {
        read: () => this.#rtcWords.get(offset) ?? 0,
        write: (value) => {
          const [first = -1, ...others] = pins;
          this.#changePad(first, () => this.#rtcWords.set(offset, value));
          for (const pin of others) {
            this.#changePad(pin, () => undefined);
          }
        },
      });
    }
  }

  #readGpio(offset: number): number {
    const { pinBase, inputBase, outputBase, pins } = this.layout;
    const bank = banks.get(offset);
    if (bank?.what === 'in') {
      return this.#levels(bank.upper);
    }
    if (bank !== undefined) {
      // Set and clear registers are write-only. No observed chip returned their last written value.
      return bank.how === 'plain' ? ((bank.what === 'out' ? this.#out : this.#enable)[bank.upper] ?? 0) : 0;
    }
    if (offset >= outputBase && offset < outputBase + pins * 4) {
      return this.#outputSelects.get((offset - outputBase) / 4) ?? this.layout.plainOutput;
    }
    if (offset >= inputBase && offset < outputBase) {
      return this.#inputSelects.get((offset - inputBase) / 4) ?? 0;
    }
    return offset >= pinBase && offset < pinBase + pins * 4 ? (this.#pinWords.get((offset - pinBase) / 4) ?? 0) : 0;
  }

  #writeGpio(offset: number, value: number): void {
    const { pinBase, inputBase, outputBase, pins } = this.layout;
    const bank = banks.get(offset);
    if (bank !== undefined) {
      if (bank.what !== 'in') {
        this.#writeBank(bank.what === 'out' ? this.#out : this.#enable, bank, value);
      }
    } else if (offset >= outputBase && offset < outputBase + pins * 4) {
      const pin = (offset - outputBase) / 4;
      this.#changePad(pin, () => this.#outputSelects.set(pin, value));
    } else if (offset >= inputBase && offset < outputBase) {
      const signal = (offset - inputBase) / 4;
      this.#reroute([signal], () => this.#inputSelects.set(signal, value));
    } else if (offset >= pinBase && offset < pinBase + pins * 4) {
      const pin = (offset - pinBase) / 4;
      this.#changePad(pin, () => this.#pinWords.set(pin, value));
    }
  }

  #writeBank(words: [number, number], { upper, how }: Bank, value: number): void {
    const before = words[upper];
    const wanted = how === 'plain' ? value : how === 'set' ? before | value : before & ~value;
    const limit =
      upper === 1 ? 2 ** (this.layout.pins - 32) - 1 : this.layout.pins < 32 ? 2 ** this.layout.pins - 1 : 0xffffffff;
    const after = (wanted & limit) >>> 0;
    for (const pad of this.#pads) {
      const bit = pad.pin - upper * 32;
      if (bit >= 0 && bit < 32 && (((before ^ after) >>> bit) & 1) === 1) {
        const single = 2 ** bit;
        pad.net.change(this.#memory.now, () => {
          words[upper] = ((words[upper] & ~single) | (after & single)) >>> 0;
        });
      }
    }
    words[upper] = after;
  }

  #levels(upper: 0 | 1): number {
    this.#inputs ??= this.#pads.filter(({ pin }) => this.readsInput(pin));
    let word = 0;
    for (const { pin, net } of this.#inputs) {
      if (pin >> 5 === upper && net.level(this.#memory.now) === 1) {
        word += 2 ** (pin & 31);
      }
    }
    return word;
  }
}

/** A pad on its net: the output stage, or the pull while that is off. */
class Pad implements Source {
  readonly pin: number;
  readonly net: Net;
  readonly #matrix: PinMatrix;
  #remove: ((time: number) => void) | null = null;

  constructor(pin: number, net: Net, matrix: PinMatrix) {
    this.pin = pin;
    this.net = net;
    this.#matrix = matrix;
  }

  connect(time: number): void {
    this.#remove = this.net.add(this, time);
  }

  disconnect(time: number): void {
    this.#remove?.(time);
    this.#remove = null;
  }

  drive(time: number): Drive | null {
    return this.#matrix.output(this.pin, time) ?? this.#matrix.pull(this.pin);
  }

  next(time: number): number {
    return this.#matrix.nextOutput(this.pin, time);
  }

  period(): number {
    return this.#matrix.outputPeriod(this.pin);
  }

  isSteady(): boolean {
    return this.#matrix.outputSignal(this.pin) === null;
  }
}

const bitIf = (bit: number | null, on: boolean) => (bit !== null && on ? 2 ** bit : 0);

function bitOf(words: readonly [number, number], pin: number): Level {
  return ((words[(pin >> 5) as 0 | 1] >>> (pin & 31)) & 1) as Level;
}
