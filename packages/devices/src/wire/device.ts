/**
 * What a simulated device is to the wire, and the wire to it. A device knows nothing of ports, streams, browsers or
 * sockets: it gets bytes and control lines, and has a line to write to. `WiredDevice` joins one to any host.
 */
import type { Clock } from '@wirebench/clock';
import type { Link, UartSettings } from './link.ts';

/** The lines that a host drives; true is asserted, which is the low level on the wire. */
export interface ControlLines {
  readonly dtr: boolean;
  readonly rts: boolean;
  /** The host holds its transmit line low. */
  readonly break: boolean;
}

/** What can be wrong with what a UART receives. */
export type LineError = 'break' | 'framing' | 'parity' | 'overrun';

/** A device's end of the wire, valid from `attach` to `detach`. */
export interface DeviceLine {
  readonly clock: Clock;
  /** Bytes written that have not left yet. A device that produces without being asked waits while this is high. */
  readonly pending: number;
  /** Sends a copy of `bytes` after everything written before, at the rate that the device's `link` has now. */
  write(bytes: Uint8Array): void;
  /** Sends a break after everything written before. */
  sendBreak(): void;
  /** Drives the host's input lines; those not named keep their state. All are inactive at first. */
  setInputs(lines: Partial<SerialInputSignals>): void;
}

/** What a port on USB says about its device. */
export interface UsbIds {
  readonly usbVendorId: number;
  readonly usbProductId: number;
}

export interface Device {
  /** What it is when it is plugged in next, where that changes; left out: what it was plugged in as. */
  readonly usbIds?: UsbIds;
  /**
   * The device's own rate and frame, or USB. May change at any time: bytes written before keep the rate of then, so an
   * acknowledgement can be written and the rate changed at once.
   */
  readonly link: Link;
  /** Power is on and the wires are connected. No host has opened the port yet. */
  attach(line: DeviceLine): void;
  /** Power is gone: every timer of the device is cancelled, its state is lost. */
  detach(): void;
  /** Bytes from the host in order of arrival; valid during the call only. */
  receive(bytes: Uint8Array): void;
  /** A byte arrived with a bad frame or parity. Without this method the byte is received as if nothing were wrong. */
  receiveDamaged?(error: 'framing' | 'parity', byte: number): void;
  /** The host changed control lines. At attach all are inactive. */
  controlChanged?(lines: ControlLines): void;
  /** A host opened the port. On USB these settings are all that a device ever learns of the host's rate. */
  hostOpened?(settings: UartSettings): void;
  hostClosed?(): void;
  /** `pending` fell below `lowWater` after having been above it. More may be written right away, within this call. */
  writable?(): void;
}

/** Below this many pending bytes a device is asked for more. */
export const lowWater = 2_048;
