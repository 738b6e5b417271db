/** An Arduino board with its port, ready to be opened. */
import { type IdentityWiring, type PluggedDevice, type PortWiring, portWith } from '../port/plugged-device.ts';
import type { AvrDevice } from './avr-device.ts';

type AvrPortWiring = PortWiring & IdentityWiring;

export type AvrPort = PluggedDevice<AvrDevice>;

/** Creates a port with `device` behind it. */
export function createAvrPort(device: AvrDevice, wiring: AvrPortWiring = {}): AvrPort {
  return portWith(device, wiring);
}
