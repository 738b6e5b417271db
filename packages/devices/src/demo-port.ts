/** A demo device with its port, ready to be opened: the entry *Demo device* in a port picker. */
import { systemClock } from '@wirebench/clock';
import { AvrDevice } from './avr/avr-device.ts';
import { EspDevice } from './esp/esp-device.ts';
import { createModel, type ModelName } from './models.ts';
import { NrfDevice } from './nrf/nrf-device.ts';
import { type PluggedDevice, type PortWiring, pluggedDevice, plugIn } from './port/plugged-device.ts';
import type { BridgeOptions, SimulatedBridge } from './port/simulated-bridge.ts';
import { SimulatedSerial } from './port/simulated-serial.ts';
import { StmDevice } from './stm/stm-device.ts';
import type { Device } from './wire/device.ts';

/** USB ids of a CP2102, the bridge on many boards. Programs that recognise boards by their ids recognise this one. */
export const demoUsbIds = { usbVendorId: 0x10c4, usbProductId: 0xea60 } as const;

/** Wiring and model of a demo port. The inherited `seed` decides the device's content too. */
export interface DemoPortOptions extends PortWiring {
  readonly model: ModelName;
  /** Rate of the device's UART, in baud. Default: the model's own. A port opened at another rate receives garbage. */
  readonly baudRate?: number;
}

export type DemoPort = PluggedDevice<Device>;

export function createDemoPort(options: DemoPortOptions): DemoPort {
  const { model, clock = systemClock, seed = 1, baudRate, serial = new SimulatedSerial(), ...wiring } = options;
  const device = createModel(model, { seed, ...(baudRate !== undefined && { baudRate }) });
  return pluggedDevice(serial, device, plugInModel(device, serial, { ...wiring, clock, seed }));
}

function plugInModel(
  device: Device,
  serial: SimulatedSerial,
  wiring: Omit<BridgeOptions, 'device' | 'usbVendorId' | 'usbProductId'>,
): SimulatedBridge {
  return device instanceof EspDevice ||
    device instanceof StmDevice ||
    device instanceof NrfDevice ||
    device instanceof AvrDevice
    ? plugIn(device, serial, wiring)
    : serial.plugIn({ ...wiring, ...demoUsbIds, device });
}
