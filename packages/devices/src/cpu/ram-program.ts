/**
 * A program in a chip's RAM that runs on the device's clock, in slices. It owns UART0. One instruction takes one cycle of the crystal's
 * clock, which is what a chip in download mode runs at; registers are no slower than RAM. A computer that is too slow makes the program's
 * time pass more slowly: nothing is lost by it. A program that only waits is looked at now and then (README.md).
 */
import type { Clock } from '@wirebench/clock';
import type { TimerGroup } from '../wire/timer-group.ts';
import { ChipBus, type RegisterSpace } from './chip-bus.ts';
import { type ProgramChip, programChips } from './chips.ts';
import type { Processor, Stop } from './cpu.ts';
import { Uart } from './uart.ts';
import { UsbSerial } from './usb-serial.ts';
import { WatchedRegisters } from './watched-registers.ts';

/** What the rest of the chip has for the program. */
export interface ProgramSurroundings {
  readonly clock: Clock;
  readonly timers: TimerGroup;
  /** Registers besides those of the link, and what is in RAM at the start. */
  readonly memory: RegisterSpace & { ramWords(): Iterable<readonly [address: number, word: number]> };
  /** Which of the chip's units the host is connected to. */
  readonly link: 'uart' | 'usb';
  /** Megahertz. */
  readonly crystal: number;
  /** UART0's, in baud. */
  readonly baudRate: number;
  /** The program is about to read or write one of those registers, at this time of the clock, which is never ahead of it. */
  readonly accessing?: (time: number) => void;
  setRate(baudRate: number): void;
  transmit(bytes: Uint8Array): void;
  /** The program cannot go on; `fault` says why. */
  crash(): void;
}

export type ProgramFault = Extract<Stop, { kind: 'fault' }>;

/** Milliseconds of the clock between two slices: the first one after bytes came, and all later ones. */
const shortestSlice = 0.1;
const longestSlice = 1;
/** Most that one slice makes up for when the clock was late, in milliseconds. */
const mostMadeUp = 8;
/**
 * What the program may be behind the clock, in milliseconds. A computer that falls behind for longer is too slow: all of it is given up
 * at once, so that what the program samples meanwhile has one gap, and not many.
 */
const mostBehind = 250;
/** Milliseconds without anything to do after which a program only gets a look now and then. */
const idleAfter = 3;
/** Milliseconds between such looks where the link alone is watched. */
const quietPause = 10;
/** Instructions of a look. */
const look = 1_000;
/** Where the program reads the cycle counter: looks of so many instructions, and cycles from one to the next. */
const [timedLook, timedSpacing] = [200, 8_000];
/** A program that only waits asks the link at least once in so many instructions. */
const pollSpacing = 512;

/** Starts the program at `entry`; null where nobody has an interpreter for the chip's processor. */
export function programIn(chipName: string, entry: number, around: ProgramSurroundings): RamProgram | null {
  const chip = programChips.get(chipName);
  return chip === undefined ? null : new RamProgram(chip, entry, around);
}

export class RamProgram {
  readonly #around: ProgramSurroundings;
  readonly #registers: WatchedRegisters;
  readonly #uart: Uart;
  readonly #usb: UsbSerial;
  readonly #bus: ChipBus;
  readonly #cpu: Processor;
  readonly #cyclesPerMillisecond: number;
  /** The clock's time at cycle 0. */
  #origin: number;
  /** Since which cycle the program has only waited, and how closely it watches meanwhile. */
  #idleSince: number | null = null;
  #watches: 'link' | 'registers' | 'time' = 'link';
  #pause = shortestSlice;
  #cancelTick: () => void = () => undefined;
  #over = false;
  #fault: ProgramFault | null = null;

  constructor(chip: ProgramChip, entry: number, around: ProgramSurroundings) {
    this.#around = around;
    this.#cyclesPerMillisecond = around.crystal * 1_000;
    this.#origin = around.clock.now();
    this.#uart = new Uart(chip.uart, {
      cycles: () => this.#cpu.cycles,
      crystal: around.crystal,
      baudRate: around.baudRate,
      rateChanged: (baudRate) => around.link === 'uart' && around.setRate(baudRate),
      transmit: (bytes) => around.link === 'uart' && around.transmit(bytes),
    });
    this.#usb = new UsbSerial(chip.usbSerial, (bytes) => around.link === 'usb' && around.transmit(bytes));
    this.#registers = new WatchedRegisters([this.#uart, this.#usb], around.memory, () =>
      around.accessing?.(this.#origin + this.#cpu.cycles / this.#cyclesPerMillisecond),
    );
    this.#bus = new ChipBus(chip.windows, this.#registers);
    for (const [address, word] of around.memory.ramWords()) {
      this.#bus.write32(address, word);
    }
    this.#cpu = chip.cpu(this.#bus, entry);
    this.#schedule(0);
  }

  /** Why the program could not go on. */
  get fault(): ProgramFault | null {
    return this.#fault;
  }

  /** The chip is reset, or has lost its power. Nothing more is executed or sent. */
  stop(): void {
    this.#over = true;
    this.#cancelTick();
    this.#cpu.halt();
  }

  /** Bytes have come from the host; the last one arrives now. */
  receive(bytes: Uint8Array): void {
    if (this.#over) {
      return;
    }
    const now = this.#now();
    if (this.#isIdle) {
      // It has waited until the first byte came.
      const first = now - Math.min(bytes.length * this.#uart.byteCycles, mostMadeUp * this.#cyclesPerMillisecond);
      this.#cpu.skip(Math.max(0, Math.floor(first - this.#cpu.cycles)));
    }
    if (this.#around.link === 'uart') {
      this.#uart.receive(bytes, now);
    } else {
      this.#usb.receive(bytes);
    }
    this.#idleSince = null;
    this.#pause = shortestSlice;
    this.#schedule(0);
  }

  /** Cycles that the clock says have passed. */
  #now(): number {
    return (this.#around.clock.now() - this.#origin) * this.#cyclesPerMillisecond;
  }

  get #isIdle(): boolean {
    return this.#idleSince !== null && this.#cpu.cycles - this.#idleSince >= idleAfter * this.#cyclesPerMillisecond;
  }

  #schedule(delay: number): void {
    this.#cancelTick();
    this.#cancelTick = this.#around.timers.after(delay, () => this.#tick());
  }

  #tick(): void {
    this.#bus.beginPeriod();
    const due = Math.max(0, Math.floor(this.#now() - this.#cpu.cycles));
    const most = mostMadeUp * this.#cyclesPerMillisecond;
    if (!this.#isIdle) {
      if (due > mostBehind * this.#cyclesPerMillisecond) {
        this.#origin += (due - most) / this.#cyclesPerMillisecond;
        this.#uart.giveUp(due - most);
      }
      this.#run(Math.min(due, most));
    } else if (this.#watches === 'time') {
      this.#cpu.skip(Math.max(0, due - most));
      this.#glance(Math.min(due, most));
    } else {
      this.#cpu.skip(Math.max(0, due - look));
      this.#run(Math.min(due, look));
    }
    if (!this.#over) {
      this.#uart.flush();
      this.#schedule(this.#nextPause());
    }
  }

  /** Many short looks, so that what the program does by the cycle counter comes at its time. */
  #glance(due: number): void {
    const end = this.#cpu.cycles + due;
    while (this.#isIdle && !this.#over && this.#cpu.cycles < end) {
      this.#run(Math.min(timedLook, end - this.#cpu.cycles));
      if (this.#isIdle) {
        this.#cpu.skip(Math.max(0, Math.min(timedSpacing - timedLook, end - this.#cpu.cycles)));
      }
    }
    if (!this.#over && this.#cpu.cycles < end) {
      this.#run(end - this.#cpu.cycles);
    }
  }

  #nextPause(): number {
    if (this.#isIdle) {
      return this.#watches === 'link' ? quietPause : longestSlice;
    }
    const pause = this.#pause;
    this.#pause = Math.min(longestSlice, pause * 2);
    return pause;
  }

  #run(budget: number): void {
    const before = this.#cpu.cycles;
    const countReads = this.#cpu.countReads;
    this.#registers.beginPeriod();
    const stop = this.#cpu.run(budget);
    if (this.#over) {
      return;
    }
    if (stop.kind === 'fault') {
      // What it has sent leaves the chip without it.
      this.#uart.flush('all');
      this.stop();
      this.#fault = stop;
      this.#around.crash();
      return;
    }
    const executed = this.#cpu.cycles - before;
    const { polls, reads, events } = this.#registers;
    const polled = stop.kind === 'waiting' || polls * pollSpacing >= executed;
    if (!polled || events > 0 || this.#bus.newWords > 0 || !this.#uart.isIdle || !this.#usb.isIdle) {
      this.#idleSince = null;
    } else if (executed > 0) {
      this.#idleSince ??= before;
      this.#watches = this.#cpu.countReads > countReads ? 'time' : reads > 0 ? 'registers' : 'link';
    }
  }
}
