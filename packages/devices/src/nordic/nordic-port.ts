/** A Nordic board with its port, ready to be opened. */
import { systemClock } from '@wirebench/clock';
import { type PluggedDevice, type PortWiring, pluggedDevice } from '../port/plugged-device.ts';
import type { BridgeOptions, SimulatedBridge } from '../port/simulated-bridge.ts';
import { SimulatedSerial } from '../port/simulated-serial.ts';
import type { UsbIds } from '../wire/device.ts';
import type { NordicDevice } from './nordic-device.ts';

export interface NordicPortWiring extends PortWiring {
  /**
   * A board that comes back as something else has to be picked again, unless it was picked as that before: so it is in Chromium.
   * Default false: the permission goes with it.
   */
  readonly asksAgain?: boolean;
}

export type NordicPort = PluggedDevice<NordicDevice>;

/** Plugs `device` in, and out and in again when it changes its identity or a fault wants it gone. */
export function plugInNordic(
  device: NordicDevice,
  serial: SimulatedSerial,
  { asksAgain = false, ...wiring }: Omit<BridgeOptions, 'device'> & { readonly asksAgain?: boolean },
): SimulatedBridge {
  const bridge = serial.plugIn({ ...wiring, ...device.usbIds, device });
  const picked = new Set([nameOf(device.usbIds)]);
  device.onUnplug = (replugAfter) => {
    if (bridge.permitted) {
      picked.add(nameOf(bridge.port?.getInfo() ?? device.usbIds));
    }
    bridge.unplug();
    if (replugAfter !== null) {
      wiring.clock.schedule(replugAfter, () =>
        bridge.replug(asksAgain ? { permission: picked.has(nameOf(device.usbIds)) } : {}),
      );
    }
  };
  return bridge;
}

/** A port with `device` behind it. */
export function createNordicPort(device: NordicDevice, wiring: NordicPortWiring = {}): NordicPort {
  const { clock = systemClock, serial = new SimulatedSerial(), ...rest } = wiring;
  return pluggedDevice(serial, device, plugInNordic(device, serial, { ...rest, clock }));
}

function nameOf({ usbVendorId = 0, usbProductId = 0 }: SerialPortInfo | UsbIds): string {
  return `${usbVendorId}:${usbProductId}`;
}
