/** Serial ports of USB adapters and boards, in the shape of a W3C `SerialPort`, over WebUSB. */
export { usbSerialFilters } from './recognition.ts';
export type { UsbBus, UsbDevice, UsbSerialFilter } from './usb-device.ts';
export { portsOf, UsbSerial, type UsbSerialOptions } from './usb-serial.ts';
export type { UsbSerialPort } from './usb-serial-port.ts';
