/**
 * An STM32 on a USB cable, with BOOT0 high so that its bootloader starts: power, resets, and the device's presence on
 * the bus. The bootloader's answers are in dfu-bootloader.ts, the page's view of the device in ../../usb.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import type { FlashView } from '../../flash/flash-view.ts';
import { SimulatedUsb, type UsbSocket } from '../../usb/simulated-usb.ts';
import { SimulatedUsbDevice } from '../../usb/usb-device.ts';
import type { UsbControlSetup } from '../../usb/web-usb.ts';
import { FaultInjector, faultDelay } from '../../wire/step-faults.ts';
import type { Pace } from '../../wire/wire.ts';
import { StmChip } from '../chip/stm-chip.ts';
import type { StmFault, StmUsbStep } from '../faults.ts';
import type { StmProgram } from '../firmware.ts';
import type { StmChipOptions, StmProtection, StmUsbPartName } from '../options.ts';
import { flashStart, type StmUsbFacts } from '../parts/part.ts';
import { type DfuAnswer, DfuBootloader } from './dfu-bootloader.ts';
import { descriptorOf, interfaceCodes, names, productId, usbVersion, vendorId } from './dfu-descriptors.ts';
import { request } from './dfu-states.ts';

export interface StmDfuOptions extends StmChipOptions<StmUsbPartName> {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** `none`: transfers take no time. Default `wire`. */
  readonly pace?: Pace;
  /** Bus of the device. Default: a new one. */
  readonly usb?: SimulatedUsb;
  /** False: the page has to request the device. Default true. */
  readonly permission?: boolean;
  /** BOOT0 by its jumper or button. Default true (high). */
  readonly boot0?: boolean;
  /**
   * Milliseconds after a reset until the device is on the bus again, in addition to the bootloader's start-up time.
   * Default 300.
   */
  readonly reenumerate?: number;
  /** `wTransferSize` of its functional descriptor, in bytes. Default: the part's. */
  readonly transferSize?: number;
}

/**
 * `off`: unplugged. `starting`: not on the bus yet. `running`: a program, which is not on the bus. `crashed`: no
 * program.
 */
export type StmDfuState = 'off' | 'starting' | 'bootloader' | 'running' | 'crashed';

const getDescriptor = 6;

/**
 * Returns the milliseconds of a control transfer at full speed: one frame, plus frames of 19 packets of 64 bytes (USB
 * 2.0, section 5.5.4).
 */
function controlTransferTime(bytes: number): number {
  return 1 + Math.ceil(bytes / 64) / 19;
}

export class StmDfuBoard {
  readonly usb: SimulatedUsb;
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #facts: StmUsbFacts;
  readonly #reenumerate: number;
  readonly #chip: StmChip;
  readonly #injector: FaultInjector<StmFault>;
  readonly #socket: UsbSocket;
  #device: SimulatedUsbDevice | null = null;
  #state: StmDfuState = 'off';
  #program: StmProgram | 'silent' | null = null;
  #boot0: boolean;
  #hangs = false;
  #timers: (() => void)[] = [];

  /** @throws Error if the part does not exist with such a flash, or has no USB bootloader. */
  constructor(options: StmDfuOptions) {
    const { clock = systemClock, pace = 'wire', usb = new SimulatedUsb(), permission = true } = options;
    const { boot0 = true, reenumerate = 300, faults = [] } = options;
    this.#chip = new StmChip(options);
    const facts = this.#chip.part.usb;
    if (facts === null) {
      throw new Error(`The bootloader of the ${this.#chip.part.title} is not on USB.`);
    }
    this.usb = usb;
    this.#clock = clock;
    this.#pace = pace;
    this.#facts = { ...facts, transferSize: options.transferSize ?? facts.transferSize };
    this.#reenumerate = reenumerate;
    this.#injector = new FaultInjector(faults);
    this.#boot0 = boot0;
    const board = this;
    this.#socket = {
      permitted: permission,
      get device() {
        return board.#device;
      },
    };
    usb.add(this.#socket);
    this.#plugIn();
  }

  /** The page's device; null while it is not on the bus. A device that comes back is a new object. */
  get device(): SimulatedUsbDevice | null {
    return this.#device;
  }

  get state(): StmDfuState {
    return this.#state;
  }

  /** The running program; null without one. */
  get program(): StmProgram | 'silent' | null {
    return this.#program;
  }

  get flash(): FlashView {
    this.#chip.settle(this.#clock.now());
    return this.#chip.flash;
  }

  /** Reads any memory by address, as a debugger would. */
  readMemory(address: number, length: number): Uint8Array<ArrayBuffer> {
    this.#chip.settle(this.#clock.now());
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

  /** Sets the board's BOOT0 jumper or button. The part samples it at a reset. */
  setBoot0(high: boolean): void {
    this.#boot0 = high;
  }

  /** Presses and releases the board's reset button. */
  pressReset(): void {
    if (this.#state !== 'off') {
      this.#reset();
    }
  }

  /** Pulls the cable: pending transfers fail, and `disconnect` is fired. */
  unplug(): void {
    this.#leaveBus();
    this.#chip.interrupt(this.#clock.now());
    this.#state = 'off';
  }

  /** Plugs the cable in again. The device is on the bus at once, as a new object. */
  replug(): void {
    this.unplug();
    this.#plugIn();
    if (this.#device !== null) {
      this.usb.announce('connect', this.#device, this.#socket);
    }
  }

  #plugIn(): void {
    this.#chip.loadOptions();
    if (this.#startsBootloader) {
      this.#enterBus();
    } else {
      this.#run(flashStart);
    }
  }

  get #startsBootloader(): boolean {
    return this.#boot0 && this.#chip.protection !== 2;
  }

  #enterBus(): void {
    const bootloader = new DfuBootloader({
      chip: this.#chip,
      transferSize: this.#facts.transferSize,
      now: () => this.#clock.now(),
      leave: (at, how) =>
        this.#after(at - this.#clock.now(), () => (how === 'options' ? this.#reset() : this.#jump(how.jump))),
    });
    this.#state = 'bootloader';
    this.#device = new SimulatedUsbDevice({
      vendorId,
      productId,
      usbVersion,
      release: this.#facts.release,
      manufacturerName: names.manufacturer,
      productName: names.product,
      serialNumber: serialNumberOf(this.#chip.uniqueId),
      interfaces: [
        this.#facts.alternates.map((interfaceName, alternateSetting) => ({
          alternateSetting,
          interfaceClass: interfaceCodes.class,
          interfaceSubclass: interfaceCodes.subclass,
          interfaceProtocol: interfaceCodes.protocol,
          interfaceName,
          endpoints: [],
        })),
      ],
      control: (setup, _direction, data, length) => this.#control(bootloader, setup, data, length),
      forget: () => {
        this.#socket.permitted = false;
      },
    });
  }

  #leaveBus(): void {
    for (const cancel of this.#timers.splice(0)) {
      cancel();
    }
    const device = this.#device;
    this.#device = null;
    this.#program = null;
    this.#hangs = false;
    if (device !== null) {
      device.lose();
      this.usb.announce('disconnect', device, this.#socket);
    }
  }

  /** Restarts the part and loads the option bytes. */
  #reset(): void {
    this.#leaveBus();
    this.#chip.interrupt(this.#clock.now());
    this.#chip.loadOptions();
    if (!this.#startsBootloader) {
      this.#run(flashStart);
      return;
    }
    this.#state = 'starting';
    this.#after(this.#reenumerate + this.#chip.part.startup, () => {
      this.#enterBus();
      if (this.#device !== null) {
        this.usb.announce('connect', this.#device, this.#socket);
      }
    });
  }

  /** Starts the program at `address`. Without a program there, the part resets (AN3156, section 5.5). */
  #jump(address: number): void {
    if (this.#chip.programAt(address) === null) {
      this.#reset();
    } else {
      this.#leaveBus();
      this.#run(address);
    }
  }

  #run(address: number): void {
    this.#program = this.#chip.programAt(address);
    this.#state = this.#program === null ? 'crashed' : 'running';
  }

  async #control(bootloader: DfuBootloader, setup: UsbControlSetup, data: Uint8Array, length: number) {
    if (this.#pace === 'wire') {
      await this.#clock.sleep(controlTransferTime(Math.max(data.length, length)));
    }
    if (setup.requestType === 'standard' && setup.request === getDescriptor) {
      const serial = serialNumberOf(this.#chip.uniqueId);
      return descriptorOf(this.#facts, serial, setup.value)?.slice(0, length) ?? 'stall';
    }
    const forDfu = setup.requestType === 'class' && setup.recipient === 'interface' && (setup.index & 0xff) === 0;
    return forDfu ? this.#request(bootloader, setup, data, length) : 'stall';
  }

  async #request(bootloader: DfuBootloader, setup: UsbControlSetup, data: Uint8Array, length: number) {
    const step = stepOf(bootloader, setup.request, length);
    const fault = step === null ? null : this.#injector.reach(step);
    this.#hangs ||= fault?.kind === 'hang';
    if (this.#hangs) {
      return new Promise<DfuAnswer>(() => undefined);
    }
    if (fault?.kind === 'late-answer') {
      await this.#clock.sleep(faultDelay(fault));
    }
    if (fault?.kind === 'error-answer') {
      return bootloader.stall();
    }
    const answer = bootloader.answer({ request: setup.request, value: setup.value, data, length });
    if (fault?.kind === 'unplug' || fault?.kind === 'brown-out') {
      const left = Math.max(0, bootloader.busyUntil - this.#clock.now());
      this.#after(left / 2, () => (fault.kind === 'unplug' ? this.#pull(fault.replugAfter) : this.#reset()));
      return left === 0 ? new Promise<DfuAnswer>(() => undefined) : answer;
    }
    return answer;
  }

  #pull(replugAfter: number | undefined): void {
    this.unplug();
    if (replugAfter !== undefined) {
      this.#clock.schedule(replugAfter, () => this.replug());
    }
  }

  #after(delay: number, callback: () => void): void {
    this.#timers.push(this.#clock.schedule(Math.max(0, delay), callback));
  }
}

function stepOf(bootloader: DfuBootloader, code: number, length: number): StmUsbStep | null {
  switch (code) {
    case request.download:
      return length === 0 ? 'dfu-leave' : 'dfu-download';
    case request.upload:
      return 'dfu-upload';
    case request.getStatus:
      return bootloader.hasOrder ? 'dfu-busy' : 'dfu-status';
    default:
      return null;
  }
}

/**
 * Returns the serial number that the bootloaders derive from the unique id: the sum of its first and third word, then
 * the upper half of the second.
 */
function serialNumberOf(uniqueId: string): string {
  const word = (index: number) => Number.parseInt(uniqueId.slice(index * 8, index * 8 + 8), 16);
  const sum = (word(0) + word(2)) >>> 0;
  return `${sum.toString(16).padStart(8, '0')}${uniqueId.slice(8, 12)}`.toUpperCase();
}
