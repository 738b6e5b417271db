/**
 * A test whose Chromium sees an STM32 behind a serial adapter. The adapter's lines are connected to reset and BOOT0.
 */
import { StmDevice, type StmDeviceOptions } from '@wirebench/devices';
import { test as base, expect } from './fixture.ts';
import { plugIn } from './plugged-board.ts';

interface Fixtures {
  /** Selects the part, its wiring, its content and its faults. */
  part: StmDeviceOptions;
  device: StmDevice;
}

export const test = base.extend<Fixtures>({
  part: [{ part: 'stm32f407' }, { option: true }],
  device: async ({ part }, use) => {
    // Linux changes DTR and RTS one after the other: a capacitor at NRST keeps the part from starting between the two
    // changes.
    await use(new StmDevice({ nrstRiseTime: 10, ...part }));
  },
  port: async ({ host, device, line }, use) => {
    const { usbVendorId: vendorId, usbProductId: productId } = device.usbIds;
    const plug = { name: 'ttyUSB0', product: 'CP2102 USB to UART Bridge', vendorId, productId };
    await use(await host.addPort({ ...plug, serialNumber: '0001', paced: line.paced }));
  },
  board: async ({ port, device }, use) => {
    await use(plugIn(port, device));
  },
});

export { expect };
