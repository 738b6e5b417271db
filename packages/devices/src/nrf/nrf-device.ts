/**
 * A Nordic chip on a board: power, resets, its bootloader and the application in flash. The bootloaders' answers are
 * in secure/, adafruit/ and mcuboot/, the facts of the boards in boards.ts.
 */

import type { FlashView } from '../flash/flash-view.ts';
import { createRandom, type Random } from '../random.ts';
import type { ControlLines, Device, DeviceLine, UsbIds } from '../wire/device.ts';
import { type Link, type UartSettings, uartLink } from '../wire/link.ts';
import { FaultInjector } from '../wire/step-faults.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { AdafruitBootcode } from './adafruit/adafruit-bootcode.ts';
import { type NrfBoard, type NrfBoardName, nrfBoards } from './boards.ts';
import type { Bootcode, BootDecision, IdleRule, ResetReason } from './boot-session.ts';
import { Conversation } from './conversation.ts';
import type { NrfFault, NrfStep } from './faults.ts';
import { McubootBootcode } from './mcuboot/mcuboot-bootcode.ts';
import { Nvm } from './nvm.ts';
import type { NrfDeviceOptions } from './options.ts';
import { SecureBootcode } from './secure/secure-bootcode.ts';

/**
 * `off`: no power, or between two identities on USB. `booting`: from a reset until a program runs. `bootloader`:
 * waits for or communicates with a flasher. `running`: the application. `crashed`: silent until reset.
 */
export type NrfState = 'off' | 'booting' | 'bootloader' | 'running' | 'crashed';

const bootloaderRate = 115_200;
/** Throughput of a CDC port on full-speed USB. */
const usbLink: Link = { kind: 'usb', bytesPerSecond: 1_000_000 };
/** Milliseconds from a reset until a bootloader or an application runs. */
const startTime = 20;
/** Milliseconds from the opening of its console until an application prints. */
const greetingTime = 50;
/** Milliseconds from a touch until the application restarts. */
const touchTime = 5;
/** Rate that requests the bootloader, in baud (Arduino, "1200 bps touch"). */
const touchRate = 1_200;
const usualReenumeration = 300;

/** State from a plug-in to the next unplug. */
interface Life {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
}

export class NrfDevice implements Device {
  readonly name: NrfBoardName;
  readonly #options: NrfDeviceOptions;
  readonly #board: NrfBoard;
  readonly #nvm: Nvm;
  readonly #injector: FaultInjector<NrfFault>;
  readonly #random: Random;
  readonly #boot: Bootcode;
  #link: Link;
  #life: Life | null = null;
  #state: NrfState = 'off';
  #conversation: Conversation | null = null;
  /** The running program, or the one that runs once there is power. */
  #decision: BootDecision;
  /** True while the port has vanished because of a reset, although the chip has power. */
  #reenumerating = false;
  #hostRate: number | null = null;
  #dtr = false;
  /** Text of the application that waits until a host opens the console. */
  #unsaid: string | null = null;
  #cancelIdle: () => void = () => undefined;

  /**
   * Makes the port vanish, because of a fault or a reset on USB. Set by the code that plugs the device in; without it
   * a reset keeps the port.
   * @param replugAfter Milliseconds until the port comes back. Null: only when the user plugs it in.
   */
  onUnplug: ((replugAfter: number | null) => void) | null = null;

  constructor(options: NrfDeviceOptions) {
    const { board: name, profile = 'instant-flash', seed = 1, faults = [] } = options;
    this.name = name;
    this.#options = options;
    this.#board = nrfBoards[name];
    const { chip, bootloader } = this.#board;
    const { times: typical, slowest } = chip;
    const times = { 'instant-flash': { page: 0, word: 0 }, 'real-flash': typical, 'slow-flash': slowest }[profile];
    this.#nvm = new Nvm(chip.flashSize, times, createRandom(seed, 'half done'));
    if (options.background !== undefined) {
      this.#nvm.preload(0, options.background);
    }
    this.#injector = new FaultInjector(faults);
    this.#random = createRandom(seed, `nordic ${name}`);
    const bootcodes = { secure: SecureBootcode, adafruit: AdafruitBootcode, mcuboot: McubootBootcode };
    this.#boot = new bootcodes[bootloader](this.#board, this.#nvm, options);
    this.#link = this.#board.connection === 'usb' ? usbLink : uartLink(bootloaderRate);
    this.#decision = this.#decideAtPower();
  }

  get state(): NrfState {
    return this.#state;
  }

  get link(): Link {
    return this.#link;
  }

  /** Ids of the running program, or of the program that runs once there is power. */
  get usbIds(): UsbIds {
    const { ids } = this.#board;
    switch (this.#decision.start) {
      case 'application':
        return ids.application;
      case 'serial-only':
        return ids.serialOnly ?? ids.bootloader;
      default:
        return ids.bootloader;
    }
  }

  get flash(): FlashView {
    this.#nvm.settle(this.#now);
    return this.#nvm;
  }

  /** Number of occurrences of each protocol step since the device was created. */
  get steps(): ReadonlyMap<NrfStep, number> {
    return this.#injector.reached;
  }

  /** Presses the reset button: once, with the boot button held, or twice in a row. */
  pressReset(how: 'once' | 'with-boot-button' | 'twice' = 'once'): void {
    if (this.#life !== null) {
      this.#reset(({ once: 'pin', 'with-boot-button': 'button', twice: 'double' } as const)[how]);
    }
  }

  attach(line: DeviceLine): void {
    this.#life = { line, timers: new TimerGroup(line.clock) };
    line.setInputs({ clearToSend: true, dataSetReady: true });
    this.#reenumerating = false;
    // On USB the port appears when the chip is ready.
    this.#begin(this.#board.connection === 'usb' ? 0 : startTime);
  }

  detach(): void {
    this.#life?.timers.cancelAll();
    this.#conversation = null;
    this.#state = 'off';
    this.#hostRate = null;
    this.#dtr = false;
    if (!this.#reenumerating) {
      this.#nvm.interrupt(this.#now);
      this.#decision = this.#decideAtPower();
    }
    this.#life = null;
  }

  receive(bytes: Uint8Array): void {
    this.#conversation?.receive(bytes);
  }

  controlChanged({ dtr }: ControlLines): void {
    const [rose, fell] = [dtr && !this.#dtr, !dtr && this.#dtr];
    this.#dtr = dtr;
    if (rose && this.#board.dtrResets) {
      this.#reset('pin');
    } else if (fell && this.#hostRate === touchRate && this.#state === 'running' && this.#knowsTouch) {
      this.#life?.timers.after(touchTime, () => this.#reset('touch'));
    }
  }

  hostOpened({ baudRate }: UartSettings): void {
    this.#hostRate = baudRate;
    this.#greet();
  }

  hostClosed(): void {
    this.#hostRate = null;
  }

  get #now(): number {
    return this.#life?.line.clock.now() ?? Number.NEGATIVE_INFINITY;
  }

  /** True if the application reacts to the touch. Arduino's core for these boards does; other programs do not. */
  get #knowsTouch(): boolean {
    return this.#board.bootloader === 'adafruit' && this.#board.connection === 'usb';
  }

  #decideAtPower(): BootDecision {
    const reason = this.#options.powerUp === 'bootloader' ? 'button' : 'power';
    return this.#boot.reset(reason, this.#now);
  }

  #reset(reason: ResetReason): void {
    const life = this.#life;
    if (life !== null) {
      life.timers.cancelAll();
      this.#nvm.abandon(this.#now);
      const decision = this.#boot.reset(reason, this.#now);
      const flashed = decision.start === 'application' && (reason === 'soft' || reason === 'jump');
      this.#goOn(decision, flashed ? this.#injector.reach('restart') : null);
    }
  }

  #goOn(decision: BootDecision, fault: NrfFault | null): void {
    this.#conversation = null;
    this.#unsaid = null;
    this.#state = 'booting';
    this.#decision = decision;
    if (fault?.kind === 'unplug') {
      this.#pullCable(fault.replugAfter ?? null);
    } else if (this.#board.connection === 'usb' && this.onUnplug !== null) {
      this.#reenumerating = true;
      this.onUnplug(fault?.kind === 'hang' ? null : (this.#options.reenumerate ?? usualReenumeration) + decision.takes);
    } else if (fault?.kind === 'hang') {
      this.#state = 'crashed';
    } else {
      this.#begin(startTime + decision.takes);
    }
  }

  #begin(after: number): void {
    this.#state = 'booting';
    this.#life?.timers.after(after, () => {
      this.#nvm.settle(this.#now);
      if (this.#decision.start === 'application') {
        this.#startApplication();
      } else {
        this.#startBootloader();
      }
    });
  }

  #startApplication(): void {
    this.#state = 'running';
    this.#setRate(this.#options.appBaudRate ?? bootloaderRate);
    this.#unsaid = this.#boot.bootText();
    this.#greet();
  }

  /** Prints the application's text once a host has opened the console. */
  #greet(): void {
    if (this.#unsaid !== null && this.#hostRate !== null && this.#state === 'running') {
      const text = this.#unsaid;
      this.#unsaid = null;
      this.#life?.timers.after(greetingTime, () => this.#life?.line.write(new TextEncoder().encode(text)));
    }
  }

  #startBootloader(): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    const { idle = null } = this.#decision;
    this.#state = 'bootloader';
    this.#setRate(bootloaderRate);
    this.#conversation = new Conversation(this.#boot.open(), {
      ...life,
      injector: this.#injector,
      random: this.#random,
      nvm: this.#nvm,
      received: () => this.#watch(idle?.once ? null : idle),
      end: (by) => this.#reset(by === 'jump' ? 'jump' : 'soft'),
      crash: () => {
        life.timers.cancelAll();
        this.#conversation = null;
        this.#state = 'crashed';
      },
      unplug: (replugAfter) => this.#pullCable(replugAfter),
    });
    this.#watch(idle);
  }

  /** Restarts the timer of the idle rule. Null stops it. */
  #watch(rule: IdleRule | null): void {
    this.#cancelIdle();
    this.#cancelIdle = () => undefined;
    if (rule !== null && this.#life !== null) {
      this.#cancelIdle = this.#life.timers.after(rule.after, () => {
        if (rule.next === 'reset') {
          this.#reset('soft');
        } else {
          this.#goOn({ start: 'application', takes: 0 }, null);
        }
      });
    }
  }

  /** Pulls the cable. A device without an `onUnplug` handler becomes silent instead. */
  #pullCable(replugAfter: number | null): void {
    if (this.onUnplug === null) {
      this.#life?.timers.cancelAll();
      this.#conversation = null;
      this.#state = 'crashed';
    } else {
      this.onUnplug(replugAfter);
    }
  }

  #setRate(baudRate: number): void {
    if (this.#link.kind === 'uart') {
      this.#link = uartLink(baudRate);
    }
  }
}
