/**
 * An RP2040 or RP2350 with its flash: power, the reset button's BOOTSEL sample, the watchdog, and what starts. BOOTSEL
 * held or nothing to start leads to the USB boot (RP2040 datasheet, section 2.8.1; RP2350 datasheet, section 5.2).
 */
import { type Clock, systemClock } from '@wirebench/clock';
import type { FlashView } from '../../flash/flash-view.ts';
import type { BootRom, RebootRequest } from '../rom/boot-rom.ts';
import { type RomRevision, Rp2040Rom } from '../rom/rp2040-rom.ts';
import { Rp2350Rom, type WhiteLabel } from '../rom/rp2350-rom.ts';
import { type FlashLink, type RomTimes, romTimes } from '../rom/tasks.ts';
import { Memories, type MemoryMap } from './memories.ts';
import { blocksIn, extentOf } from './picobin.ts';
import { type FlashTimes, SpiFlash } from './spi-flash.ts';

export type ChipName = 'rp2040' | 'rp2350';

const maps: Readonly<Record<ChipName, Omit<MemoryMap, 'romVersion'>>> = {
  rp2040: {
    ramStart: 0x2000_0000,
    ramEnd: 0x2004_2000,
    cacheStart: 0x1500_0000,
    cacheEnd: 0x1500_4000,
    romSize: 0x4000,
    readableRom: 0x2000,
  },
  rp2350: {
    ramStart: 0x2000_0000,
    ramEnd: 0x2008_2000,
    cacheStart: 0x13ff_c000,
    cacheEnd: 0x1400_0000,
    romSize: 0x8000,
    readableRom: 0x7e00,
  },
};

/** The second stage: 252 bytes with a checksum behind them. */
const secondStageSize = 252;
/** Bytes of an image in which its blocks are looked for. */
const imageHead = 65_536;
/** A start address in the watchdog's scratch registers (datasheet, section 2.8.1.1). */
const scratchMagic = 0xb007_c0d3;
/** Bits of the watchdog's counter, and its ticks in a millisecond: the RP2040 has two for each microsecond (E1). */
const watchdogMask = 0xff_ffff;
const watchdogTicks = { rp2040: 2_000, rp2350: 1_000 } as const;

/** Milliseconds of the chip's start. */
interface BootTimes {
  /** From the reset to the choice between flash and USB, and to USB itself. */
  readonly start: number;
  /** 128 attempts to read a second stage, about 4 ms each, before the ROM gives up. */
  readonly attempts: number;
}

const bootTimes: BootTimes = { start: 10, attempts: 512 };

export interface RpChipOptions {
  /** Default `rp2040`. */
  readonly chip?: ChipName;
  /** USB ids and texts in the OTP of an RP2350. Default: Raspberry Pi's. */
  readonly whiteLabel?: WhiteLabel;
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
  /** Content of the ROM, for a comparison with the genuine one. Default: a filler. */
  readonly rom?: Uint8Array;
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

/** Place of the running program: offset of its image in flash, or start address in RAM. */
export type ProgramPlace = { readonly in: 'flash' | 'ram'; readonly address: number };

export class RpChip {
  readonly clock: Clock;
  readonly flash: SpiFlash;
  readonly memories: Memories;
  readonly name: ChipName;
  readonly #options: RpChipOptions;
  readonly #link: FlashLink = { isOn: false, isAborted: false };
  readonly #listeners = new Set<() => void>();
  #scratch = new Uint32Array(8);
  #state: ChipState = 'off';
  #rom: BootRom | null = null;
  #program: ProgramPlace | null = null;
  #isBootselHeld = false;
  #isRebooting = false;
  #restarts = 0;
  #timerStart = 0;
  #cancels: (() => void)[] = [];

  constructor(options: RpChipOptions) {
    this.#options = options;
    this.name = options.chip ?? 'rp2040';
    this.clock = options.clock ?? systemClock;
    const { flashSize: size, flashTimes: times, seed, takes } = options;
    this.flash = new SpiFlash({
      size,
      times,
      ...(seed === undefined ? {} : { seed }),
      ...(takes === undefined ? {} : { takes }),
    });
    const romVersion = options.revision === 'B2' ? 3 : 2;
    this.memories = new Memories({ ...maps[this.name], romVersion }, options.rom);
  }

  get state(): ChipState {
    return this.#state;
  }

  /** The USB boot; null unless the state is `bootsel`. */
  get rom(): BootRom | null {
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
  reboot(request: RebootRequest): void {
    this.#cancelTimers();
    this.#isRebooting = true;
    this.#scratch[4] = request.kind === 'jump' ? scratchMagic : 0;
    if (request.kind === 'jump') {
      const start = (request.pc | 1) >>> 0;
      this.#scratch.set([(start ^ -scratchMagic) >>> 0, request.sp, start], 5);
    }
    const ticks = (request.delay * 1_000) & watchdogMask;
    this.#after(ticks / watchdogTicks[this.name], () => {
      this.#restarts++;
      this.#stop();
      this.#start(request);
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
  #start(request: RebootRequest | null = null): void {
    this.#set('starting');
    const { start, attempts } = this.#options.bootTimes ?? bootTimes;
    this.#after(start, () => {
      if (request?.kind === 'ram-image') {
        this.#run({ in: 'ram', address: request.address });
        return;
      }
      const place = this.#findProgram();
      const [, , , , magic, check, , pc] = this.#scratch;
      if (magic === scratchMagic && ((check ?? 0) ^ (pc ?? 0)) >>> 0 === -scratchMagic >>> 0) {
        this.#jump((pc ?? 0) & ~1);
      } else if (this.#isBootselHeld || request?.kind === 'bootsel') {
        this.#enterBootsel();
      } else if (place !== null) {
        this.#run({ in: 'flash', address: place });
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
    const { romTimes: times = romTimes, revision = 'B1', timerStart = 0, whiteLabel = {}, seed = 1 } = this.#options;
    const context = {
      clock,
      memories,
      flash,
      link: this.#link,
      times,
      slack: this.#options.slack ?? (clock === systemClock ? 5 : 0),
      timer: () => Math.floor((clock.now() - this.#timerStart) * 1_000) + timerStart,
      isRebooting: () => this.#isRebooting,
      reboot: (request: RebootRequest) => this.reboot(request),
    };
    this.#rom =
      this.name === 'rp2040'
        ? new Rp2040Rom({ ...context, revision })
        : new Rp2350Rom({ ...context, whiteLabel, seed });
    this.#set('bootsel');
  }

  /** Returns the offset of the program that starts from flash; null if there is none. */
  #findProgram(): number | null {
    const now = this.clock.now();
    if (this.name === 'rp2040') {
      const stage = this.flash.read(now, 0, secondStageSize + 4);
      const sum = new DataView(stage.buffer).getUint32(secondStageSize, true);
      return sum === checksum(stage.subarray(0, secondStageSize)) ? 0 : null;
    }
    const { image, table } = blocksIn(this.flash.read(now, 0, imageHead));
    if (table === null) {
      return image === null ? null : 0;
    }
    const offsets = table.partitions.map(({ location }) => extentOf(location).from);
    return offsets.find((offset) => blocksIn(this.flash.read(now, offset, imageHead)).image !== null) ?? null;
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
