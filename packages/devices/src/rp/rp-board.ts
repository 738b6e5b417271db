/**
 * A Raspberry Pi Pico or Pico 2 on a cable: the chip with its flash, what is on USB in BOOTSEL and while a program runs, the
 * drive, and the program's serial port. Each return to the bus is a new device, as in a browser.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import type { FlashView } from '../flash/flash-view.ts';
import type { MicroPythonBoard } from '../micropython/micropython-board.ts';
import type { SimulatedBridge } from '../port/simulated-bridge.ts';
import { SimulatedSerial } from '../port/simulated-serial.ts';
import type { SimulatedSerialPort } from '../port/simulated-serial-port.ts';
import { SimulatedUsb, type UsbSocket } from '../usb/simulated-usb.ts';
import { SimulatedUsbDevice } from '../usb/usb-device.ts';
import type { Pace } from '../wire/wire.ts';
import { type ChipName, type ChipState, RpChip } from './chip/rp-chip.ts';
import { maximumTimes, typicalTimes } from './chip/spi-flash.ts';
import { RpConsole } from './console.ts';
import { DriveBlocks } from './drive/drive-blocks.ts';
import { DriveDirectoryHandle, type DriveOptions } from './drive/drive-handles.ts';
import { FatVolume } from './drive/fat-volume.ts';
import type { RpFault } from './faults.ts';
import { FaultyTarget } from './faulty-target.ts';
import { type RpProgram, rpFirmware, rpProgramIn } from './firmware.ts';
import type { RomRevision } from './rom/rp2040-rom.ts';
import type { WhiteLabel } from './rom/rp2350-rom.ts';
import { bootUsbPart } from './usb/boot-usb-part.ts';
import { FullSpeedHost } from './usb/full-speed-host.ts';
import { programUsbPart } from './usb/program-usb-part.ts';

/**
 * Timing of the flash. `instant-flash`: no time. `real-flash`: typical times of a W25Q16JV. `slow-flash`: its maximum
 * times.
 */
type RpProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

export interface RpBoardOptions {
  /** Default `rp2040`. */
  readonly chip?: ChipName;
  /** USB ids and texts of a maker's RP2350. Default: Raspberry Pi's. */
  readonly whiteLabel?: WhiteLabel;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** `none`: packets take no time. Default `wire`: full speed. */
  readonly pace?: Pace;
  /** Default `instant-flash`. */
  readonly profile?: RpProfile;
  /** Bytes, a power of two. Default 2 MiB, on an RP2350 4 MiB. */
  readonly flashSize?: number;
  /** Initial content of the flash. `factory`: an SDK program that says hello. Default `factory`. */
  readonly content?: 'factory' | 'empty' | readonly { readonly offset: number; readonly data: Uint8Array }[];
  /** Revision of an RP2040. Default `B2`. */
  readonly revision?: RomRevision;
  /** True: BOOTSEL is held when the board gets power. Default false. */
  readonly bootsel?: boolean;
  /** `uart`: the program's output is on a UART behind an adapter, and nothing of it on USB. Default `usb`. */
  readonly connection?: 'usb' | 'uart';
  /** Interpreter of programs of the kind `micropython`. Without it they print their text. */
  readonly micropython?: MicroPythonBoard;
  /** True: no driver that a browser can use is bound to PICOBOOT's interface, as on Windows. Default false. */
  readonly isHeld?: boolean;
  readonly drive?: Partial<DriveOptions>;
  /** Bus of the device. Default: a new one. */
  readonly usb?: SimulatedUsb;
  /** Registry of the program's port. Default: a new one. */
  readonly serial?: SimulatedSerial;
  /** False: the page has to request device and port. Default true. */
  readonly permission?: boolean;
  /** Milliseconds until a system has enumerated a device that appears. Default 300. */
  readonly reenumerate?: number;
  /** Sectors whose erase, and pages whose programming, leaves them as they are. Offsets in bytes. */
  readonly worn?: readonly { readonly at: 'erase' | 'program'; readonly offset: number }[];
  readonly faults?: readonly RpFault[];
  /** Seed of the remains of interrupted flash operations. Default 1. */
  readonly seed?: number;
}

const mebibyte = 1024 * 1024;
/** Milliseconds that a system takes for a device that appears on the bus, in addition to the chip's start. */
const usualReenumeration = 300;
/** A UART of the chip is reached through an adapter with a CP2102. */
const adapterIds = { usbVendorId: 0x10c4, usbProductId: 0xea60 } as const;
const raspberryPi = 0x2e8a;
/** Product ids of programs: `pico_stdio_usb` and Arduino-Pico, MicroPython. */
const productIds = { sdk: 0x000a, micropython: 0x0005 } as const;

const noTime = { erase: 0, program: 0 } as const;

/** Bytes of a program that are searched for its text. */
const searchedBytes = 65_536;

/** The board's presence in BOOTSEL. */
interface BootselStay {
  readonly host: FullSpeedHost;
  volume: Promise<FatVolume> | null;
}

export class RpBoard {
  readonly usb: SimulatedUsb;
  readonly serial: SimulatedSerial;
  readonly #options: RpBoardOptions;
  readonly #clock: Clock;
  readonly #chip: RpChip;
  readonly #socket: UsbSocket;
  readonly #console: RpConsole;
  readonly #bridge: SimulatedBridge;
  readonly #drive: DriveDirectoryHandle;
  #device: SimulatedUsbDevice | null = null;
  #stay: BootselStay | null = null;
  #cancelArrival: (() => void) | null = null;

  constructor(options: RpBoardOptions = {}) {
    const { clock = systemClock, usb = new SimulatedUsb(), serial = new SimulatedSerial() } = options;
    const { permission = true, profile = 'instant-flash', seed = 1, chip = 'rp2040' } = options;
    const { flashSize = (chip === 'rp2040' ? 2 : 4) * mebibyte } = options;
    this.#options = options;
    this.#clock = clock;
    this.usb = usb;
    this.serial = serial;
    this.#chip = new RpChip({
      chip,
      ...(options.whiteLabel !== undefined && { whiteLabel: options.whiteLabel }),
      clock,
      flashSize,
      flashTimes: { 'instant-flash': noTime, 'real-flash': typicalTimes, 'slow-flash': maximumTimes }[profile],
      ...(profile === 'instant-flash' && { romTimes: { byte: 0, exitXip: 0, clearMaps: 0 } }),
      revision: options.revision ?? 'B2',
      seed,
      takes: (offset, what) => !(options.worn ?? []).some((worn) => worn.at === what && worn.offset === offset),
    });
    this.#preload(options, chip);
    const isUart = options.connection === 'uart';
    this.#console = new RpConsole(isUart, options.micropython ?? null, () => this.#chip.resetToUsbBoot());
    this.#bridge = serial.plugIn({
      clock,
      pace: options.pace ?? 'wire',
      device: this.#console,
      ...(isUart ? adapterIds : { usbVendorId: raspberryPi, usbProductId: productIds.sdk }),
      permission: isUart && permission,
    });
    if (!isUart) {
      this.#bridge.unplug();
    }
    const board = this;
    this.#socket = {
      permitted: permission,
      get device() {
        return board.#device;
      },
    };
    usb.add(this.#socket);
    this.#drive = new DriveDirectoryHandle(
      chip === 'rp2040' ? 'RPI-RP2' : (options.whiteLabel?.volumeLabel ?? 'RP2350'),
      {
        options: { flush: 'at-once', end: 'error', ...options.drive },
        mount: () => this.#mount(),
      },
    );
    this.#chip.onState(() => this.#changed());
    this.#chip.holdBootsel(options.bootsel ?? false);
    this.#chip.powerOn();
  }

  /** `off`, `starting`, `bootsel`, `running` or `crashed`. */
  get state(): ChipState {
    return this.#chip.state;
  }

  /** The USB device: of the boot ROM, or of a program with a reset interface. Null while neither is on the bus. */
  get device(): SimulatedUsbDevice | null {
    return this.#device;
  }

  /** The serial port of the program; null while it is not there. */
  get port(): SimulatedSerialPort | null {
    return this.#bridge.port;
  }

  /** The running program; null if there is none, or none that this simulation knows. */
  get program(): RpProgram | null {
    const place = this.#chip.program;
    return place?.in === 'flash' ? rpProgramIn(this.flash.read(place.address, searchedBytes)) : null;
  }

  get flash(): FlashView {
    return this.#chip.content;
  }

  get chip(): RpChip {
    return this.#chip;
  }

  /**
   * The folder that a person picks for the drive. It stays: while the drive is not there, its methods reject with a
   * NotFoundError.
   */
  get drive(): DriveDirectoryHandle {
    return this.#drive;
  }

  /** The drive's sectors; null while it is not there. */
  get blocks(): DriveBlocks | null {
    return this.#stay === null ? null : new DriveBlocks(this.#stay.host);
  }

  /** Holds or frees the BOOTSEL button. It counts at a reset and at a plug-in. */
  holdBootsel(isHeld: boolean): void {
    this.#chip.holdBootsel(isHeld);
  }

  pressReset(): void {
    this.#chip.pressReset();
  }

  /** Pulls the cable. */
  unplug(): void {
    this.#chip.powerOff();
  }

  replug(): void {
    this.#chip.powerOff();
    this.#chip.powerOn();
  }

  #preload({ content = 'factory' }: RpBoardOptions, chip: ChipName): void {
    if (content === 'factory') {
      this.#chip.flash.preload(0, rpFirmware({ text: 'Hello from the Pico\r\n', chip }));
    } else if (content !== 'empty') {
      for (const { offset, data } of content) {
        this.#chip.flash.preload(offset, data);
      }
    }
  }

  #changed(): void {
    this.#leaveBus();
    const { state } = this.#chip;
    if (state === 'bootsel') {
      this.#arrive(() => this.#enterBootsel());
    } else if (state === 'running') {
      const { program } = this;
      if (program?.kind === 'uart' || this.#options.connection === 'uart') {
        this.#console.run(program);
      } else if (program !== null) {
        this.#arrive(() => this.#enterProgram(program));
      }
    }
  }

  #arrive(enter: () => void): void {
    this.#cancelArrival = this.#clock.schedule(this.#options.reenumerate ?? usualReenumeration, enter);
  }

  #leaveBus(): void {
    this.#cancelArrival?.();
    this.#cancelArrival = null;
    this.#stay?.host.leave();
    this.#stay = null;
    this.#console.run(null);
    if (this.#options.connection !== 'uart') {
      this.#bridge.unplug();
    }
    const device = this.#device;
    this.#device = null;
    if (device !== null) {
      device.lose();
      this.usb.announce('disconnect', device, this.#socket);
    }
  }

  #enterBootsel(): void {
    const { rom } = this.#chip;
    if (rom === null) {
      return;
    }
    const target = new FaultyTarget(rom.device, {
      clock: this.#clock,
      faults: this.#options.faults ?? [],
      unplug: (replugAfter) => this.#pull(replugAfter),
      brownOut: () => this.#chip.pressReset(),
    });
    target.control({ type: 0, request: 9, value: 1, index: 0, length: 0 });
    const slack = this.#clock === systemClock ? 5 : 0;
    const host = new FullSpeedHost(target, { clock: this.#clock, pace: this.#options.pace ?? 'wire', slack });
    this.#stay = { host, volume: null };
    this.#announce(
      new SimulatedUsbDevice(
        bootUsbPart({
          facts: rom.device.facts,
          host,
          isHeld: () => this.#options.isHeld ?? false,
          forget: () => this.#forget(),
        }),
      ),
    );
  }

  #enterProgram(program: RpProgram): void {
    this.#console.run(program);
    const usbProductId = program.kind === 'micropython' ? productIds.micropython : productIds.sdk;
    const permission = this.#bridge.permitted || (this.#options.permission ?? true);
    this.#bridge.replug({ usbVendorId: raspberryPi, usbProductId, permission });
    if (program.kind === 'sdk') {
      this.#announce(
        new SimulatedUsbDevice(
          programUsbPart({
            resetToBootsel: () => this.#chip.resetToUsbBoot(),
            resetToFlash: () => this.#chip.reboot({ kind: 'normal', delay: 100 }),
            forget: () => this.#forget(),
          }),
        ),
      );
    }
  }

  #announce(device: SimulatedUsbDevice): void {
    this.#device = device;
    this.usb.announce('connect', device, this.#socket);
  }

  #forget(): void {
    this.#socket.permitted = false;
  }

  #pull(replugAfter: number | null): void {
    this.#chip.powerOff();
    if (replugAfter !== null) {
      this.#clock.schedule(replugAfter, () => this.#chip.powerOn());
    }
  }

  async #mount(): Promise<FatVolume | null> {
    const stay = this.#stay;
    if (stay === null) {
      return null;
    }
    stay.volume ??= FatVolume.mount(new DriveBlocks(stay.host));
    return stay.volume;
  }
}
