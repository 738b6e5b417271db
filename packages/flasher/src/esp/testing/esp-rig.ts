/** A simulated Espressif board on a virtual clock, and a client that flashes it. Shared by the device tests. */
import { createEspPort, EspDevice, type EspDeviceOptions, type EspPort } from '@wirebench/devices';
import { PortRig, type RigWiring } from '../../testing/port-rig.ts';
import { chipNames } from '../chips/chip-facts.ts';
import { loadChip } from '../chips/load-chip.ts';
import { connectEsp } from '../connect/connect-esp.ts';
import type { EspBoard, EspConnectOptions, EspConnectStep, EspNotice } from '../esp-board.ts';

export interface EspRigOptions extends Partial<EspDeviceOptions>, RigWiring {}

export class EspRig extends PortRig<EspPort> {
  readonly steps: EspConnectStep[] = [];
  readonly notices: EspNotice[] = [];
  /** Output of the board. */
  text = '';

  constructor({ wire, wireSeed, pace, ...options }: EspRigOptions = {}) {
    const device = new EspDevice({ chip: 'esp32', flash: { content: 'empty' }, ...options });
    super((wiring) => createEspPort(device, wiring), { wire, wireSeed, pace });
  }

  get device(): EspDevice {
    return this.demo.device;
  }

  /** Connects, and records steps, notices and output. */
  connect(options: Partial<EspConnectOptions> = {}): Promise<EspBoard> {
    return this.run(this.connecting(options));
  }

  /** Connects without advancing time, for tests that do so themselves. */
  connecting(options: Partial<EspConnectOptions> = {}): Promise<EspBoard> {
    return connectEsp(this.port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      onNotice: (notice) => this.notices.push(notice),
      onText: (bytes) => {
        this.text += String.fromCharCode(...bytes);
      },
      ...options,
    });
  }

  flash(offset: number, length: number): Uint8Array {
    return this.device.flash.read(offset, length);
  }
}

/** Loads the modules that a first connection would load, so that no virtual time passes during the test. */
export async function loadAllChips(): Promise<void> {
  for (const name of chipNames) {
    const chip = await loadChip(name);
    await chip.loadStub({ major: 0, minor: 1 });
    await chip.loadStub({ major: 3, minor: 0 });
  }
}
