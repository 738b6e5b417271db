/**
 * Everything that can be made to go wrong with a device, as data. Which byte it hits follows from the seed alone.
 * The first part concerns the wire and holds for every host; the second concerns the simulated port.
 */
import type { LineError } from './device.ts';
import type { NoiseLevel } from './noise.ts';

export interface DirectionFaults extends NoiseLevel {
  /** Milliseconds that bytes are late, or a range of which each chunk gets its own; their order is kept. */
  readonly delay?: number | readonly [least: number, most: number];
  /** Pulls the cable once this many bytes have arrived at the far end. */
  readonly unplugAfter?: number;
}

export interface WireFaults {
  readonly toHost?: DirectionFaults;
  readonly toDevice?: DirectionFaults;
  /** Errors that the host's driver reports once this many bytes have arrived there. */
  readonly errors?: readonly { readonly after: number; readonly error: LineError }[];
}

/**
 * Why a port does not open. Chromium does not say the reason: a port that another program holds (`busy`) and one that the
 * system does not let it open (`denied`) are both a NetworkError; `blocked` is a SecurityError, as under a permissions
 * policy.
 */
export type OpenFailure = 'busy' | 'denied' | 'blocked';

/** How a device comes back after it was unplugged. */
export interface ReplugOptions {
  /** Another identity than before, as a bootloader has. */
  readonly usbVendorId?: number;
  readonly usbProductId?: number;
  /** False: the page has to ask for the port again, as for a bridge without a serial number. Default: as before. */
  readonly permission?: boolean;
}

export interface FaultPlan extends WireFaults {
  /** Every read gives one byte. */
  readonly splitReads?: boolean;
  /** Pulls the cable this many milliseconds after the port was first opened. */
  readonly unplugAfterTime?: number;
  /** After an unplug by plan the device comes back by itself, this many milliseconds later. Each plan unplugs once. */
  readonly replug?: ReplugOptions & { readonly after: number };
  /** The first `attempts` calls of `open` fail (all of them when left out). */
  readonly open?: { readonly failure: OpenFailure; readonly attempts?: number };
  /** Milliseconds that `open` takes. */
  readonly openDelay?: number;
  /**
   * Closing the writer does not wait until its bytes have left, so that `close` of the port throws the rest away:
   * Chromium loses this race in about half of the runs when the device is slower than the page.
   */
  readonly skipDrain?: boolean;
}
