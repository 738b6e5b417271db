/**
 * Plans a write to a Nordic board before anything is sent: the images in their order, and refusals with reasons. Uses
 * the firmware and the board's information only.
 */

import type { RefusalFinding, WarningFinding } from '../../core/flash-plan.ts';
import type { NordicInfo } from '../nordic-board.ts';
import type { NordicFirmware, NordicImage } from '../package/nordic-firmware.ts';
import { bootloaderOf, FirmwareCheck, isPresent, type NordicGuard } from './check-firmware.ts';
import type { NordicRefusal, NordicWarning } from './nordic-plan-finding.ts';
import { estimateNordicTime } from './nordic-time.ts';

export interface NordicPlan {
  /** Reasons against carrying out the plan. The plan can be carried out only if this is empty. */
  readonly refusals: readonly RefusalFinding<NordicRefusal>[];
  readonly overridden: readonly RefusalFinding<NordicRefusal>[];
  readonly warnings: readonly WarningFinding<NordicWarning>[];
  /** In the order of writing. */
  readonly images: readonly NordicImage[];
  /** Bytes of all images that are written. */
  readonly bytes: number;
  /** Estimated duration in milliseconds. */
  readonly time: number;
}

const anyNordic: NordicGuard = { model: null, flashSize: null };

export interface NordicPlanOptions {
  /** In baud; null on USB. Default 115,200. */
  readonly baudRate?: number | null;
  /** True: a simulated board, the only kind for demo firmware. */
  readonly isDemo?: boolean;
  readonly guard?: NordicGuard;
  /** Refusals that a person has overridden. Only those that are `overridable` are affected. */
  readonly overrides?: readonly NordicRefusal[];
}

/**
 * Makes a plan.
 *
 * @param info Null without a connected board: only the firmware is checked.
 */
export function planNordic(
  firmware: NordicFirmware,
  info: NordicInfo | null,
  { baudRate = 115_200, isDemo = false, guard = anyNordic, overrides = [] }: NordicPlanOptions = {},
): NordicPlan {
  const check = new FirmwareCheck(firmware, info, { isDemo, guard });
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
