/** An Espressif chip with its port, ready to be opened. */
import { type PluggedDevice, type PortWiring, portWith } from '../port/plugged-device.ts';
import type { EspDevice } from './esp-device.ts';

export type EspPort = PluggedDevice<EspDevice>;

/** Creates a port with `device` behind it. */
export function createEspPort(device: EspDevice, wiring: PortWiring = {}): EspPort {
  return portWith(device, wiring);
}
