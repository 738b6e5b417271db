/** Ports of the system as the W3C specifies a `SerialPort`, for programs that run in Node. */
export {
  isPresent,
  type ListedPort,
  listPorts,
  newestPorts,
  portPath,
  portsNamed,
  usbIdsText,
} from './list-ports.ts';
export type { NativePort } from './native-port.ts';
export { NativeSerial } from './native-serial.ts';
export type { NativeSettings } from './native-settings.ts';
export { type PortHolder, portHolders } from './port-holders.ts';
