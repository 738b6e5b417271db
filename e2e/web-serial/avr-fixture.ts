/**
 * A test whose Chromium may open simulated Arduino boards behind adapters, each on its own port. DTR resets them, as
 * the capacitor on the boards does.
 */
import { AvrDevice, type AvrDeviceOptions } from '@wirebench/devices';
import { test as base, expect } from './fixture.ts';
import { avrPlug, serialNumberOf } from './known-boards.ts';
import { type PluggedBoard, plugIn } from './plugged-board.ts';

export interface AvrRigBoard {
  readonly device: AvrDevice;
  readonly cable: PluggedBoard;
}

/**
 * Factor of the time for which a bootloader waits for a byte. A second is too short here: time is real, and on a busy
 * machine browser and board take longer for one request.
 */
const patience = 5;

interface Fixtures {
  /** Boards in the order of their ports. `plugged` is true if they are plugged in before the page is opened. */
  rig: { readonly avrs: readonly AvrDeviceOptions[]; readonly plugged: boolean };
  boards: readonly AvrRigBoard[];
  /** The first board. */
  device: AvrDevice;
}

export const test = base.extend<Fixtures>({
  rig: [{ avrs: [{ board: 'arduino-uno' }], plugged: true }, { option: true }],
  boards: async ({ host, rig, line }, use) => {
    const boards: AvrRigBoard[] = [];
    for (const [number, options] of rig.avrs.entries()) {
      const device = new AvrDevice({ patience, ...options });
      const plug = { ...avrPlug(device), serialNumber: serialNumberOf(number) };
      const port = await host.addPort({ ...plug, name: `ttyACM${number}`, paced: line.paced });
      const cable = plugIn(port, device);
      if (!rig.plugged) {
        cable.unplug();
      }
      boards.push({ device, cable });
    }
    await use(boards);
  },
  device: async ({ boards }, use) => use(firstOf(boards).device),
  board: async ({ boards }, use) => use(firstOf(boards).cable),
});

function firstOf([first]: readonly AvrRigBoard[]): AvrRigBoard {
  if (first === undefined) {
    throw new Error('A rig has at least one board.');
  }
  return first;
}

export { expect };
