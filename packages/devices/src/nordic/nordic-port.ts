/** A Nordic board with its port, ready to be opened. */
import { systemClock } from '@wirebench/clock';
import { type PluggedDevice, type PortWiring, pluggedDevice } from '../port/plugged-device.ts';
import type { BridgeOptions, SimulatedBridge } from '../port/simulated-bridge.ts';
import { SimulatedSerial } from '../port/simulated-serial.ts';
import type { UsbIds } from '../wire/device.ts';
import type { NordicDevice } from './nordic-device.ts';

export interface NordicPortWiring extends PortWiring {
  /**
   * True: after a change of its ids, the board must be picked again, unless it was picked under these ids before.
   * Chromium behaves like that. Default false: the permission is kept.
   */
  readonly asksAgain?: boolean;
}

export type NordicPort = PluggedDevice<NordicDevice>;

/** Plugs `device` in. Replugs it when it changes its identity, and unplugs it when a fault requires that. */
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

/** Creates a port with `device` behind it. */
export function createNordicPort(device: NordicDevice, wiring: NordicPortWiring = {}): NordicPort {
  const { clock = systemClock, serial = new SimulatedSerial(), ...rest } = wiring;
  return pluggedDevice(serial, device, plugInNordic(device, serial, { ...rest, clock }));
}

function nameOf({ usbVendorId = 0, usbProductId = 0 }: SerialPortInfo | UsbIds): string {
  return `${usbVendorId}:${usbProductId}`;
}
