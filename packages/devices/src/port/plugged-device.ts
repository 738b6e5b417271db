/** A device together with its port, and the actions on its plug. */
import { type Clock, systemClock } from '@wirebench/clock';
import type { Device, LineError, UsbIds } from '../wire/device.ts';
import type { FaultPlan, ReplugOptions } from '../wire/faults.ts';
import type { Pace } from '../wire/wire.ts';
import type { Overrun } from './receive-buffer.ts';
import type { BridgeOptions, SimulatedBridge } from './simulated-bridge.ts';
import { SimulatedSerial } from './simulated-serial.ts';
import type { SimulatedSerialPort } from './simulated-serial-port.ts';

export interface PluggedDevice<Plugged extends Device> {
  /** Registry that lists the port and fires its `connect` and `disconnect` events. */
  readonly serial: SimulatedSerial;
  /** The present port; null while unplugged. A replug creates a new one. */
  readonly port: SimulatedSerialPort | null;
  readonly device: Plugged;
  /** Number of bytes that the device has put on the wire. */
  readonly transmitted: number;
  unplug(): void;
  replug(options?: ReplugOptions): void;
  /** Simulates another program that holds the port: `open` fails until the returned function is called. */
  holdElsewhere(): () => void;
  /** Makes the driver report an error after the bytes received so far. */
  inject(error: LineError): void;
}

/**
 * Combines a device and its bridge.
 * @param bridge The bridge that `device` is plugged into, registered at `serial`.
 */
export function pluggedDevice<Plugged extends Device>(
  serial: SimulatedSerial,
  device: Plugged,
  bridge: SimulatedBridge,
): PluggedDevice<Plugged> {
  return {
    serial,
    device,
    get port() {
      return bridge.port;
    },
    get transmitted() {
      return bridge.transmitted;
    },
    unplug: () => bridge.unplug(),
    replug: (options) => bridge.replug(options),
    holdElsewhere: () => bridge.holdElsewhere(),
    inject: (error) => bridge.inject(error),
  };
}

export interface PortWiring {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default `wire`. */
  readonly pace?: Pace;
  /** Faults of the wire and the driver. Faults of the chip are options of the device. */
  readonly faults?: FaultPlan;
  /** Seed of the wire's faults. Default 1. */
  readonly seed?: number;
  /** Behaviour when the receive buffer is full. Default `block`. */
  readonly overrun?: Overrun;
  /** Receives exactly the bytes that the device puts on the wire. `received` is true if the port was open. */
  readonly onTransmit?: (bytes: Uint8Array, received: boolean) => void;
  /** Registry of the port. Default: a new one. */
  readonly serial?: SimulatedSerial;
}

/** A device that can unplug itself, such as a chip on USB that resets. */
export interface LeavingDevice extends Device {
  readonly usbIds: UsbIds;
  /**
   * Called when the device leaves.
   * @param replugAfter Milliseconds until it comes back. Null: only when the user plugs it in.
   */
  onUnplug: ((replugAfter: number | null) => void) | null;
}

export interface IdentityWiring {
  /**
   * True: after a change of its ids, the device must be picked again, unless it was picked under these ids before.
   * Chromium behaves like that. Default false: the permission is kept.
   */
  readonly asksAgain?: boolean;
}

/**
 * Plugs `device` in. Unplugs it when it leaves, and replugs it with its ids of that time. A device can be in only one
 * socket at a time.
 */
export function plugIn(
  device: LeavingDevice,
  serial: SimulatedSerial,
  { asksAgain = false, ...wiring }: Omit<BridgeOptions, 'device' | 'usbVendorId' | 'usbProductId'> & IdentityWiring,
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
export function portWith<Plugged extends LeavingDevice>(
  device: Plugged,
  wiring: PortWiring & IdentityWiring,
): PluggedDevice<Plugged> {
  const { clock = systemClock, serial = new SimulatedSerial(), ...rest } = wiring;
  return pluggedDevice(serial, device, plugIn(device, serial, { ...rest, clock }));
}

function nameOf({ usbVendorId = 0, usbProductId = 0 }: SerialPortInfo | UsbIds): string {
  return `${usbVendorId}:${usbProductId}`;
}
