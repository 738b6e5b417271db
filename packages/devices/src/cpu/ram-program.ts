/**
 * Runs a program in a chip's RAM on the device's clock, in slices. It owns UART0. One instruction takes one cycle of
 * the crystal's clock, the processor's clock in download mode; registers are as fast as RAM. On a slow computer the
 * program's time passes more slowly, and nothing is lost. A program that only waits is executed in short looks
 * (README.md).
 */
import type { Clock } from '@wirebench/clock';
import type { TimerGroup } from '../wire/timer-group.ts';
import { ChipBus, type RegisterSpace } from './chip-bus.ts';
import { type ProgramChip, programChips } from './chips.ts';
import type { Processor, Stop } from './cpu.ts';
import { Uart } from './uart.ts';
import { UsbSerial } from './usb-serial.ts';
import { WatchedRegisters } from './watched-registers.ts';

/** The services of the chip that the program uses. */
export interface ProgramSurroundings {
  readonly clock: Clock;
  readonly timers: TimerGroup;
  /** Registers other than the link's, and the RAM's content at the start. */
  readonly memory: RegisterSpace & { ramWords(): Iterable<readonly [address: number, word: number]> };
  /** The chip's unit that the host is connected to. */
  readonly link: 'uart' | 'usb';
  /** Frequency of the crystal in MHz. */
  readonly crystal: number;
  /** Initial rate of UART0 in baud. */
  readonly baudRate: number;
  /**
   * Called before the program accesses one of these registers. `time` is in the clock's milliseconds and never ahead
   * of the clock.
   */
  readonly accessing?: (time: number) => void;
  setRate(baudRate: number): void;
  transmit(bytes: Uint8Array): void;
  /** Called when the program cannot continue; `fault` has the reason. */
  crash(): void;
}

export type ProgramFault = Extract<Stop, { kind: 'fault' }>;

/** Milliseconds of the clock between two slices: the shortest after bytes have arrived, doubled up to the longest. */
const shortestSlice = 0.1;
const longestSlice = 1;
/** Most milliseconds that one slice catches up after a late timer. */
const maxMadeUp = 8;
/**
 * Most milliseconds that the program may be behind the clock. A computer that is further behind is too slow. The
 * whole delay is then skipped at once, so that the samples of the program have one gap instead of many.
 */
const maxBehind = 250;
/** Milliseconds of pure waiting after which a program is only executed in short looks. */
const idleAfter = 3;
/** Milliseconds between two looks at a program that polls only the link. */
const quietPause = 10;
/** Instructions of one look. */
const look = 1_000;
/** For a program that reads the cycle counter: instructions of one look, and cycles from one look to the next. */
const [timedLook, timedSpacing] = [200, 8_000];
/** A program that only waits polls the link at least once in this many instructions. */
const pollSpacing = 512;

/** Starts the program at `entry`. Returns null for chips whose processor has no interpreter. */
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
  /** The clock's time at cycle 0, in milliseconds. */
  #origin: number;
  /**
   * Cycle since which the program has only waited, or null. `#watches` is the closest kind of polling during the
   * wait.
   */
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

  /** The fault that ended the program; null if none did. */
  get fault(): ProgramFault | null {
    return this.#fault;
  }

  /** Stops the program when the chip is reset or loses power. Nothing more is executed or sent. */
  stop(): void {
    this.#over = true;
    this.#cancelTick();
    this.#cpu.halt();
  }

  /** Receives bytes from the host. The last one arrives at this moment, the others before it at the UART's rate. */
  receive(bytes: Uint8Array): void {
    if (this.#over) {
      return;
    }
    const now = this.#now();
    if (this.#isIdle) {
      // The program has waited until the first byte arrived.
      const first = now - Math.min(bytes.length * this.#uart.byteCycles, maxMadeUp * this.#cyclesPerMillisecond);
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

  /** Returns the cycles since the start according to the clock. */
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
    const most = maxMadeUp * this.#cyclesPerMillisecond;
    if (!this.#isIdle) {
      if (due > maxBehind * this.#cyclesPerMillisecond) {
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

  /** Executes many short looks, so that actions triggered by the cycle counter are on time. */
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
      // Bytes sent before the fault still leave the chip.
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
