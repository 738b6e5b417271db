/** A simulated Nordic board on a virtual clock, and the client that works with it. */
import { createNordicPort, NordicDevice, type NordicDeviceOptions, type NordicPort } from '@wirebench/devices';
import { PortRig, type RigWiring } from '../../testing/port-rig.ts';
import { connectNordic } from '../connect/connect-nordic.ts';
import type { NordicBoard, NordicConnectOptions, NordicConnectStep } from '../nordic-board.ts';

export interface NordicRigOptions extends NordicDeviceOptions, RigWiring {
  /** The board comes back where this page may not go. */
  readonly withoutReturn?: boolean;
}

export class NordicRig extends PortRig<NordicPort> {
  readonly steps: NordicConnectStep[] = [];
  /** What the board printed. */
  text = '';
  readonly #withoutReturn: boolean;
  #used: SerialPort | null = null;

  constructor({ wire, wireSeed, pace, withoutReturn = false, ...options }: NordicRigOptions) {
    const device = new NordicDevice({ powerUp: 'bootloader', ...options });
    super((wiring) => createNordicPort(device, wiring), { wire, wireSeed, pace });
    this.#withoutReturn = withoutReturn;
    // A restart pulls no cable: the board is back soon.
    this.demo.serial.addEventListener('connect', () => {
      this.unpluggedAt = null;
    });
  }

  get device(): NordicDevice {
    return this.demo.device;
  }

  /** Lets the board start, then connects, with everything that is told kept. */
  async connect(options: Partial<NordicConnectOptions> = {}): Promise<NordicBoard> {
    await this.clock.advance(100);
    return this.run(this.connecting(options));
  }

  /** The same without moving time: for tests that do so themselves. */
  connecting(options: Partial<NordicConnectOptions> = {}): Promise<NordicBoard> {
    this.#used = this.port;
    return connectNordic(this.port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      onText: (bytes) => {
        this.text += String.fromCharCode(...bytes);
      },
      ...(!this.#withoutReturn && { returned: (signal) => this.returned(signal) }),
      ...options,
    });
  }

  /** The port as which the board is there after it has vanished. */
  async returned(signal: AbortSignal): Promise<SerialPort> {
    while (this.demo.port === null || this.demo.port === this.#used) {
      await new Promise<void>((resolve, reject) => {
        this.demo.serial.addEventListener('connect', () => resolve(), { once: true });
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    this.#used = this.demo.port;
    return this.demo.port;
  }

  /** What is in flash. */
  flash(offset: number, length: number): Uint8Array {
    return this.device.flash.read(offset, length);
  }

  /** Whether `image` is anywhere in flash, at the start of a page. */
  holds(image: Uint8Array, flashSize = 0x8_0000): boolean {
    for (let offset = 0; offset + image.length <= flashSize; offset += 0x200) {
      const starts = this.flash(offset, 8).every((byte, index) => byte === image[index]);
      if (starts && this.flash(offset, image.length).every((byte, index) => byte === image[index])) {
        return true;
      }
    }
    return false;
  }
}
