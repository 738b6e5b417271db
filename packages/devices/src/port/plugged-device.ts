/** A device together with the port that it is behind, and what a hand can do to the plug. */
import { type Clock, systemClock } from '@wirebench/clock';
import type { Device, LineError, UsbIds } from '../wire/device.ts';
import type { FaultPlan, ReplugOptions } from '../wire/faults.ts';
import type { Pace } from '../wire/wire.ts';
import type { Overrun } from './receive-buffer.ts';
import type { BridgeOptions, SimulatedBridge } from './simulated-bridge.ts';
import { SimulatedSerial } from './simulated-serial.ts';
import type { SimulatedSerialPort } from './simulated-serial-port.ts';

export interface PluggedDevice<Plugged extends Device> {
  /** Where the port appears, and where events say that it comes and goes. */
  readonly serial: SimulatedSerial;
  /** The port of now; null while unplugged. After a replug it is another one. */
  readonly port: SimulatedSerialPort | null;
  readonly device: Plugged;
  /** Bytes that the device has put on the wire so far. */
  readonly transmitted: number;
  unplug(): void;
  replug(options?: ReplugOptions): void;
  /** Another program takes the port; `open` fails until the function that this returns is called. */
  holdElsewhere(): () => void;
  /** The driver reports an error after the bytes received so far. */
  inject(error: LineError): void;
}

/** @param bridge what `device` is plugged into, at `serial` */
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
  /** Default: the machine's time. */
  readonly clock?: Clock;
  /** Default `wire`. */
  readonly pace?: Pace;
  /** What goes wrong on the wire and in the driver; what goes wrong in the chip is an option of the device. */
  readonly faults?: FaultPlan;
  /** Decides where the wire's faults fall. Default 1. */
  readonly seed?: number;
  /** What happens when nobody reads. Default `block`. */
  readonly overrun?: Overrun;
  /** Sees exactly the bytes that the device put on the wire, and whether the port was open then. */
  readonly onTransmit?: (bytes: Uint8Array, received: boolean) => void;
  /** Where the port appears; left out: a registry of its own. */
  readonly serial?: SimulatedSerial;
}

/** A device on USB that pulls its own plug. */
export interface LeavingDevice extends Device {
  readonly usbIds: UsbIds;
  /** Called when it goes; it comes back after so many milliseconds, or with null when somebody plugs it in. */
  onUnplug: ((replugAfter: number | null) => void) | null;
}

/** Plugs `device` in, and out when it is to go. A device is in one socket at a time. */
export function plugIn(
  device: LeavingDevice,
  serial: SimulatedSerial,
  wiring: Omit<BridgeOptions, 'device' | 'usbVendorId' | 'usbProductId'>,
): SimulatedBridge {
  const bridge = serial.plugIn({ ...wiring, ...device.usbIds, device });
  device.onUnplug = (replugAfter) => {
    bridge.unplug();
    if (replugAfter !== null) {
      wiring.clock.schedule(replugAfter, () => bridge.replug());
    }
  };
  return bridge;
}

/** A port with `device` behind it. */
export function portWith<Plugged extends LeavingDevice>(device: Plugged, wiring: PortWiring): PluggedDevice<Plugged> {
  const { clock = systemClock, serial = new SimulatedSerial(), ...rest } = wiring;
  return pluggedDevice(serial, device, plugIn(device, serial, { ...rest, clock }));
}
