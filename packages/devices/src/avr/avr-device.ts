/**
 * An Arduino board: power, resets through DTR, its bootloader and the sketch in flash. The bootloaders' answers are in
 * bootloaders/, the memories in memories.ts, the facts of the boards in boards.ts.
 */

import type { FlashView } from '../flash/flash-view.ts';
import { createRandom, type Random } from '../random.ts';
import type { ControlLines, Device, DeviceLine, UsbIds } from '../wire/device.ts';
import { byteTime, type Link, type UartSettings, uartLink } from '../wire/link.ts';
import { FaultInjector } from '../wire/step-faults.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { type AvrBoard, type AvrBoardName, type AvrBootloader, avrBoards, ch340Ids } from './boards.ts';
import { BootSession, uartCapacity } from './boot-session.ts';
import { atmegaBoot } from './bootloaders/atmega-boot.ts';
import type { Bootcode } from './bootloaders/boot-program.ts';
import { caterina } from './bootloaders/caterina.ts';
import { optiboot } from './bootloaders/optiboot.ts';
import { stk500v2 } from './bootloaders/stk500-v2.ts';
import type { AvrFault, AvrStep } from './faults.ts';
import { type AvrSketch, avrFirmware, sketchIn } from './firmware.ts';
import { AvrMemories } from './memories.ts';
import type { AvrDeviceOptions } from './options.ts';

/**
 * `off`: no power, or between two identities on USB. `booting`: the chip is in reset, or its program has not begun.
 * `bootloader`: waits for or communicates with a flasher. `running`: a sketch. `crashed`: silent until reset, as
 * without a sketch.
 */
export type AvrState = 'off' | 'booting' | 'bootloader' | 'running' | 'crashed';

/**
 * Reason of a start. `pin`: reset button, or DTR through the capacitor. `touch`: the sketch requests its bootloader.
 * `jump`: no reset; the bootloader starts the sketch.
 */
type StartReason = 'power' | 'pin' | 'touch' | 'jump';

const bootcodes = {
  optiboot,
  'atmega-boot': atmegaBoot,
  'stk500-v2': stk500v2,
  caterina,
} satisfies Record<AvrBootloader, Bootcode>;

/** Milliseconds from a reset until code runs: 65 ms and 16384 clocks (fuse SUT = 11, data sheet table 9-5). */
const startUpTime = 66;
/** Milliseconds from the start of a sketch until it prints its first line. */
const setupTime = 5;
/** Milliseconds from a touch until the watchdog resets the chip (Arduino's AVR core, `CDC.cpp`). */
const touchTime = 120;
/** Rate that requests the bootloader, in baud. */
const touchRate = 1_200;
const usualReenumeration = 300;
/** Throughput of a CDC port on full-speed USB. */
const usbLink: Link = { kind: 'usb', bytesPerSecond: 1_000_000 };
/** Size in bytes of a packet of the CDC endpoints. */
const usbPacketSize = 64;
/** Bytes in the transmit buffer of a flooding sketch (Arduino's `HardwareSerial`). */
const transmitBuffer = 64;

/** State from a plug-in to the next unplug. */
interface Life {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
}

export class AvrDevice implements Device {
  readonly name: AvrBoardName;
  readonly #options: AvrDeviceOptions;
  readonly #board: AvrBoard;
  readonly #bootcode: Bootcode;
  readonly #memories: AvrMemories;
  readonly #injector: FaultInjector<AvrFault>;
  readonly #random: Random;
  #link: Link;
  #life: Life | null = null;
  #state: AvrState = 'off';
  #session: BootSession | null = null;
  /** The running program, or the one that runs once there is power. */
  #program: 'bootloader' | 'sketch';
  /** True while the port has vanished because of a reset, although the chip has power. */
  #reenumerating = false;
  /** True while a host has the port open. */
  #open = false;
  #dtr = false;
  /** Rate with which a host last opened the port of a Leonardo. It keeps it after the port is closed. */
  #hostRate = 0;
  #cancelTouch: () => void = () => undefined;

  /**
   * Makes the port vanish, because of a fault or a reset on USB. Set by the code that plugs the device in; without it
   * a reset keeps the port.
   * @param replugAfter Milliseconds until the port comes back. Null: only when the user plugs it in.
   */
  onUnplug: ((replugAfter: number | null) => void) | null = null;

  constructor(options: AvrDeviceOptions) {
    const { board: name, profile = 'instant-flash', seed = 1, faults = [] } = options;
    this.name = name;
    this.#options = options;
    const { chip, ...board }: AvrBoard = avrBoards[name];
    this.#board = { ...board, chip: { ...chip, signature: options.signature ?? chip.signature } };
    this.#bootcode = bootcodes[this.#board.bootloader];
    const times = profile === 'real-flash' ? { page: 4.5, eepromByte: 3.4 } : { page: 0, eepromByte: 0 };
    this.#memories = new AvrMemories(this.#board, times, seed, options.lockBits ?? this.#board.fuses.lock);
    for (const { address, data } of contentOf(options)) {
      this.#memories.preloadFlash(address, data);
    }
    this.#memories.preloadEeprom(options.eeprom ?? new Uint8Array());
    this.#injector = new FaultInjector(faults);
    this.#random = createRandom(seed, `avr ${name}`);
    this.#link = this.#board.connection === 'usb' ? usbLink : uartLink(this.#board.bootRate);
    this.#program = this.#programAfter('power');
  }

  get state(): AvrState {
    return this.#state;
  }

  get link(): Link {
    return this.#link;
  }

  /** Ids of the adapter. Leonardo: of the running program, or of the program that runs once there is power. */
  get usbIds(): UsbIds {
    if (this.#options.adapter === 'ch340' && this.#board.connection === 'uart') {
      return ch340Ids;
    }
    return this.#board.ids[this.#program];
  }

  get flash(): FlashView {
    this.#memories.settle(this.#now);
    return this.#memories.flash;
  }

  get eeprom(): FlashView {
    this.#memories.settle(this.#now);
    return this.#memories.eeprom;
  }

  /** Lock bits as they read. */
  get lockBits(): number {
    return this.#memories.lock;
  }

  /** Number of occurrences of each protocol step since the device was created. */
  get steps(): ReadonlyMap<AvrStep, number> {
    return this.#injector.reached;
  }

  /** Presses and releases the reset button. */
  pressReset(): void {
    this.#reset('pin');
  }

  attach(line: DeviceLine): void {
    this.#life = { line, timers: new TimerGroup(line.clock) };
    line.setInputs({ clearToSend: true, dataSetReady: true });
    if (this.#reenumerating) {
      this.#reenumerating = false;
      this.#begin(0);
    } else if (this.#options.powerUp !== 'first-open') {
      this.#begin(startUpTime);
    }
  }

  detach(): void {
    this.#life?.timers.cancelAll();
    this.#session = null;
    this.#state = 'off';
    this.#open = false;
    this.#dtr = false;
    if (!this.#reenumerating) {
      this.#memories.interrupt(this.#now);
      this.#program = this.#programAfter('power');
    }
    this.#life = null;
  }

  receive(bytes: Uint8Array): void {
    this.#session?.receive(bytes);
  }

  controlChanged({ dtr }: ControlLines): void {
    const fellOnWire = dtr && !this.#dtr;
    this.#dtr = dtr;
    if (this.#board.connection === 'usb') {
      this.#watchForTouch();
    } else if (fellOnWire && this.#options.autoReset !== false) {
      this.#reset('pin');
    }
  }

  hostOpened({ baudRate }: UartSettings): void {
    const first = !this.#open;
    this.#open = true;
    this.#hostRate = baudRate;
    if (first && this.#options.resetAtOpen) {
      this.#reset('pin');
    } else if (this.#state === 'off') {
      this.#begin(startUpTime);
    }
    this.#watchForTouch();
  }

  hostClosed(): void {
    this.#open = false;
  }

  get #now(): number {
    return this.#life?.line.clock.now() ?? Number.NEGATIVE_INFINITY;
  }

  /** Restarts the time to a reset by touch: the rate is 1200 baud and DTR is released. DTR that rises cancels it. */
  #watchForTouch(): void {
    this.#cancelTouch();
    const wanted = this.#hostRate === touchRate && !this.#dtr && this.#board.connection === 'usb';
    if (wanted && this.#state === 'running' && !this.#options.ignoresTouch && this.#life !== null) {
      this.#cancelTouch = this.#life.timers.after(touchTime, () => this.#reset('touch'));
    }
  }

  #programAfter(reason: StartReason): 'bootloader' | 'sketch' {
    if (this.#options.hasBootloader === false) {
      return 'sketch';
    }
    switch (reason) {
      case 'jump':
        return 'sketch';
      case 'power': {
        const { runsAtPower } = this.#bootcode;
        const boots = runsAtPower === 'always' || (runsAtPower === 'without-sketch' && !this.#memories.hasSketch);
        return boots ? 'bootloader' : 'sketch';
      }
      default:
        return 'bootloader';
    }
  }

  #reset(reason: 'pin' | 'touch'): void {
    const life = this.#life;
    if (life !== null) {
      life.timers.cancelAll();
      this.#memories.abandon(this.#now);
      this.#switchTo(this.#programAfter(reason), startUpTime);
    }
  }

  /** Starts a program. On USB the port vanishes and comes back with the program's ids. */
  #switchTo(program: 'bootloader' | 'sketch', after: number): void {
    this.#session = null;
    this.#state = 'booting';
    this.#program = program;
    if (this.#board.connection === 'usb' && this.onUnplug !== null) {
      this.#reenumerating = true;
      this.#hostRate = 0;
      this.onUnplug(after + (this.#options.reenumerate ?? usualReenumeration));
    } else {
      this.#begin(after);
    }
  }

  #begin(after: number): void {
    this.#state = 'booting';
    this.#life?.timers.after(after, () => {
      this.#memories.settle(this.#now);
      if (this.#program === 'bootloader') {
        this.#startBootloader();
      } else {
        this.#startSketch();
      }
    });
  }

  #startBootloader(): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    const onUsb = this.#board.connection === 'usb';
    this.#state = 'bootloader';
    this.#setRate(this.#board.bootRate);
    this.#session = new BootSession(this.#bootcode, {
      ...life,
      injector: this.#injector,
      random: this.#random,
      memories: this.#memories,
      capacity: onUsb ? Number.POSITIVE_INFINITY : uartCapacity,
      packetSize: onUsb ? usbPacketSize : 1,
      patience: this.#options.patience ?? 1,
      leave: ({ after }) => {
        life.timers.cancelAll();
        this.#switchTo(this.#programAfter('jump'), after);
      },
      crash: () => this.#halt(),
      unplug: (replugAfter) => this.#pullCable(replugAfter),
    });
  }

  #startSketch(): void {
    if (!this.#memories.hasSketch) {
      if (this.#bootcode.returnsWhenEmpty && this.#options.hasBootloader !== false) {
        this.#program = 'bootloader';
        this.#startBootloader();
      } else {
        this.#state = 'crashed';
      }
      return;
    }
    this.#state = 'running';
    const sketch = sketchIn(this.#memories.flash.read(0, this.#board.bootStart));
    if (sketch !== null) {
      this.#setRate(sketch.baudRate);
      this.#life?.timers.after(setupTime, () => this.#print(sketch, 0));
    }
    this.#watchForTouch();
  }

  /** Prints a line of the sketch, and schedules the next one. */
  #print(sketch: AvrSketch, index: number): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    const line = new TextEncoder().encode(`${sketch.lines[index % sketch.lines.length] ?? ''}\r\n`);
    // A sketch on USB sends nothing while no host has raised DTR.
    if (this.#board.connection === 'uart' || this.#open) {
      const room = sketch.interval > 0 || life.line.pending + line.length <= transmitBuffer;
      life.line.write(room ? line : new Uint8Array());
    }
    const pause = sketch.interval > 0 ? sketch.interval : line.length * byteTime(this.#link);
    life.timers.after(pause, () => this.#print(sketch, index + 1));
  }

  #halt(): void {
    this.#life?.timers.cancelAll();
    this.#session = null;
    this.#state = 'crashed';
  }

  /** Pulls the cable. A device without an `onUnplug` handler becomes silent instead. */
  #pullCable(replugAfter: number | null): void {
    if (this.onUnplug === null) {
      this.#halt();
    } else {
      this.onUnplug(replugAfter);
    }
  }

  #setRate(baudRate: number): void {
    if (this.#board.connection === 'uart') {
      this.#link = uartLink(baudRate);
    }
  }
}

function contentOf({ content = 'factory', factoryBaudRate, floods }: AvrDeviceOptions) {
  switch (content) {
    case 'empty':
      return [];
    case 'factory': {
      const data = avrFirmware({
        lines: ['Factory sketch: ready'],
        size: 2_048,
        ...(factoryBaudRate !== undefined && { baudRate: factoryBaudRate }),
        ...(floods !== undefined && { floods }),
      });
      return [{ address: 0, data }];
    }
    default:
      return content;
  }
}
