/** Simulated Raspberry Pi Picos: the entry `@wirebench/devices/rp`, a download of its own. */

export { SimulatedUsb } from '../usb/simulated-usb.ts';
export { rpFirmware, rpFirmwareUf2 } from './firmware.ts';
export { RpBoard } from './rp-board.ts';
