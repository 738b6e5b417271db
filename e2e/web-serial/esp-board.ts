/** A simulated Espressif chip for a virtual port: its USB IDs and its reset circuit. */
import { EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { serialNumberOf } from './known-boards.ts';
import type { PortOptions } from './virtual-port.ts';

/**
 * Milliseconds. Linux changes DTR and RTS one after the other, and so do these ports. 10 kΩ and 1 µF at EN, as on
 * most boards, keep the chip from starting between the two changes.
 */
const enRiseTime = 10;

export function makeEsp(chip: EspDeviceOptions): EspDevice {
  return new EspDevice({ enRiseTime, ...chip });
}

/**
 * Returns the options of a chip's port.
 *
 * @param number Index of its port among those of its kind, from 0.
 */
export function espPortOptions(device: EspDevice, { connection }: EspDeviceOptions, number = 0): PortOptions {
  const { usbVendorId: vendorId, usbProductId: productId } = device.usbIds;
  const plug =
    connection === 'usb-jtag'
      ? { name: `ttyACM${number}`, product: 'USB JTAG/serial debug unit' }
      : { name: `ttyUSB${number}`, product: 'CP2102 USB to UART Bridge' };
  return { ...plug, vendorId, productId, serialNumber: serialNumberOf(number) };
}
