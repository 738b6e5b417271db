/**
 * Plans a write to a Nordic board before anything is sent: the images in their order, and refusals with reasons. Uses
 * the firmware and the board's information only.
 */

import type { RefusalFinding, WarningFinding } from '../../core/flash-plan.ts';
import { eraseTime, pageSize, pageWrite } from '../legacy/legacy-timing.ts';
import type { NrfBootloader, NrfInfo } from '../nrf-board.ts';
import type { NrfFirmware, NrfImage } from '../package/nrf-firmware.ts';
import { bootloaderOf, FirmwareCheck, isPresent, type NrfGuard } from './check-firmware.ts';
import type { NrfRefusal, NrfWarning } from './nrf-plan-finding.ts';

export interface NrfPlan {
  /** Reasons against carrying out the plan. The plan can be carried out only if this is empty. */
  readonly refusals: readonly RefusalFinding<NrfRefusal>[];
  readonly overridden: readonly RefusalFinding<NrfRefusal>[];
  readonly warnings: readonly WarningFinding<NrfWarning>[];
  /** In the order of writing. */
  readonly images: readonly NrfImage[];
  /** Bytes of all images that are written. */
  readonly bytes: number;
  /** Estimated duration in milliseconds. */
  readonly time: number;
}

const anyNrf: NrfGuard = { model: null, flashSize: null };

export interface NrfPlanOptions {
  /** In baud; null on USB. Default 115,200. */
  readonly baudRate?: number | null;
  /** True: a simulated board, the only kind for demo firmware. */
  readonly isDemo?: boolean;
  readonly guard?: NrfGuard;
  /** Refusals that a person has overridden. Only those that are `overridable` are affected. */
  readonly overrides?: readonly NrfRefusal[];
}

/**
 * Estimates the duration of a write before it begins. The bootloaders alternate between receiving and writing, so
 * both times are added.
 */

/** Bits on the wire per byte: start bit, eight data bits, stop bit. */
const BITS_A_BYTE = 10;
/** Bytes per millisecond over the chip's own USB: full speed with an acknowledgement after each block. */
const USB_RATE = 100;
/** Bytes on the wire for each byte of the image, including frames, escapes, base64 and answers. */
const overhead = { 'secure-dfu': 1.04, 'adafruit-dfu': 1.05, mcuboot: 1.48 } as const satisfies Record<
  NrfBootloader,
  number
>;
/**
 * Milliseconds for a page of 4 KiB (nRF52840 Product Specification 1.7, "NVMC"): an erase of 85 ms, and 1,024 words
 * of 41 µs.
 */
const PAGE_ERASE = 85;
const PAGE_WRITE = 42;
/** Milliseconds for a restart between two images. */
const RESTART = 3_000;

/**
 * Returns the estimated duration in milliseconds.
 *
 * @param baudRate Null on USB.
 */
function estimateNrfTime(images: readonly NrfImage[], bootloader: NrfBootloader, baudRate: number | null): number {
  const rate = baudRate === null ? USB_RATE : baudRate / BITS_A_BYTE / 1_000;
  const times = images.map(({ bytes }) => {
    const pages = Math.ceil(bytes.length / pageSize);
    const flash =
      bootloader === 'adafruit-dfu'
        ? eraseTime(bytes.length) + pages * (baudRate === null ? PAGE_WRITE : pageWrite)
        : pages * (PAGE_ERASE + PAGE_WRITE);
    return (bytes.length * overhead[bootloader]) / rate + flash;
  });
  const restarts = bootloader === 'mcuboot' ? 0 : Math.max(0, images.length - 1) * RESTART;
  return times.reduce((sum, time) => sum + time, restarts);
}

/**
 * Makes a plan.
 *
 * @param info Null without a connected board: only the firmware is checked.
 */
export function planNrf(
  firmware: NrfFirmware,
  info: NrfInfo | null,
  { baudRate = 115_200, isDemo = false, guard = anyNrf, overrides = [] }: NrfPlanOptions = {},
): NrfPlan {
  const check = new FirmwareCheck(firmware, info, { isDemo, guard });
  check.run();
  const bootloader = info?.bootloader ?? bootloaderOf[firmware.format];
  const toWrite = firmware.images.filter((image) => !isPresent(image, info));
  return {
    ...check.findings.outcome(overrides),
    images: firmware.images,
    bytes: toWrite.reduce((sum, { bytes }) => sum + bytes.length, 0),
    time: estimateNrfTime(toWrite, bootloader, baudRate),
  };
}
