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

/** Most bytes in one packet. */
const packetSize = 64;
const sendNow = 1 << 0;
const hasRoom = 1 << 1;
const hasByte = 1 << 2;

/**
 * The ESP32-C3's USB Serial/JTAG unit as a program sees it ("ESP32-C3 Technical Reference Manual", chapter "USB
 * Serial/JTAG Controller", registers EP1_REG and EP1_CONF_REG). It carries bytes to and from the host, which waits if
 * there is no room. Other registers are not simulated.
 */
class UsbSerial {
  readonly #base: number;
  readonly #transmit: (bytes: Uint8Array) => void;
  #received: number[] = [];
  #packet: number[] = [];

  constructor(base: number, transmit: (bytes: Uint8Array) => void) {
    this.#base = base;
    this.#transmit = transmit;
  }

  get isIdle(): boolean {
    return this.#received.length === 0 && this.#packet.length === 0;
  }

  has(address: number): boolean {
    return address === this.#base || address === this.#base + 4;
  }

  receive(bytes: Uint8Array): void {
    this.#received.push(...bytes);
  }

  read(address: number): number {
    if (address === this.#base) {
      return this.#received.shift() ?? 0;
    }
    return hasRoom | (this.#received.length > 0 ? hasByte : 0);
  }

  write(address: number, value: number): void {
    if (address === this.#base) {
      this.#packet.push(value & 0xff);
    }
    if (this.#packet.length === packetSize || (address !== this.#base && (value & sendNow) !== 0)) {
      this.#transmit(Uint8Array.from(this.#packet));
      this.#packet = [];
    }
  }
}

/** Registers of the link that carries bytes to and from the host. */
interface LinkRegisters {
  has(address: number): boolean;
  read(address: number): number;
  write(address: number, value: number): void;
}

/** A chip's registers while a program runs. Detects if the program does anything with them besides waiting. */
class WatchedRegisters implements RegisterSpace {
  readonly #links: readonly LinkRegisters[];
  readonly #others: RegisterSpace;
  /** Called before each access to a register outside the links. */
  readonly #accessing: () => void;
  /** Last value read from each register outside the links. */
  readonly #seen = new Map<number, number | null>();
  /** Last value written to each register outside the links. */
  readonly #written = new Map<number, number>();
  #polls = 0;
  #reads = 0;
  #events = 0;

  constructor(links: readonly LinkRegisters[], others: RegisterSpace, accessing: () => void) {
    this.#links = links;
    this.#others = others;
    this.#accessing = accessing;
  }

  /** Reads of a link in this period. */
  get polls(): number {
    return this.#polls;
  }

  /** Reads of other registers in this period. */
  get reads(): number {
    return this.#reads;
  }

  /**
   * Events in this period: writes to a link, changed values written to other registers, and changed values read from
   * them.
   */
  get events(): number {
    return this.#events;
  }

  beginPeriod(): void {
    this.#polls = 0;
    this.#reads = 0;
    this.#events = 0;
  }

  read(address: number): number | null {
    const link = this.#linkAt(address);
    if (link !== undefined) {
      this.#polls++;
      return link.read(address);
    }
    this.#accessing();
    const value = this.#others.read(address);
    this.#reads++;
    if (this.#seen.get(address) !== value) {
      this.#seen.set(address, value);
      this.#events++;
    }
    return value;
  }

  write(address: number, value: number): boolean {
    const link = this.#linkAt(address);
    if (link !== undefined) {
      this.#events++;
      link.write(address, value);
      return true;
    }
    if (this.#written.get(address) !== value) {
      this.#written.set(address, value);
      this.#events++;
    }
    this.#accessing();
    return this.#others.write(address, value);
  }

  #linkAt(address: number): LinkRegisters | undefined {
    return this.#links.find((link) => link.has(address));
  }
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
