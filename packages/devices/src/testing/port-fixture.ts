/** A plugged-in device that does nothing by itself, on a virtual clock, for the tests of the port. */
import { VirtualClock } from '@wirebench/clock';
import type { BridgeOptions } from '../port/simulated-bridge.ts';
import { SimulatedSerial } from '../port/simulated-serial.ts';
import type { SimulatedSerialPort } from '../port/simulated-serial-port.ts';
import type { ControlLines, Device, DeviceLine } from '../wire/device.ts';
import { type Link, type UartSettings, uartLink } from '../wire/link.ts';

export class SilentDevice implements Device {
  link: Link;
  readonly got: number[] = [];
  readonly lines: ControlLines[] = [];
  readonly damaged: string[] = [];
  line: DeviceLine | null = null;

  constructor(link: Link = uartLink(115_200)) {
    this.link = link;
  }

  attach(line: DeviceLine): void {
    this.line = line;
  }

  detach(): void {
    this.line = null;
  }

  receive(bytes: Uint8Array): void {
    this.got.push(...bytes);
  }

  receiveDamaged(error: 'framing' | 'parity'): void {
    this.damaged.push(error);
  }

  controlChanged(lines: ControlLines): void {
    this.lines.push(lines);
  }

  sends(...bytes: number[]): void {
    this.line?.write(Uint8Array.from(bytes));
  }
}

/** Adopts the parity with which the host opens the port. */
export class FollowingDevice extends SilentDevice {
  constructor() {
    super(uartLink(921_600));
  }

  hostOpened({ parity }: UartSettings): void {
    this.link = uartLink(921_600, { parity });
  }
}

export function pluggedIn(options: Partial<BridgeOptions> & { readonly link?: Link } = {}) {
  const clock = new VirtualClock();
  const serial = new SimulatedSerial();
  const device = new SilentDevice(options.link);
  const bridge = serial.plugIn({ device, clock, usbVendorId: 0x10c4, usbProductId: 0xea60, ...options });
  return { clock, serial, device, bridge, port: present(bridge.port) };
}

export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) {
    throw new Error('something expected is not there');
  }
  return value;
}

/** Reads from now on, and continues after errors that are not fatal. Records the chunks and the names of the errors. */
export function readOn(port: SimulatedSerialPort) {
  const chunks: number[][] = [];
  const errors: string[] = [];
  const run = async () => {
    while (port.readable !== null) {
      const reader = port.readable.getReader();
      try {
        for (let result = await reader.read(); !result.done; result = await reader.read()) {
          chunks.push([...result.value]);
        }
        return;
      } catch (error) {
        errors.push(error instanceof DOMException ? error.name : String(error));
      } finally {
        reader.releaseLock();
      }
    }
  };
  return { chunks, errors, bytes: () => chunks.flat(), ended: run() };
}

export async function errorOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) =>
      error instanceof Error || error instanceof DOMException ? `${error.name}: ${error.message}` : '',
  );
}
