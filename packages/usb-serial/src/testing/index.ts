/** Fakes for tests without an adapter: a USB device with a chip, a bus, and a whole board. */
export { echoBoard } from './echo-board.ts';
export { FakeUsbBus } from './fake-usb-bus.ts';
export { type FakeChip, FakeUsbDevice, type FakeUsbOptions, type UsbDescriptor } from './fake-usb-device.ts';
