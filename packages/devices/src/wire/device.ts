/**
 * The interface between a simulated device and the wire. A device receives bytes and control lines, and writes to a
 * line. It has no access to ports, streams, browsers or sockets. `WiredDevice` connects a device to any host.
 */
import type { Clock } from '@wirebench/clock';
import type { Link, UartSettings } from './link.ts';

/** The lines that a host drives. True: asserted, the low level on the wire. */
export interface ControlLines {
  readonly dtr: boolean;
  readonly rts: boolean;
  /** True: the host holds its transmit line low. */
  readonly break: boolean;
}

/** The errors that a UART reports about received data. */
export type LineError = 'break' | 'framing' | 'parity' | 'overrun';

/** A device's end of the wire. Valid from `attach` to `detach`. */
export interface DeviceLine {
  readonly clock: Clock;
  /** Bytes written and not yet sent. A device that sends without a request pauses while this is high. */
  readonly pending: number;
  /** Sends a copy of `bytes` after everything written before, at the present rate of the device's `link`. */
  write(bytes: Uint8Array): void;
  /** Sends a break after everything written before. */
  sendBreak(): void;
  /** Drives the host's input lines. Omitted lines keep their state. All are inactive at first. */
  setInputs(lines: Partial<SerialInputSignals>): void;
}

/** The ids in the device's USB descriptor. */
export interface UsbIds {
  readonly usbVendorId: number;
  readonly usbProductId: number;
}

export interface Device {
  /** Ids for the next plug-in, of a device that changes them. Default: the ids it was plugged in with. */
  readonly usbIds?: UsbIds;
  /**
   * The device's own rate and frame, or USB. May change at any time. Bytes written before a change keep the old rate,
   * so a device can write an acknowledgement and change the rate at once.
   */
  readonly link: Link;
  /** Called when power comes and the wires are connected. The port is still closed. */
  attach(line: DeviceLine): void;
  /** Called when power is lost. The device must cancel all timers and drop its state. */
  detach(): void;
  /** Receives bytes from the host in order of arrival. The array is valid only during the call. */
  receive(bytes: Uint8Array): void;
  /** Receives a byte with a bad frame or parity. Without this method the byte goes to `receive` like a good one. */
  receiveDamaged?(error: 'framing' | 'parity', byte: number): void;
  /** Called when the host changes control lines. At `attach` all are inactive. */
  controlChanged?(lines: ControlLines): void;
  /** Called when a host opens the port. On USB, a device learns the host's rate only from these settings. */
  hostOpened?(settings: UartSettings): void;
  hostClosed?(): void;
  /**
   * Called when `pending` falls to `lowWater` or below after having been above it. The device may write within this
   * call.
   */
  writable?(): void;
}

/** Pending bytes at which a device may write more. */
export const lowWater = 2_048;
