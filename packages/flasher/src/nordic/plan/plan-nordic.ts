/**
 * The plan of a write to a Nordic board, before anything is sent: which images go in which order, what is refused and why. Looks at
 * the firmware and at what the board said of itself.
 */

import type { RefusalFinding, WarningFinding } from '../../core/flash-plan.ts';
import type { NordicInfo } from '../nordic-board.ts';
import type { NordicFirmware, NordicImage } from '../package/nordic-firmware.ts';
import { bootloaderOf, FirmwareCheck, isPresent } from './check-firmware.ts';
import type { NordicRefusal, NordicWarning } from './nordic-plan-finding.ts';
import { estimateNordicTime } from './nordic-time.ts';

export interface NordicPlan {
  /** What keeps the plan from being carried out: none may be left. */
  readonly refusals: readonly RefusalFinding<NordicRefusal>[];
  /** Refusals that a person has overridden. */
  readonly overridden: readonly RefusalFinding<NordicRefusal>[];
  readonly warnings: readonly WarningFinding<NordicWarning>[];
  /** In the order in which they go. */
  readonly images: readonly NordicImage[];
  /** Bytes of all images that are written. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly time: number;
}

export interface NordicPlanOptions {
  /** Baud; null on USB. 115,200 when left out. */
  readonly baudRate?: number | null;
  /** A simulated board: demo firmware is for it alone. */
  readonly isDemo?: boolean;
  /** Refusals that a person has overridden; it counts for those that are `overridable`. */
  readonly overrides?: readonly NordicRefusal[];
}

/** @param info null before a board is connected: the plan is of the firmware alone. */
export function planNordic(
  firmware: NordicFirmware,
  info: NordicInfo | null,
  { baudRate = 115_200, isDemo = false, overrides = [] }: NordicPlanOptions = {},
): NordicPlan {
  const check = new FirmwareCheck(firmware, info, isDemo);
  check.run();
  const bootloader = info?.bootloader ?? bootloaderOf[firmware.format];
  const toWrite = firmware.images.filter((image) => !isPresent(image, info));
  return {
    ...check.findings.outcome(overrides),
    images: firmware.images,
    bytes: toWrite.reduce((sum, { bytes }) => sum + bytes.length, 0),
    time: estimateNordicTime(toWrite, bootloader, baudRate),
  };
}
