/** A test whose Chromium sees a board with a simulated Espressif chip: its USB ids, its reset circuit, its cable. */
import { systemClock } from '@wirebench/clock';
import { EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { test as base, expect } from './fixture.ts';
import { PluggedBoard } from './plugged-board.ts';
import type { VirtualPort } from './virtual-port.ts';

interface Fixtures {
  /** Which chip, how it is wired, what is in it, what goes wrong. */
  chip: EspDeviceOptions;
  device: EspDevice;
}

/**
 * Linux moves DTR and RTS one after the other, and the two arrive one after the other here: 10 kΩ and 1 µF at EN, as on most
 * boards, keep the chip from starting between them. Milliseconds.
 */
const enRiseTime = 10;

const bridge = { name: 'ttyUSB0', product: 'CP2102 USB to UART Bridge' } as const;
const ownUsb = { name: 'ttyACM0', product: 'USB JTAG/serial debug unit' } as const;

export const test = base.extend<Fixtures>({
  chip: [{ chip: 'esp32s3' }, { option: true }],
  device: async ({ chip }, use) => {
    await use(new EspDevice({ enRiseTime, ...chip }));
  },
  port: async ({ host, device, chip, line }, use) => {
    const { usbVendorId: vendorId, usbProductId: productId } = device.usbIds;
    const plug = chip.connection === 'usb-jtag' ? ownUsb : bridge;
    await use(await host.addPort({ ...plug, vendorId, productId, serialNumber: device.mac, paced: line.paced }));
  },
  board: async ({ port, device }, use) => {
    await use(plugIn(port, device));
  },
});

/** The cable is pulled when a fault of the chip says so, and for a moment at each reset of a chip that is on USB itself. */
function plugIn(port: VirtualPort, device: EspDevice): PluggedBoard {
  const board = new PluggedBoard(port, device);
  device.onUnplug = (replugAfter) => {
    board.unplug();
    if (replugAfter !== null) {
      systemClock.schedule(replugAfter, () => board.plug());
    }
  };
  return board;
}

export { expect };
