/**
 * I2C0 as a master: 16 or 8 command slots, two FIFOs, and raw interrupt bits that show a host the result. ESP32
 * Technical Reference Manual, chapter 11 "I2C Controller" (sections 11.3.3 "I2C cmd Structure", 11.5 "Registers");
 * ESP32-C3, chapter 21. Undocumented behaviour follows the recorded sessions. An empty receive FIFO reads EE. A
 * transfer without acknowledgement sets only the bit for that.
 *
 * A transfer is computed as far as its bytes are available. Its bits, interrupts and received bytes appear at their
 * times. A byte leaves the FIFO when it is sent, so that a program can send more bytes than fit. If a byte is
 * missing, SCL stays low.
 */
import type { I2cBus } from '../../breadboard/buses.ts';
import type { Level } from '../../breadboard/net.ts';
import { Wave } from '../../breadboard/wave.ts';
import type { RegisterBlock } from '../memory.ts';
import type { ChipContext } from './context.ts';
import { I2cBits } from './i2c-bits.ts';
import type { I2cLayout } from './i2c-layouts.ts';

const reg = {
  sclLow: 0x00,
  control: 0x04,
  status: 0x08,
  timeout: 0x0c,
  fifoConfig: 0x18,
  data: 0x1c,
  raw: 0x20,
  clear: 0x24,
  enable: 0x28,
  masked: 0x2c,
  sdaHold: 0x30,
  sclHigh: 0x38,
  startHold: 0x40,
  restartSetup: 0x44,
  stopHold: 0x48,
  stopSetup: 0x4c,
  commands: 0x58,
} as const;
export const i2cFifo = reg.data;

/** Registers whose settings need the apply bit, on chips that have one. */
const takenOver: readonly number[] = [
  reg.sclLow,
  reg.control,
  reg.timeout,
  reg.sdaHold,
  reg.sclHigh,
  reg.startHold,
  reg.restartSetup,
  reg.stopHold,
  reg.stopSetup,
  0x34,
];

const interrupt = { end: 0x8, arbitration: 0x20, complete: 0x80, timeout: 0x100, noAck: 0x400 } as const;
const control = { master: 1 << 4, go: 1 << 5 } as const;
const fifoReset = { receive: 1 << 12, transmit: 1 << 13 } as const;
const fifoSize = 32;
/** Value read from an empty receive FIFO. */
const emptyFifo = 0xee;
/** Bit of the ESP32-C3's CLK_CONF that enables the controller's clock. */
const sclkActive = 1 << 21;

/** A transfer in progress, or waiting for a byte to send. */
interface Running {
  readonly sequence: I2cBits;
  slot: number;
  /** Bytes of this slot already sent or received. */
  done: number;
}

interface Due {
  readonly at: number;
  readonly happen: () => void;
}

export class I2cMaster implements RegisterBlock {
  readonly #layout: I2cLayout;
  readonly #context: ChipContext;
  readonly #sda = new Wave(1, true);
  readonly #scl = new Wave(1, true);
  readonly #words = new Map<number, number>();
  readonly #active = new Map<number, number>();
  /** Bytes that no transfer has taken yet. */
  #transmit: number[] = [];
  /** Number of bytes that a transfer has taken but not begun to send. */
  #taken = 0;
  #starved: Running | null = null;
  #receive: number[] = [];
  #raw = 0;
  #due: Due[] = [];
  #busyUntil = Number.NEGATIVE_INFINITY;
  /** True after an END command, which leaves the bus occupied. */
  #paused = false;

  constructor(layout: I2cLayout, context: ChipContext) {
    this.#layout = layout;
    this.#context = context;
    context.pins.provide(layout.sdaSignal, this.#sda);
    context.pins.provide(layout.sclSignal, this.#scl);
  }

  reset(): void {
    this.#advance();
    this.#words.clear();
    this.#active.clear();
    this.#transmit = [];
    this.#receive = [];
    this.#raw = 0;
    this.#letGo();
  }

  read(offset: number): number {
    this.#advance();
    switch (offset) {
      case reg.data:
        return this.#receive.shift() ?? emptyFifo;
      case reg.status:
        return this.#status();
      case reg.raw:
        return this.#raw;
      case reg.masked:
        return this.#raw & this.#word(reg.enable);
      case reg.control:
        // The bits that start an action read 0.
        return this.#word(offset) & ~control.go & ~(this.#layout.takeOver === null ? 0 : 1 << this.#layout.takeOver);
      case reg.clear:
        return 0;
      default:
        return this.#word(offset);
    }
  }

  write(offset: number, value: number): void {
    this.#advance();
    if (offset === reg.data) {
      if (this.#transmit.length + this.#taken < fifoSize) {
        this.#transmit.push(value & 0xff);
        this.#goOn();
      }
    } else if (offset === reg.clear) {
      this.#raw &= ~value;
    } else if (offset !== reg.status && offset !== reg.raw) {
      this.#words.set(offset, value);
      if (offset === reg.fifoConfig) {
        this.#transmit = (value & fifoReset.transmit) === 0 ? this.#transmit : [];
        this.#receive = (value & fifoReset.receive) === 0 ? this.#receive : [];
      } else if (offset === reg.control) {
        this.#control(value);
      }
    }
  }

  #control(value: number): void {
    const { takeOver } = this.#layout;
    if (takeOver !== null && ((value >>> takeOver) & 1) === 1) {
      for (const register of takenOver) {
        this.#active.set(register, this.#word(register));
      }
    }
    const settings = this.#setting(reg.control);
    if (
      (value & control.go) !== 0 &&
      (settings & control.master) !== 0 &&
      this.#clock > 0 &&
      this.#now >= this.#busyUntil
    ) {
      this.#transfer();
    }
  }

  get #now(): number {
    return this.#context.memory.now;
  }

  /** Cycles in a millisecond; 0: the clock is off. */
  get #clock(): number {
    const { clockRegister } = this.#layout;
    if (clockRegister === null) {
      return this.#context.crystal;
    }
    const word = this.#word(clockRegister);
    return (word & sclkActive) === 0 ? 0 : this.#context.crystal / ((word & 0xff) + 1);
  }

  #word(offset: number): number {
    return this.#words.get(offset) ?? 0;
  }

  #setting(offset: number): number {
    return this.#layout.takeOver === null ? this.#word(offset) : (this.#active.get(offset) ?? 0);
  }

  /** Returns the milliseconds of a period in a register. */
  #time(register: number): number {
    return ((this.#setting(register) & 0x3fff) + this.#layout.extraCycle) / this.#clock;
  }

  #advance(): void {
    const due = this.#due.filter(({ at }) => at <= this.#now);
    this.#due = this.#due.filter(({ at }) => at > this.#now);
    for (const { happen } of due) {
      happen();
    }
  }

  #status(): number {
    const busy = this.#now < this.#busyUntil || this.#paused ? 1 << 4 : 0;
    return busy | (this.#receive.length << 8) | ((this.#transmit.length + this.#taken) << 18);
  }

  #letGo(): void {
    const { pins } = this.#context;
    this.#due = [];
    this.#taken = 0;
    this.#starved = null;
    this.#busyUntil = Number.NEGATIVE_INFINITY;
    this.#paused = false;
    pins.changeSignal(this.#layout.sdaSignal, () => this.#sda.cut(this.#now, 1));
    pins.changeSignal(this.#layout.sclSignal, () => this.#scl.cut(this.#now, 1));
    for (const bus of this.#buses()) {
      bus.release(this.#now);
    }
  }

  /** Returns the buses with both lines connected to inputs and outputs of this controller. */
  #buses(): readonly I2cBus[] {
    const { pins, board } = this.#context;
    const { sdaSignal, sclSignal } = this.#layout;
    const [sda, scl] = [pins.inputNet(sdaSignal), pins.inputNet(sclSignal)];
    if (sda === null || scl === null) {
      return [];
    }
    const drives = (signal: number, net: typeof sda) => pins.outputNets(signal).some((other) => other.isJoinedTo(net));
    return drives(sdaSignal, sda) && drives(sclSignal, scl) ? board.i2cBuses(sda, scl) : [];
  }

  #later(at: number, happen: () => void): void {
    this.#due.push({ at, happen });
  }

  /** Returns the obstacle on a bus that is not free. A low SCL is a timeout, a low SDA a lost arbitration. */
  #obstacle(): { readonly bit: number; readonly after: number | null } | null {
    const { pins } = this.#context;
    if (this.#paused) {
      return null;
    }
    if (pins.input(this.#layout.sclSignal) === 0) {
      const cycles = this.#layout.timeout(this.#setting(reg.timeout));
      return { bit: interrupt.timeout, after: cycles === null ? null : cycles / this.#clock };
    }
    return pins.input(this.#layout.sdaSignal) === 0
      ? { bit: interrupt.arbitration, after: this.#time(reg.startHold) }
      : null;
  }

  #transfer(): void {
    const { pins } = this.#context;
    const { sdaSignal, sclSignal } = this.#layout;
    const obstacle = this.#obstacle();
    if (obstacle !== null) {
      this.#busyUntil = this.#now + (obstacle.after ?? Infinity);
      if (obstacle.after !== null) {
        this.#later(this.#busyUntil, () => {
          this.#raw |= obstacle.bit;
        });
      }
      return;
    }
    const buses = this.#buses();
    for (const bus of buses) {
      bus.settle(this.#now);
    }
    pins.changeSignal(sdaSignal, () => this.#sda.forget(this.#now));
    pins.changeSignal(sclSignal, () => this.#scl.forget(this.#now));
    const sequence = new I2cBits(this.#now, this.#sda, this.#scl, buses, {
      low: this.#time(reg.sclLow),
      high: this.#time(reg.sclHigh),
      hold: this.#time(reg.sdaHold),
      startHold: this.#time(reg.startHold),
      restartSetup: this.#time(reg.restartSetup),
      stopSetup: this.#time(reg.stopSetup),
      stopHold: this.#time(reg.stopHold),
    });
    this.#run({ sequence, slot: 0, done: 0 });
  }

  /** Continues a transfer that waits for the byte that has just been written. */
  #goOn(): void {
    const starved = this.#starved;
    if (starved !== null) {
      const { pins } = this.#context;
      this.#starved = null;
      starved.sequence.at = Math.max(starved.sequence.at, this.#now);
      pins.changeSignal(this.#layout.sdaSignal, () => this.#sda.forget(this.#now));
      pins.changeSignal(this.#layout.sclSignal, () => this.#scl.forget(this.#now));
      this.#run(starved);
    }
  }

  #run(running: Running): void {
    const { sequence } = running;
    for (; running.slot < this.#layout.slots; running.slot++, running.done = 0) {
      const word = this.#word(reg.commands + running.slot * 4);
      const operation = this.#layout.operations.get((word >> 11) & 7);
      if (operation === undefined) {
        break;
      }
      if (operation === 'start') {
        sequence.start(this.#paused || running.slot > 0);
        this.#paused = false;
      } else if (operation === 'stop') {
        sequence.stop();
        this.#finish(sequence.at, interrupt.complete);
        break;
      } else if (operation === 'end') {
        this.#paused = true;
        this.#finish(sequence.at, interrupt.end);
        break;
      } else {
        const outcome = this.#bytes(operation, word, running);
        if (outcome === 'starved') {
          this.#starve(running);
          return;
        }
        if (outcome === 'refused') {
          sequence.stop();
          this.#finish(sequence.at, interrupt.noAck);
          break;
        }
      }
    }
    this.#busyUntil = sequence.at;
  }

  /** Waits with SCL low for a byte, and raises the timeout interrupt after the timeout. */
  #starve(running: Running): void {
    this.#starved = running;
    this.#busyUntil = Infinity;
    const { slot, done } = running;
    const cycles = this.#layout.timeout(this.#setting(reg.timeout));
    if (cycles !== null) {
      this.#later(running.sequence.at + cycles / this.#clock, () => {
        if (this.#starved === running && running.slot === slot && running.done === done) {
          this.#raw |= interrupt.timeout;
        }
      });
    }
  }

  #finish(at: number, bit: number): void {
    this.#later(at, () => {
      this.#raw |= bit;
    });
  }

  /**
   * Executes a slot that writes or reads bytes. `refused`: a checked acknowledgement is not the expected one.
   * `starved`: the FIFO is empty.
   */
  #bytes(operation: 'write' | 'read', word: number, running: Running): 'sent' | 'refused' | 'starved' {
    const { sequence } = running;
    const [count, check, expected, ack] = [word & 0xff, (word >> 8) & 1, (word >> 9) & 1, ((word >> 10) & 1) as Level];
    for (; running.done < count; running.done++) {
      if (operation === 'write') {
        const byte = this.#transmit.shift();
        if (byte === undefined) {
          return 'starved';
        }
        this.#taken++;
        this.#later(sequence.at, () => this.#taken--);
        const answer = sequence.write(byte);
        if (check === 1 && answer !== expected) {
          return 'refused';
        }
      } else {
        const byte = sequence.read(ack);
        this.#later(sequence.at, () => {
          if (this.#receive.length < fifoSize) {
            this.#receive.push(byte);
          }
        });
      }
    }
    return 'sent';
  }
}
