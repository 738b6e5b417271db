/**
 * A test whose Chromium sees a simulated Nordic board. On its own USB the program and the bootloader are two ports,
 * of which one exists at a time. Behind a bridge the board is one port.
 */
import { systemClock } from '@wirebench/clock';
import { NrfDevice, type NrfDeviceOptions, nrfBoards } from '@wirebench/devices';
import { test as base, expect } from './fixture.ts';
import type { WebSerialHost } from './host.ts';
import { PluggedBoard } from './plugged-board.ts';
import type { VirtualPort } from './virtual-port.ts';

interface Fixtures {
  /** Selects the board, its content and its faults. */
  nrf: NrfDeviceOptions;
  device: NrfDevice;
  /** The board's possible ports by their IDs. All are permitted, and none is plugged in. */
  ports: ReadonlyMap<string, VirtualPort>;
}

export const test = base.extend<Fixtures>({
  nrf: [{ board: 'nrf52832-secure' }, { option: true }],
  device: async ({ nrf }, use) => {
    await use(new NrfDevice(nrf));
  },
  ports: async ({ host, device }, use) => {
    await use(await portsOf(host, device));
  },
  port: async ({ ports, device }, use) => {
    const port = ports.get(keyOf(device.usbIds));
    if (port === undefined) {
      throw new Error('The board has no such port.');
    }
    await use(port);
  },
  board: async ({ port, ports, device }, use) => {
    const plugged = new Map([[port, new PluggedBoard(port, device)]]);
    port.plug();
    let current = port;
    device.onUnplug = (replugAfter) => {
      plugged.get(current)?.unplug();
      if (replugAfter !== null) {
        systemClock.schedule(replugAfter, () => {
          current = ports.get(keyOf(device.usbIds)) ?? current;
          const known = plugged.get(current);
          if (known === undefined) {
            plugged.set(current, new PluggedBoard(current, device));
            current.plug();
          } else {
            known.plug();
          }
        });
      }
    };
    const first = plugged.get(port);
    if (first !== undefined) {
      await use(first);
    }
  },
});

type Ids = { readonly usbVendorId: number; readonly usbProductId: number };

const keyOf = ({ usbVendorId, usbProductId }: Ids) => `${usbVendorId}:${usbProductId}`;

async function portsOf(host: WebSerialHost, device: NrfDevice): Promise<ReadonlyMap<string, VirtualPort>> {
  const ports = new Map<string, VirtualPort>();
  for (const ids of Object.values<Ids>(nrfBoards[device.name].ids)) {
    if (!ports.has(keyOf(ids))) {
      const port = await host.addPort({
        name: `ttyACM${ports.size}`,
        vendorId: ids.usbVendorId,
        productId: ids.usbProductId,
        serialNumber: '0001',
        product: device.name,
      });
      port.unplug();
      ports.set(keyOf(ids), port);
    }
  }
  return ports;
}

export { expect };
