/**
 * All faults of a device's connection, as data. The seed alone decides the affected bytes. `WireFaults` are faults of
 * the wire and hold for every host; `FaultPlan` adds those of the simulated port.
 */
import type { LineError } from './device.ts';
import type { NoiseLevel } from './noise.ts';

export interface DirectionFaults extends NoiseLevel {
  /** Delay of bytes in milliseconds, or a range from which each chunk gets a random delay. The order is kept. */
  readonly delay?: number | readonly [least: number, most: number];
  /** Pulls the cable once this many bytes have arrived at the far end. */
  readonly unplugAfter?: number;
}

export interface WireFaults {
  readonly toHost?: DirectionFaults;
  readonly toDevice?: DirectionFaults;
  /** Errors that the host's driver reports once `after` bytes have arrived at the host. */
  readonly errors?: readonly { readonly after: number; readonly error: LineError }[];
}

/**
 * Reason for which a port does not open. A port that another program holds (`busy`) and one that the system denies
 * (`denied`) are both a NetworkError in Chromium, without a reason. `blocked` is a SecurityError, as under a
 * permissions policy.
 */
export type OpenFailure = 'busy' | 'denied' | 'blocked';

/** Properties of a device that comes back after an unplug. */
export interface ReplugOptions {
  /** New ids, as a bootloader has. Default: the old ones. */
  readonly usbVendorId?: number;
  readonly usbProductId?: number;
  /** False: the page has to request the port again, as for a bridge without a serial number. Default: as before. */
  readonly permission?: boolean;
}

export interface FaultPlan extends WireFaults {
  /** True: every read returns one byte. */
  readonly splitReads?: boolean;
  /** Pulls the cable this many milliseconds after the port was first opened. */
  readonly unplugAfterTime?: number;
  /** Replugs the device `after` milliseconds after a planned unplug. Each plan unplugs once. */
  readonly replug?: ReplugOptions & { readonly after: number };
  /** Makes the first `attempts` calls of `open` fail. Default: all calls. */
  readonly open?: { readonly failure: OpenFailure; readonly attempts?: number };
  /** Duration of `open` in milliseconds. */
  readonly openDelay?: number;
  /**
   * True: closing the writer does not wait until its bytes are sent, so `close` of the port discards them. Chromium
   * loses this race in about half of the runs if the device is slower than the page.
   */
  readonly skipDrain?: boolean;
}
