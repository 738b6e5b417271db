/** Improv Wi-Fi over a serial port, the client's side: its packets and what a board answers. */
export { ImprovClient } from './improv-client.ts';
export { ImprovError, type ImprovFailure } from './improv-error.ts';
export { type DeviceInformation, type ImprovState, networkLimits, type WifiNetwork } from './messages.ts';
