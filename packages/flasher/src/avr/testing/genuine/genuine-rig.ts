/** A board with its genuine bootloader behind a simulated port, on a virtual clock. */
import type { VirtualClock } from '@wirebench/clock';
import { type PortWiring, SimulatedSerial } from '@wirebench/devices';
import { PortRig, type RigWiring } from '../../../testing/port-rig.ts';
import { type GenuineBoardName, genuineBoards } from './genuine-boards.ts';
import { SimavrDevice } from './simavr-device.ts';
import { SimavrProcess } from './simavr-process.ts';

type Wiring = PortWiring & { readonly clock: VirtualClock };

function plug(device: SimavrDevice, name: GenuineBoardName, wiring: Wiring) {
  const serial = new SimulatedSerial();
  const { usbVendorId, usbProductId } = genuineBoards[name];
  const bridge = serial.plugIn({ ...wiring, device, usbVendorId, usbProductId });
  device.onLeave = () => bridge.unplug();
  return {
    serial,
    get port() {
      return bridge.port;
    },
    unplug: () => bridge.unplug(),
    replug: () => bridge.replug(),
  };
}

export class GenuineRig extends PortRig<ReturnType<typeof plug>> {
  readonly device: SimavrDevice;

  /** @param program Path of the compiled simavr-board.c. */
  constructor(program: string, name: GenuineBoardName, wiring: RigWiring = {}) {
    const board = genuineBoards[name];
    const device = new SimavrDevice(new SimavrProcess(program, board), board.baudRate === null);
    super((options) => plug(device, name, options), wiring);
    this.device = device;
  }

  /** Returns a copy of the flash, with the bootloader. */
  flash(): Uint8Array {
    return this.device.process.flash();
  }

  eeprom(): Uint8Array {
    return this.device.process.eeprom();
  }

  /** Sets flash from the address `at` without the bootloader. */
  preset(at: number, bytes: Uint8Array): void {
    this.device.process.setFlash(at, bytes);
  }

  /** Presses the reset button, and waits until a chip on USB is configured. */
  async pressReset(): Promise<void> {
    this.device.process.reset();
    await this.run(this.clock.sleep(300));
  }

  replug(): void {
    this.demo.replug();
  }

  end(): void {
    this.demo.unplug();
    this.device.process.end();
  }
}
