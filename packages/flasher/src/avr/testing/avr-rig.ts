/** A simulated Arduino board on a virtual clock, and a client that flashes it. */
import { AvrDevice, type AvrDeviceOptions, type AvrPort, createAvrPort } from '@wirebench/devices';
import { PortRig, type RigWiring } from '../../testing/port-rig.ts';
import type { AvrBoard, AvrConnectOptions, AvrConnectStep } from '../avr-board.ts';
import { connectAvr } from '../connect/connect-avr.ts';

export interface AvrRigOptions extends Partial<AvrDeviceOptions>, RigWiring {}

export class AvrRig extends PortRig<AvrPort> {
  readonly steps: AvrConnectStep[] = [];
  #used: SerialPort | null = null;

  constructor({ wire, wireSeed, pace, ...options }: AvrRigOptions = {}) {
    const device = new AvrDevice({ board: 'arduino-uno', ...options });
    super((wiring) => createAvrPort(device, wiring), { wire, wireSeed, pace });
  }

  get device(): AvrDevice {
    return this.demo.device;
  }

  connect(options: Partial<AvrConnectOptions> = {}): Promise<AvrBoard> {
    return this.run(this.connecting(options));
  }

  /** Connects without advancing time, for tests that do so themselves. */
  connecting(options: Partial<AvrConnectOptions> = {}): Promise<AvrBoard> {
    this.#used = this.port;
    return connectAvr(this.port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      returned: (signal) => this.returned(signal),
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
    return this.demo.port;
  }

  flash(at: number, length: number): Uint8Array {
    return this.device.flash.read(at, length);
  }
}
