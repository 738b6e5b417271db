/** A demo device with its port, ready to be opened: what stands behind *Demo device* in a port picker. */
import { type Clock, systemClock } from '@wirebench/clock';
import { createModel, type ModelName } from './models.ts';
import type { Overrun } from './port/receive-buffer.ts';
import { SimulatedSerial } from './port/simulated-serial.ts';
import type { SimulatedSerialPort } from './port/simulated-serial-port.ts';
import type { Device, LineError } from './wire/device.ts';
import type { FaultPlan, ReplugOptions } from './wire/faults.ts';
import type { Pace } from './wire/wire.ts';

/** USB ids of a CP2102, the bridge on many boards: whatever knows boards by their ids meets one it knows. */
export const demoUsbIds = { usbVendorId: 0x10c4, usbProductId: 0xea60 } as const;

export interface DemoPortOptions {
  readonly model: ModelName;
  /** Default: the machine's time. */
  readonly clock?: Clock;
  /** Default `wire`. */
  readonly pace?: Pace;
  readonly faults?: FaultPlan;
  /** Decides the device's content and where faults fall. Default 1. */
  readonly seed?: number;
  /** Rate of the device's UART, in baud; left out: the model's own. A port opened at another rate shows rubbish. */
  readonly baudRate?: number;
  /** What happens when nobody reads. Default `block`: nothing is lost. */
  readonly overrun?: Overrun;
  /** Sees exactly the bytes that the device put on the wire, and whether the port was open then. */
  readonly onTransmit?: (bytes: Uint8Array, heard: boolean) => void;
  /** Where the port appears; left out: a registry of its own. */
  readonly serial?: SimulatedSerial;
}

export interface DemoPort {
  /** Where the port appears, and where it is told that it comes and goes. */
  readonly serial: SimulatedSerial;
  /** The port of now; null while unplugged. After a replug it is another one. */
  readonly port: SimulatedSerialPort | null;
  readonly device: Device;
  /** Bytes that the device has put on the wire so far. */
  readonly transmitted: number;
  unplug(): void;
  replug(options?: ReplugOptions): void;
  /** Another program takes the port; `open` fails until the function that this returns is called. */
  holdElsewhere(): () => void;
  /** The driver reports an error after the bytes received so far. */
  inject(error: LineError): void;
}

export function createDemoPort(options: DemoPortOptions): DemoPort {
  const { model, clock = systemClock, seed = 1, baudRate, serial = new SimulatedSerial(), ...wiring } = options;
  const device = createModel(model, { seed, ...(baudRate !== undefined && { baudRate }) });
  const bridge = serial.plugIn({ ...wiring, ...demoUsbIds, device, clock, seed });
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
    replug: (replug) => bridge.replug(replug),
    holdElsewhere: () => bridge.holdElsewhere(),
    inject: (error) => bridge.inject(error),
  };
}
