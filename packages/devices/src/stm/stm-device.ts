/**
 * An STM32 on a board, behind a UART: power, NRST and BOOT0, the start of its bootloader or of the program in flash.
 * The bootloader's answers are in uart/, the part's memories in chip/, the facts of each part in parts/.
 */

import type { Clock } from '@wirebench/clock';
import type { FlashView } from '../flash/flash-view.ts';
import { createRandom, type Random } from '../random.ts';
import type { ControlLines, Device, DeviceLine } from '../wire/device.ts';
import { type UartLink, type UartSettings, uartLink } from '../wire/link.ts';
import { FaultInjector } from '../wire/step-faults.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { StmChip } from './chip/stm-chip.ts';
import type { StmFault } from './faults.ts';
import type { StmDeviceOptions, StmPartName, StmProtection, StmWiring, StmWiringName } from './options.ts';
import { flashStart } from './parts/part.ts';
import type { Leaving } from './uart/dialogue.ts';
import { measuredRate } from './uart/measured-rate.ts';
import { BootloaderSession } from './uart/session.ts';

/**
 * `off`: no power. `held`: NRST is low. `booting`: from reset until the bootloader or the program runs. `bootloader`:
 * waits for or communicates with a flasher. `running`: a program. `crashed`: silent until reset, as without a
 * program.
 */
export type StmState = 'off' | 'held' | 'booting' | 'bootloader' | 'running' | 'crashed';

/** Reason of a start. Only `power` and `options` load the option bytes (RM0444, section 3.4.2). */
type StartReason = 'power' | 'pin' | 'options' | 'software';

/** Milliseconds until a program has set up its console. */
const programStart = 5;
/** Assumed settings of a host without a rate of its own. */
const usualRate: UartSettings = { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'even' };
/** USB ids of the port of an ST-LINK/V2-1, and of a CP2102. */
const adapters = {
  'st-link': { usbVendorId: 0x0483, usbProductId: 0x374b },
  cp210x: { usbVendorId: 0x10c4, usbProductId: 0xea60 },
} as const;

const wirings = {
  'dtr-reset': {
    reset: { line: 'dtr', holdsWhen: 'asserted' },
    boot0: { line: 'rts', highWhen: 'asserted' },
  },
  'rts-reset': {
    reset: { line: 'rts', holdsWhen: 'asserted' },
    boot0: { line: 'dtr', highWhen: 'asserted' },
  },
  'dtr-reset-direct': {
    reset: { line: 'dtr', holdsWhen: 'asserted' },
    boot0: { line: 'rts', highWhen: 'released' },
  },
  'rts-reset-direct': {
    reset: { line: 'rts', holdsWhen: 'asserted' },
    boot0: { line: 'dtr', highWhen: 'released' },
  },
  'by-hand': null,
} satisfies Record<StmWiringName, StmWiring | null>;

/** Returns the wiring; null if DTR and RTS have no effect. */
function wiringOf(wiring: StmWiringName | StmWiring): StmWiring | null {
  return typeof wiring === 'string' ? wirings[wiring] : wiring;
}

interface ResetPin {
  /** Called when NRST goes low: the part halts. */
  hold(): void;
  /** Called when NRST is high again: the part samples BOOT0. */
  release(): void;
}

/** NRST and BOOT0 of a part, driven by DTR and RTS through the board's wiring. */
class BootLines {
  readonly #clock: Clock;
  readonly #wiring: StmWiring;
  readonly #pin: ResetPin;
  readonly #riseTime: number;
  #lines: Pick<ControlLines, 'dtr' | 'rts'> = { dtr: false, rts: false };
  /** True while NRST is low or still rising. */
  #held: boolean;
  #cancelRise: (() => void) | null = null;

  constructor(clock: Clock, wiring: StmWiring, pin: ResetPin, riseTime: number) {
    this.#clock = clock;
    this.#wiring = wiring;
    this.#pin = pin;
    this.#riseTime = riseTime;
    this.#held = this.#resetLow;
  }

  get boot0(): boolean {
    const { line, highWhen } = this.#wiring.boot0;
    return this.#lines[line] === (highWhen === 'asserted');
  }

  /** True while the lines hold the part in reset. */
  get held(): boolean {
    return this.#held;
  }

  setLines({ dtr, rts }: ControlLines): void {
    this.#lines = { dtr, rts };
    if (this.#resetLow) {
      this.cancel();
      if (!this.#held) {
        this.#held = true;
        this.#pin.hold();
      }
    } else if (this.#held && this.#cancelRise === null) {
      this.#cancelRise = this.#clock.schedule(this.#riseTime, () => {
        this.#cancelRise = null;
        this.#held = false;
        this.#pin.release();
      });
    }
  }

  /** Cancels a pending rise of NRST. */
  cancel(): void {
    this.#cancelRise?.();
    this.#cancelRise = null;
  }

  get #resetLow(): boolean {
    const { line, holdsWhen } = this.#wiring.reset;
    return this.#lines[line] === (holdsWhen === 'asserted');
  }
}

/** State of the board from power on to power off. */
interface Life {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly lines: BootLines | null;
}

export class StmDevice implements Device {
  readonly #options: StmDeviceOptions;
  readonly #chip: StmChip;
  readonly #injector: FaultInjector<StmFault>;
  readonly #random: Random;
  readonly #commands = new Map<number, number>();
  #link: UartLink = uartLink(usualRate.baudRate, usualRate);
  #life: Life | null = null;
  #state: StmState = 'off';
  #session: BootloaderSession | null = null;
  /** Settings with which a host last opened the port. */
  #host: UartSettings | null = null;
  /** BOOT0 by its jumper or button. */
  #boot0: boolean;

  /**
   * Pulls the cable because of a fault. Set by the code that plugs the device in.
   * @param replugAfter Milliseconds until the device comes back. Null: only when the user plugs it in.
   */
  onUnplug: ((replugAfter: number | null) => void) | null = null;

  /** @throws Error if the part does not exist with such a flash. */
  constructor(options: StmDeviceOptions) {
    const { seed = 1 } = options;
    this.#options = options;
    this.#chip = new StmChip(options);
    this.#injector = new FaultInjector(options.faults ?? []);
    this.#random = createRandom(seed, `stm32 ${options.part}`);
    this.#boot0 = options.powerUp === 'bootloader';
  }

  get part(): StmPartName {
    return this.#chip.name;
  }

  get state(): StmState {
    return this.#state;
  }

  /** The device's settings. While the bootloader waits to measure the rate, they equal the host's. */
  get link(): UartLink {
    const measures = this.#state === 'bootloader' && this.#session === null;
    return measures ? { kind: 'uart', ...(this.#host ?? usualRate) } : this.#link;
  }

  /** USB ids of the board's adapter. */
  get usbIds(): { readonly usbVendorId: number; readonly usbProductId: number } {
    const { adapter = this.#options.wiring === 'by-hand' ? 'st-link' : 'cp210x' } = this.#options;
    return adapters[adapter];
  }

  get flash(): FlashView {
    this.#chip.settle(this.#now);
    return this.#chip.flash;
  }

  /** Reads any memory by address, as a debugger would. */
  readMemory(address: number, length: number): Uint8Array<ArrayBuffer> {
    this.#chip.settle(this.#now);
    return this.#chip.read(address, length);
  }

  /** Level of read protection in effect. */
  get protection(): StmProtection {
    return this.#chip.protection;
  }

  /** 24 upper-case hexadecimal digits. */
  get uniqueId(): string {
    return this.#chip.uniqueId;
  }

  /** Number of received commands by code, since the device was created. */
  get commands(): ReadonlyMap<number, number> {
    return this.#commands;
  }

  /** Presses and releases the board's reset button. */
  pressReset(): void {
    if (this.#life !== null && this.#life.lines?.held !== true) {
      this.#start('pin');
    }
  }

  /** Sets the board's BOOT0 jumper or button. The part samples it at a reset. */
  setBoot0(high: boolean): void {
    this.#boot0 = high;
  }

  attach(line: DeviceLine): void {
    const { wiring = 'dtr-reset', nrstRiseTime = 1, powerUp = 'attach' } = this.#options;
    const wires = wiringOf(wiring);
    const pin = { hold: () => this.#halt('held'), release: () => this.#start('pin') };
    const lines = wires === null ? null : new BootLines(line.clock, wires, pin, nrstRiseTime);
    this.#life = { line, timers: new TimerGroup(line.clock), lines };
    line.setInputs({ clearToSend: true, dataSetReady: true });
    if (lines?.held) {
      this.#halt('held');
    } else if (powerUp !== 'first-open') {
      this.#start('power');
    }
  }

  detach(): void {
    this.#halt('off');
    this.#life?.lines?.cancel();
    this.#life = null;
    this.#host = null;
  }

  controlChanged(lines: ControlLines): void {
    this.#life?.lines?.setLines(lines);
  }

  hostOpened(settings: UartSettings): void {
    this.#host = settings;
    if (this.#state === 'off' && this.#life !== null) {
      this.#start('power');
    }
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (!this.#take(byte, true)) {
        break;
      }
    }
  }

  receiveDamaged(_error: 'framing' | 'parity', byte: number): void {
    this.#take(byte, false);
  }

  get #now(): number {
    return this.#life?.line.clock.now() ?? Number.NEGATIVE_INFINITY;
  }

  /** Receives a byte. Returns false if bytes that follow at once are lost, because the UART is being set up. */
  #take(byte: number, intact: boolean): boolean {
    if (this.#state === 'bootloader' && this.#session === null) {
      return !this.#synchronise(byte);
    }
    this.#session?.receive(byte, intact);
    return true;
  }

  /** Measures the first byte. Returns true if the bootloader has a rate now, right or wrong. */
  #synchronise(byte: number): boolean {
    const { highestRate = 921_600, rateError = 0, checksum = false } = this.#options;
    const rate = measuredRate(byte, this.#host ?? usualRate, highestRate);
    const fault = rate === null ? null : this.#injector.reach('sync');
    if (rate === null || this.#life === null || fault?.kind === 'drop-command') {
      return false;
    }
    const { line, timers } = this.#life;
    const context = {
      chip: this.#chip,
      checksum,
      now: () => this.#now,
      count: (code: number) => this.#commands.set(code, (this.#commands.get(code) ?? 0) + 1),
    };
    const session = new BootloaderSession(context, {
      line,
      timers,
      injector: this.#injector,
      random: this.#random,
      leave: (how) => this.#leave(how),
      crash: () => this.#halt('crashed'),
      unplug: (replugAfter) => this.#pullCable(replugAfter),
      brownOut: () => this.#start('power'),
    });
    // AN2606 for every part: 8 bits, even parity, one stop bit.
    this.#link = uartLink(rate * (1 + rateError / 100), { parity: 'even' });
    this.#session = session;
    session.start(fault);
    return true;
  }

  #leave(how: Leaving): void {
    if (how.kind === 'options') {
      this.#start('options');
    } else if (this.#chip.resetsItself(how.address)) {
      this.#start('software');
    } else {
      this.#halt('booting');
      this.#life?.timers.after(programStart, () => this.#run(how.address));
    }
  }

  #halt(state: StmState): void {
    this.#life?.timers.cancelAll();
    this.#chip.interrupt(this.#now);
    this.#session = null;
    this.#state = state;
  }

  #start(reason: StartReason): void {
    this.#halt('booting');
    if (reason === 'power' || reason === 'options') {
      this.#chip.loadOptions();
    }
    const { part, protection, startsEmpty } = this.#chip;
    const boot0 = this.#boot0 || (this.#life?.lines?.boot0 ?? false);
    // Level 2 makes the bootloader inaccessible (RM0090, section 3.7.3).
    if (protection !== 2 && (boot0 || startsEmpty)) {
      this.#life?.timers.after(part.startup, () => {
        this.#state = 'bootloader';
      });
    } else {
      this.#life?.timers.after(programStart, () => this.#run(flashStart));
    }
  }

  #run(address: number): void {
    const program = this.#chip.programAt(address);
    this.#state = program === null ? 'crashed' : 'running';
    if (program !== null && program !== 'silent') {
      this.#link = uartLink(program.baudRate);
      this.#life?.line.write(new TextEncoder().encode(program.text));
    }
  }

  /** Pulls the cable. A device without an `onUnplug` handler becomes silent instead. */
  #pullCable(replugAfter: number | null): void {
    if (this.onUnplug === null) {
      this.#halt('crashed');
    } else {
      this.onUnplug(replugAfter);
    }
  }
}
