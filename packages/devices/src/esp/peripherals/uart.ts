/**
 * UART1: two FIFOs, with rate and frame from its registers. It decodes the received bytes from the bits on its input.
 * ESP32 Technical Reference Manual, chapter 13 "UART Controller" (sections 13.3.3 "Baud Rate Detection" ff., 13.5
 * "Registers"); ESP32-C3, chapter 25. Every read of the FIFO removes a byte, including the read of a masked write.
 */
import type { Level } from '../../breadboard/net.ts';
import { pushCharacter, Wave } from '../../breadboard/wave.ts';
import type { RegisterBlock } from '../memory.ts';
import { gateBit } from './clock-gates.ts';
import type { ChipContext } from './context.ts';

export interface UartLayout {
  readonly outSignal: number;
  readonly inSignal: number;
  /** Bits of CLKDIV with the whole number. Sixteenths are from bit 20 on. */
  readonly dividerMask: number;
  /** Bits of a count in STATUS. */
  readonly countMask: number;
  /** Register that selects and divides the clock; null: a bit of CONF0 selects it. */
  readonly clockRegister: number | null;
  /** Register whose bit 31 applies the settings; null: they apply at once. */
  readonly takeOver: number | null;
}

export const esp32Uart1: UartLayout = {
  outSignal: 17,
  inSignal: 17,
  dividerMask: 0xfffff,
  countMask: 0xff,
  clockRegister: null,
  takeOver: null,
};

export const esp32c3Uart1: UartLayout = {
  outSignal: 9,
  inSignal: 9,
  dividerMask: 0xfff,
  countMask: 0x3ff,
  clockRegister: 0x78,
  takeOver: 0x80,
};

const reg = { fifo: 0x00, raw: 0x04, clear: 0x10, divider: 0x14, status: 0x1c, config: 0x20 } as const;
export const uartFifo = reg.fifo;

const interrupt = { frame: 1 << 3, overflow: 1 << 4 } as const;
const config = { receiveReset: 1 << 17, transmitReset: 1 << 18, crystalOrApb: 1 << 27 } as const;
const fifoSize = 128;
/** Reference clock in kHz, used by the ESP32 without `TICK_REF_ALWAYS_ON`. */
const referenceClock = 1_000;
/** UART_CLK_CONF: the selection (3 is the crystal), the clock's enable bits, and the divider. */
const clockConfig = { select: 3 << 20, enables: (1 << 22) | (1 << 24) | (1 << 25), dividerShift: 12 } as const;
/** Registers after a reset: 115200 baud from 80 MHz, and 8N1 (both manuals). */
const resetWords: readonly (readonly [number, number])[] = [
  [reg.divider, 0x2b6],
  [reg.config, 0x800001c],
];

export class Uart implements RegisterBlock {
  readonly #layout: UartLayout;
  readonly #context: ChipContext;
  readonly #wave = new Wave(1);
  readonly #words = new Map<number, number>(resetWords);
  #active = new Map<number, number>(resetWords);
  #transmitEnds: number[] = [];
  #received: number[] = [];
  #raw = 0;
  /** The character in reception: the start of its start bit, and the edges since. */
  #incoming: { readonly start: number; readonly edges: [time: number, level: Level][] } | null = null;

  constructor(layout: UartLayout, context: ChipContext) {
    this.#layout = layout;
    this.#context = context;
    context.pins.provide(layout.outSignal, this.#wave);
    context.pins.listen(layout.inSignal, (time, level) => this.#edge(time, level));
  }

  reset(): void {
    this.#words.clear();
    for (const [offset, word] of resetWords) {
      this.#words.set(offset, word);
    }
    this.#active = new Map(this.#words);
    this.#received = [];
    this.#incoming = null;
    this.#raw = 0;
    this.#stopSending();
  }

  read(offset: number): number {
    this.#advance();
    const { countMask } = this.#layout;
    switch (offset) {
      case reg.fifo:
        return this.#received.shift() ?? 0;
      case reg.status:
        return ((this.#received.length & countMask) | ((this.#transmitEnds.length & countMask) << 16)) >>> 0;
      case reg.raw:
        return this.#raw;
      case this.#layout.takeOver:
        return (this.#words.get(offset) ?? 0) & 0x7fffffff;
      default:
        return this.#words.get(offset) ?? 0;
    }
  }

  write(offset: number, value: number): void {
    this.#advance();
    if (offset === reg.fifo) {
      this.#send(value & 0xff);
    } else if (offset === reg.clear) {
      this.#raw &= ~value;
    } else {
      this.#words.set(offset, value);
      if (this.#layout.takeOver === null || (offset === this.#layout.takeOver && value >= 2 ** 31)) {
        this.#active = new Map(this.#words);
      }
      if (offset === reg.config && (value & config.receiveReset) !== 0) {
        this.#received = [];
      }
      if (offset === reg.config && (value & config.transmitReset) !== 0) {
        this.#stopSending();
      }
    }
  }

  get #now(): number {
    return this.#context.memory.now;
  }

  /** Milliseconds of a bit; Infinity without a clock. */
  get #bitTime(): number {
    const { clockRegister, dividerMask } = this.#layout;
    const word = this.#active.get(reg.divider) ?? 0;
    const divider = (word & dividerMask) + ((word >>> 20) & 15) / 16;
    return divider === 0 ? Infinity : divider / this.#clock(clockRegister);
  }

  /** Returns the clock's cycles in a millisecond; 0 if it is off. */
  #clock(register: number | null): number {
    const { crystal } = this.#context;
    if (register === null) {
      return ((this.#active.get(reg.config) ?? 0) & config.crystalOrApb) === 0 ? referenceClock : crystal;
    }
    const word = this.#words.get(register) ?? 0;
    const on =
      (word & clockConfig.select) === clockConfig.select && (word & clockConfig.enables) === clockConfig.enables;
    return on ? crystal / (((word >>> clockConfig.dividerShift) & 0xff) + 1) : 0;
  }

  get #frame() {
    const word = this.#active.get(reg.config) ?? 0;
    const stop = (word >>> 4) & 3;
    return { bits: 5 + ((word >>> 2) & 3), stopBits: stop === 2 ? 1.5 : stop === 3 ? 2 : 1 };
  }

  /** True if the memory of the FIFOs has a clock. It has its own gate. */
  get #hasMemory(): boolean {
    return this.#context.gates.isOpen(gateBit.uartMemory);
  }

  #advance(): void {
    this.#context.pins.settleInput(this.#layout.inSignal);
    this.#finishIncoming(this.#now);
    while ((this.#transmitEnds[0] ?? Infinity) <= this.#now) {
      this.#transmitEnds.shift();
    }
  }

  #send(byte: number): void {
    const bitTime = this.#bitTime;
    if (!this.#hasMemory || this.#transmitEnds.length >= fifoSize || !Number.isFinite(bitTime)) {
      return;
    }
    const { pins } = this.#context;
    const start = Math.max(this.#now, this.#transmitEnds.at(-1) ?? this.#now);
    const { bits, stopBits } = this.#frame;
    pins.changeSignal(this.#layout.outSignal, () => {
      this.#wave.forget(this.#now);
      this.#transmitEnds.push(pushCharacter(this.#wave, start, byte, bitTime, stopBits, bits));
    });
  }

  #stopSending(): void {
    this.#transmitEnds = [];
    this.#context.pins.changeSignal(this.#layout.outSignal, () => this.#wave.cut(this.#now, 1));
  }

  #edge(time: number, level: Level): void {
    this.#finishIncoming(time);
    if (this.#incoming !== null) {
      this.#incoming.edges.push([time, level]);
    } else if (level === 0 && this.#hasMemory && Number.isFinite(this.#bitTime)) {
      this.#incoming = { start: time, edges: [] };
    }
  }

  /** Ends the incoming character if its stop bit has been sampled by `time`. */
  #finishIncoming(time: number): void {
    const bitTime = this.#bitTime;
    const { bits } = this.#frame;
    const incoming = this.#incoming;
    if (incoming === null || time < incoming.start + (bits + 1.5) * bitTime) {
      return;
    }
    const { start, edges } = incoming;
    this.#incoming = null;
    const sample = (bit: number): Level => {
      const at = start + (bit + 0.5) * bitTime;
      return edges.reduce<Level>((level, [when, after]) => (when <= at ? after : level), 0);
    };
    if (sample(0) === 1) {
      return;
    }
    let byte = 0;
    for (let bit = 0; bit < bits; bit++) {
      byte |= sample(bit + 1) << bit;
    }
    if (sample(bits + 1) === 0) {
      this.#raw |= interrupt.frame;
    }
    if (this.#received.length >= fifoSize) {
      this.#raw |= interrupt.overflow;
    } else {
      this.#received.push(byte);
    }
  }
}
