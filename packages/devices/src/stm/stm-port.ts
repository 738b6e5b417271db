/** An STM32 with the port of its adapter, ready to be opened. */
import { type PluggedDevice, type PortWiring, portWith } from '../port/plugged-device.ts';
import type { StmDevice } from './stm-device.ts';

export type StmPort = PluggedDevice<StmDevice>;

/** Creates a port with `device` behind it. */
export function createStmPort(device: StmDevice, wiring: PortWiring = {}): StmPort {
  return portWith(device, wiring);
}
