/** Serial ports of USB adapters and boards, in the shape of a W3C `SerialPort`, over WebUSB. */
export { type PhoneChoice, PhoneChooser, type PhoneChooserOptions, type PlatformFacts } from './phone-chooser.ts';
export { type PhoneList, PhoneSerial, type PhoneSerialOptions } from './phone-serial.ts';
export { usbSerialFilters } from './recognition.ts';
export type { UsbBus, UsbDevice, UsbSerialFilter } from './usb-device.ts';
export { portsOf, UsbSerial, type UsbSerialOptions } from './usb-serial.ts';
export type { UsbSerialPort } from './usb-serial-port.ts';
