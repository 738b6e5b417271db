/** A test whose Chromium may open several boards with simulated Espressif chips, each on its own port. */
import type { EspDevice, EspDeviceOptions } from '@wirebench/devices';
import { espPortOptions, makeEsp } from './esp-board.ts';
import { test as base, expect } from './fixture.ts';
import { type PluggedBoard, plugIn } from './plugged-board.ts';
import type { VirtualPort } from './virtual-port.ts';

export interface RigBoard {
  readonly device: EspDevice;
  readonly port: VirtualPort;
  readonly cable: PluggedBoard;
}

interface Fixtures {
  /** Boards in the order of their ports. `plugged` is true if they are plugged in before the page is opened. */
  rig: { readonly chips: readonly EspDeviceOptions[]; readonly plugged: boolean };
  boards: readonly RigBoard[];
}

export const test = base.extend<Fixtures>({
  rig: [{ chips: [{ chip: 'esp32s3' }], plugged: true }, { option: true }],
  boards: async ({ host, rig }, use) => {
    const boards: RigBoard[] = [];
    for (const [number, chip] of rig.chips.entries()) {
      const device = makeEsp(chip);
      const port = await host.addPort(espPortOptions(device, chip, number));
      const cable = plugIn(port, device);
      if (!rig.plugged) {
        cable.unplug();
      }
      boards.push({ device, port, cable });
    }
    await use(boards);
  },
  board: async ({ boards }, use) => {
    const [first] = boards;
    if (first === undefined) {
      throw new Error('A rig has at least one board.');
    }
    await use(first.cable);
  },
});

export { expect };
