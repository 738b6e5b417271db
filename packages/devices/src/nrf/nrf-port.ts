/** A Nordic board with its port, ready to be opened. */
import { type IdentityWiring, type PluggedDevice, type PortWiring, portWith } from '../port/plugged-device.ts';
import type { NrfDevice } from './nrf-device.ts';

export type NrfPortWiring = PortWiring & IdentityWiring;

export type NrfPort = PluggedDevice<NrfDevice>;

/** Creates a port with `device` behind it. */
export function createNrfPort(device: NrfDevice, wiring: NrfPortWiring = {}): NrfPort {
  return portWith(device, wiring);
}
