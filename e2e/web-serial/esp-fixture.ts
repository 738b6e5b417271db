/** A test whose Chromium sees a board with a simulated Espressif chip: its USB IDs, its reset circuit, its cable. */
import type { EspDevice, EspDeviceOptions } from '@wirebench/devices';
import { espPortOptions, makeEsp } from './esp-board.ts';
import { test as base, expect } from './fixture.ts';
import { plugIn } from './plugged-board.ts';

interface Fixtures {
  /** Selects the chip, its wiring, its content and its faults. */
  chip: EspDeviceOptions;
  device: EspDevice;
}

export const test = base.extend<Fixtures>({
  chip: [{ chip: 'esp32s3' }, { option: true }],
  device: async ({ chip }, use) => {
    await use(makeEsp(chip));
  },
  port: async ({ host, device, chip, line }, use) => {
    await use(await host.addPort({ ...espPortOptions(device, chip), paced: line.paced }));
  },
  board: async ({ port, device }, use) => {
    await use(plugIn(port, device));
  },
});

export { expect };
