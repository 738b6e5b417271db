/**
 * An RP2040 with its flash: power, the reset button's BOOTSEL sample, the watchdog, and what starts. Datasheet, section
 * 2.8.1: BOOTSEL held or no valid second stage leads to the USB boot, a valid one to the program in flash.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import type { FlashView } from '../../flash/flash-view.ts';
import { type RebootRequest, type RomRevision, Rp2040Rom } from '../rom/rp2040-rom.ts';
import { type FlashLink, type RomTimes, romTimes } from '../rom/tasks.ts';
import { Memories, type MemoryMap } from './memories.ts';
import { type FlashTimes, SpiFlash } from './spi-flash.ts';

const map: Omit<MemoryMap, 'romVersion'> = {
  ramStart: 0x2000_0000,
  ramEnd: 0x2004_2000,
  cacheStart: 0x1500_0000,
  cacheEnd: 0x1500_4000,
  romSize: 0x4000,
  readableRom: 0x2000,
};

/** The second stage: 252 bytes with a checksum behind them. */
const secondStageSize = 252;
/** Address of the program's vector table: behind the second stage. */
export const programStart = 0x1000_0100;
/** A start address in the watchdog's scratch registers (datasheet, section 2.8.1.1). */
const scratchMagic = 0xb007_c0d3;
/** Bits of the watchdog's counter, and its ticks in a millisecond: two for each microsecond (erratum E1). */
const watchdogMask = 0xff_ffff;
const watchdogTicks = 2_000;

/** Milliseconds of the chip's start. */
export interface BootTimes {
  /** From the reset to the choice between flash and USB, and to USB itself. */
  readonly start: number;
  /** 128 attempts to read a second stage, about 4 ms each, before the ROM gives up. */
  readonly attempts: number;
}

export const bootTimes: BootTimes = { start: 10, attempts: 512 };

export interface Rp2040ChipOptions {
  readonly clock?: Clock;
  /** Bytes. */
  readonly flashSize: number;
  readonly flashTimes: FlashTimes;
  readonly romTimes?: RomTimes;
  readonly bootTimes?: BootTimes;
  readonly revision?: RomRevision;
  readonly seed?: number;
  /** Returns false for a sector or page that does not take. */
  readonly takes?: (offset: number, what: 'erase' | 'program') => boolean;
  /** Microseconds that the timer shows at power-on. Default 0. */
  readonly timerStart?: number;
  /** Milliseconds by which work may run ahead of the clock. Default: 0 for virtual clocks, 5 for the system's. */
  readonly slack?: number;
}

/**
 * `off`: no supply. `starting`: between a reset and what it leads to. `bootsel`: the USB boot. `running`: a program.
 * `crashed`: it started where there is none.
 */
export type ChipState = 'off' | 'starting' | 'bootsel' | 'running' | 'crashed';

/** Place of the running program: address of its vector table in flash, or start address in RAM. */
export type ProgramPlace = { readonly in: 'flash' | 'ram'; readonly address: number };

export class Rp2040Chip {
  readonly clock: Clock;
  readonly flash: SpiFlash;
  readonly memories: Memories;
  readonly #options: Rp2040ChipOptions;
  readonly #link: FlashLink = { isOn: false, isAborted: false };
  readonly #listeners = new Set<() => void>();
  #scratch = new Uint32Array(8);
  #state: ChipState = 'off';
  #rom: Rp2040Rom | null = null;
  #program: ProgramPlace | null = null;
  #isBootselHeld = false;
  #isRebooting = false;
  #restarts = 0;
  #timerStart = 0;
  #cancels: (() => void)[] = [];

  constructor(options: Rp2040ChipOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    const { flashSize: size, flashTimes: times, seed, takes } = options;
    this.flash = new SpiFlash({
      size,
      times,
      ...(seed === undefined ? {} : { seed }),
      ...(takes === undefined ? {} : { takes }),
    });
    const romVersion = options.revision === 'B2' ? 3 : 2;
    this.memories = new Memories({ ...map, romVersion });
  }

  get state(): ChipState {
    return this.#state;
  }

  /** The USB boot; null unless the state is `bootsel`. */
  get rom(): Rp2040Rom | null {
    return this.#rom;
  }

  /** The running program; null without one. */
  get program(): ProgramPlace | null {
    return this.#program;
  }

  /** Restarts by the watchdog since the chip was made. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The watchdog's scratch registers 0 to 7 as they were at the last restart. */
  get scratch(): readonly number[] {
    return [...this.#scratch];
  }

  /** Present content of the flash. */
  get content(): FlashView {
    return this.flash.view(this.clock.now());
  }

  onState(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Holds or frees the BOOTSEL button. The ROM looks at it after each reset. */
  holdBootsel(isHeld: boolean): void {
    this.#isBootselHeld = isHeld;
  }

  powerOn(): void {
    if (this.#state === 'off') {
      this.#timerStart = this.clock.now();
      this.#start();
    }
  }

  powerOff(): void {
    this.#stop();
    this.flash.cutPower(this.clock.now());
    this.memories.clear();
    this.#scratch = new Uint32Array(8);
    this.#set('off');
  }

  /** A low level at the RUN pin: RAM is kept. */
  pressReset(): void {
    if (this.#state !== 'off') {
      this.#stop();
      this.#start();
    }
  }

  /** Asks the watchdog for a restart, as a program or the ROM does. A later request takes the place of this one. */
  reboot({ pc, sp, delay }: RebootRequest): void {
    this.#cancelTimers();
    this.#isRebooting = true;
    this.#scratch[4] = pc === 0 ? 0 : scratchMagic;
    if (pc !== 0) {
      const start = (pc | 1) >>> 0;
      this.#scratch.set([(start ^ -scratchMagic) >>> 0, sp, start], 5);
    }
    const ticks = (delay * 1_000) & watchdogMask;
    this.#after(ticks / watchdogTicks, () => {
      this.#restarts++;
      this.#stop();
      this.#start();
    });
  }

  /** The ROM function of the same name, which programs call: USB boot without BOOTSEL. */
  resetToUsbBoot(): void {
    this.#stop();
    this.#set('starting');
    const { start } = this.#options.bootTimes ?? bootTimes;
    this.#after(10 + start, () => this.#enterBootsel());
  }

  #stop(): void {
    this.#cancelTimers();
    this.#rom?.stop();
    this.#rom = null;
    this.#program = null;
    this.#isRebooting = false;
    this.#link.isOn = false;
    this.#link.isAborted = false;
  }

  /** Follows the ROM's start: the watchdog's start address, then BOOTSEL, then the second stage. */
  #start(): void {
    this.#set('starting');
    const { start, attempts } = this.#options.bootTimes ?? bootTimes;
    this.#after(start, () => {
      const [, , , , magic, check, , pc] = this.#scratch;
      if (magic === scratchMagic && ((check ?? 0) ^ (pc ?? 0)) >>> 0 === -scratchMagic >>> 0) {
        this.#jump((pc ?? 0) & ~1);
      } else if (this.#isBootselHeld) {
        this.#enterBootsel();
      } else if (this.#hasSecondStage()) {
        this.#run({ in: 'flash', address: programStart });
      } else {
        this.#after(attempts, () => {
          // The attempts have set up the link to the flash.
          this.#link.isOn = true;
          this.#enterBootsel();
        });
      }
    });
  }

  #jump(address: number): void {
    if (this.memories.isRam(address)) {
      this.#run({ in: 'ram', address });
    } else {
      this.#set('crashed');
    }
  }

  #run(program: ProgramPlace): void {
    this.#program = program;
    this.#set('running');
  }

  #enterBootsel(): void {
    const { clock, memories, flash } = this;
    const { romTimes: times = romTimes, revision = 'B1', timerStart = 0 } = this.#options;
    const slack = this.#options.slack ?? (clock === systemClock ? 5 : 0);
    this.#rom = new Rp2040Rom({
      clock,
      memories,
      flash,
      link: this.#link,
      times,
      slack,
      revision,
      timer: () => Math.floor((clock.now() - this.#timerStart) * 1_000) + timerStart,
      isRebooting: () => this.#isRebooting,
      reboot: (request) => this.reboot(request),
    });
    this.#set('bootsel');
  }

  #hasSecondStage(): boolean {
    const stage = this.flash.read(this.clock.now(), 0, secondStageSize + 4);
    const sum = new DataView(stage.buffer).getUint32(secondStageSize, true);
    return sum === checksum(stage.subarray(0, secondStageSize));
  }

  #set(state: ChipState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }

  #after(delay: number, callback: () => void): void {
    this.#cancels.push(this.clock.schedule(delay, callback));
  }

  #cancelTimers(): void {
    for (const cancel of this.#cancels.splice(0)) {
      cancel();
    }
  }
}

/** CRC-32 without reflection (datasheet, section 2.8.1.3.1): polynomial 0x04c11db7, from all ones. */
export function checksum(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) {
      sum = (sum & 0x8000_0000) === 0 ? sum << 1 : (sum << 1) ^ 0x04c1_1db7;
    }
  }
  return sum >>> 0;
}
