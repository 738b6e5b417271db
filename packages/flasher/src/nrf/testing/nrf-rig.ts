/** A simulated Nordic board on a virtual clock, and a client that works with it. */
import { createNrfPort, NrfDevice, type NrfDeviceOptions, type NrfPort } from '@wirebench/devices';
import { PortRig, type RigWiring } from '../../testing/port-rig.ts';
import { connectNrf } from '../connect/connect-nrf.ts';
import type { NrfBoard, NrfConnectOptions, NrfConnectStep } from '../nrf-board.ts';

export interface NrfRigOptions extends NrfDeviceOptions, RigWiring {
  /** True: the page has no access to the port as which the board comes back. */
  readonly withoutReturn?: boolean;
}

export class NrfRig extends PortRig<NrfPort> {
  readonly steps: NrfConnectStep[] = [];
  /** Output of the board. */
  text = '';
  readonly #withoutReturn: boolean;
  #used: SerialPort | null = null;

  constructor({ wire, wireSeed, pace, withoutReturn = false, ...options }: NrfRigOptions) {
    const device = new NrfDevice({ powerUp: 'bootloader', ...options });
    super((wiring) => createNrfPort(device, wiring), { wire, wireSeed, pace });
    this.#withoutReturn = withoutReturn;
    // A restart is not an unplugged cable: the board comes back soon.
    this.demo.serial.addEventListener('connect', () => {
      this.unpluggedAt = null;
    });
  }

  get device(): NrfDevice {
    return this.demo.device;
  }

  /** Lets the board start, connects, and records steps and output. */
  async connect(options: Partial<NrfConnectOptions> = {}): Promise<NrfBoard> {
    await this.clock.advance(100);
    return this.run(this.connecting(options));
  }

  /** Connects without advancing time, for tests that do so themselves. */
  connecting(options: Partial<NrfConnectOptions> = {}): Promise<NrfBoard> {
    this.#used = this.port;
    return connectNrf(this.port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      onText: (bytes) => {
        this.text += String.fromCharCode(...bytes);
      },
      ...(!this.#withoutReturn && { returned: (signal) => this.returned(signal) }),
      ...options,
    });
  }

  /** Resolves with the board's port after the previous one has vanished. */
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

  flash(offset: number, length: number): Uint8Array {
    return this.device.flash.read(offset, length);
  }

  /** Returns true if `image` is anywhere in flash at a multiple of 512 bytes. */
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
