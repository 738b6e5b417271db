/** A test whose Chromium may open several boards with simulated Espressif chips, each on a port of its own. */
import type { EspDevice, EspDeviceOptions } from '@wirebench/devices';
import { espPortOptions, makeEsp, plugIn } from './esp-board.ts';
import { test as base, expect } from './fixture.ts';
import type { PluggedBoard } from './plugged-board.ts';
import type { VirtualPort } from './virtual-port.ts';

export interface BenchBoard {
  readonly device: EspDevice;
  readonly port: VirtualPort;
  readonly cable: PluggedBoard;
}

interface Fixtures {
  /** The boards in the order of their ports, and whether they are plugged in when the page is opened. */
  bench: { readonly chips: readonly EspDeviceOptions[]; readonly plugged: boolean };
  boards: readonly BenchBoard[];
}

export const test = base.extend<Fixtures>({
  bench: [{ chips: [{ chip: 'esp32s3' }], plugged: true }, { option: true }],
  boards: async ({ host, bench }, use) => {
    const boards: BenchBoard[] = [];
    for (const [number, chip] of bench.chips.entries()) {
      const device = makeEsp(chip);
      const port = await host.addPort(espPortOptions(device, chip, number));
      const cable = plugIn(port, device);
      if (!bench.plugged) {
        cable.unplug();
      }
      boards.push({ device, port, cable });
    }
    await use(boards);
  },
  board: async ({ boards }, use) => {
    const [first] = boards;
    if (first === undefined) {
      throw new Error('A bench has at least one board.');
    }
    await use(first.cable);
  },
});

export { expect };
