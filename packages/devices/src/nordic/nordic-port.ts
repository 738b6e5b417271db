/** A Nordic board with its port, ready to be opened. */
import { type IdentityWiring, type PluggedDevice, type PortWiring, portWith } from '../port/plugged-device.ts';
import type { NordicDevice } from './nordic-device.ts';

export type NordicPortWiring = PortWiring & IdentityWiring;

export type NordicPort = PluggedDevice<NordicDevice>;

/** Creates a port with `device` behind it. */
export function createNordicPort(device: NordicDevice, wiring: NordicPortWiring = {}): NordicPort {
  return portWith(device, wiring);
}
