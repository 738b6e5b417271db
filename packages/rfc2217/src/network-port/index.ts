/** Ports of the network as the W3C specifies a `SerialPort`, for programs that run in Node. */
export { parseNetworkAddress } from './network-address.ts';
export { NetworkPort } from './network-port.ts';
export { NetworkSerial } from './network-serial.ts';
export { NetworkPortError } from './network-wire.ts';
