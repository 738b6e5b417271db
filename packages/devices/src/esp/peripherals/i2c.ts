/**
 * I2C0 as a master: sixteen or eight command slots, a FIFO each way, and raw interrupt bits by which a host sees what came out.
 * ESP32 Technical Reference Manual, chapter 11 "I2C Controller" (sections 11.3.3 "I2C cmd Structure", 11.5 "Registers"); ESP32-C3,
 * chapter 21. What the manuals leave open is as in the recorded sessions: an empty receive FIFO reads EE, and a transfer that
 * nobody acknowledged leaves no bit but that one.
 *
 * A transfer is worked out when it begins, and its bits, interrupts and received bytes come when their time comes.
 */
import type { I2cBus } from '../../breadboard/buses.ts';
import type { Level } from '../../breadboard/net.ts';
import { Wave } from '../../breadboard/wave.ts';
import type { RegisterBlock } from '../memory.ts';
import type { ChipContext } from './context.ts';
import { I2cBits } from './i2c-bits.ts';

type Operation = 'start' | 'write' | 'read' | 'stop' | 'end';

export interface I2cLayout {
  readonly operations: ReadonlyMap<number, Operation>;
  readonly slots: number;
  readonly sclSignal: number;
  readonly sdaSignal: number;
  /** The bit of CTR that takes settings over; null: they count at once. */
  readonly takeOver: number | null;
  /** The register that selects and divides the clock; null: there is none. */
  readonly clockRegister: number | null;
  /** What is added to a period in the registers. */
  readonly extraCycle: number;
  /** Cycles until a bus that hangs is given up, by the TO register; null: never. */
  timeout(register: number): number | null;
}

export const esp32I2c: I2cLayout = {
  operations: new Map([
    [0, 'start'],
    [1, 'write'],
    [2, 'read'],
    [3, 'stop'],
    [4, 'end'],
  ]),
  slots: 16,
  sclSignal: 29,
  sdaSignal: 30,
  takeOver: null,
  clockRegister: null,
  extraCycle: 0,
  timeout: (register) => register & 0xfffff,
};

export const esp32c3I2c: I2cLayout = {
  operations: new Map([
    [6, 'start'],
    [1, 'write'],
    [3, 'read'],
    [2, 'stop'],
    [4, 'end'],
  ]),
  slots: 8,
  sclSignal: 53,
  sdaSignal: 54,
  takeOver: 11,
  clockRegister: 0x54,
  extraCycle: 1,
  timeout: (register) => ((register & 0x20) === 0 ? null : 2 ** (register & 0x1f)),
};

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

/** Registers that count after the take-over, where there is one. */
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
/** What an empty receive FIFO gives. */
const emptyFifo = 0xee;
/** Cycles of the crystal's divided clock; C3: CLK_CONF. */
const sclkActive = 1 << 21;

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
  #transmit: number[] = [];
  #receive: number[] = [];
  #raw = 0;
  #due: Due[] = [];
  #busyUntil = Number.NEGATIVE_INFINITY;
  /** An END command left the bus as it was. */
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
        // The bits that begin something read 0.
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
      if (this.#transmit.length < fifoSize) {
        this.#transmit.push(value & 0xff);
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

  /** Milliseconds of a period in a register. */
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
    return busy | (this.#receive.length << 8) | (this.#transmit.length << 18);
  }

  #letGo(): void {
    const { pins } = this.#context;
    this.#due = [];
    this.#busyUntil = Number.NEGATIVE_INFINITY;
    this.#paused = false;
    pins.changeSignal(this.#layout.sdaSignal, () => this.#sda.cut(this.#now, 1));
    pins.changeSignal(this.#layout.sclSignal, () => this.#scl.cut(this.#now, 1));
    for (const bus of this.#buses()) {
      bus.release(this.#now);
    }
  }

  /** The buses of which both lines are seen and driven. */
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

  /** A bus that is not free when it should be: the clock is held (a time-out), or the data (somebody else is faster). */
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
    this.#run(sequence);
    this.#busyUntil = sequence.at;
  }

  #run(sequence: I2cBits): void {
    for (let slot = 0; slot < this.#layout.slots; slot++) {
      const word = this.#word(reg.commands + slot * 4);
      const operation = this.#layout.operations.get((word >> 11) & 7);
      if (operation === undefined) {
        return;
      }
      if (operation === 'start') {
        sequence.start(this.#paused || slot > 0);
        this.#paused = false;
      } else if (operation === 'stop') {
        sequence.stop();
        this.#finish(sequence.at, interrupt.complete);
        return;
      } else if (operation === 'end') {
        this.#paused = true;
        this.#finish(sequence.at, interrupt.end);
        return;
      } else if (!this.#bytes(operation, word, sequence)) {
        sequence.stop();
        this.#finish(sequence.at, interrupt.noAck);
        return;
      }
    }
  }

  #finish(at: number, bit: number): void {
    this.#later(at, () => {
      this.#raw |= bit;
    });
  }

  /** False when an acknowledgement was to be checked and is not the expected one. */
  #bytes(operation: 'write' | 'read', word: number, sequence: I2cBits): boolean {
    const [count, check, expected, ack] = [word & 0xff, (word >> 8) & 1, (word >> 9) & 1, ((word >> 10) & 1) as Level];
    for (let index = 0; index < count; index++) {
      if (operation === 'write') {
        const answer = sequence.write(this.#transmit.shift() ?? 0);
        if (check === 1 && answer !== expected) {
          return false;
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
    return true;
  }
}
