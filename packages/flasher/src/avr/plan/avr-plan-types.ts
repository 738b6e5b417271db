/** Input and output of a plan for an AVR. Plain values, which can be posted to a worker. */
import type { FlashPlan, PlannedRegion } from '../../core/flash-plan.ts';
import type { FlashRange } from '../../core/region.ts';
import type { AvrInfo } from '../avr-board.ts';
import type { AvrFile } from '../file/read-avr-file.ts';
import type { AvrModel } from '../parts/part-table.ts';
import type { AvrRefusal, AvrWarning } from './avr-plan-finding.ts';

/** A file, from `readAvrFile`. */
export interface AvrPlanFile extends Omit<AvrFile, 'format' | 'formatName'> {
  readonly name: string;
}

export interface AvrPlanBoard {
  readonly info: AvrInfo;
  /** True: a simulated board, the only kind for demo firmware. */
  readonly isDemo: boolean;
  /** In baud; null on the chip's own USB. */
  readonly baudRate: number | null;
}

/** A release's requirements for its boards. Null accepts any value. */
export interface AvrGuard {
  readonly model: AvrModel | null;
  /** True: for demo devices only. */
  readonly isDemo: boolean;
}

export const anyAvr: AvrGuard = { model: null, isDemo: false };

export interface AvrPlanInput {
  readonly files: readonly AvrPlanFile[];
  /** Null without a connected board: only the files are checked. */
  readonly board: AvrPlanBoard | null;
  readonly guard?: AvrGuard;
  /** True: erase all flash but the bootloader before the write. */
  readonly eraseAll?: boolean;
  /** Refusals that a person has overridden. Only those that are `overridable` are affected. */
  readonly overrides?: readonly AvrRefusal[];
}

/**
 * A plan. `regions` are those of flash, from address 0, and need no alignment. Bytes that share a page with them are
 * in `restore`. The bootloader's area is an area of `map` with the name `bootloader` and the fate `kept`.
 */
export interface AvrPlan extends FlashPlan<AvrRefusal, AvrWarning> {
  /** Every page that a region touches. Those that differ are written. */
  readonly pages: readonly FlashRange[];
  /** Contents for EEPROM; empty if it is kept as it is. Offsets are from its start. */
  readonly eeprom: readonly PlannedRegion[];
  /** Estimated duration in milliseconds if everything differs. */
  readonly time: number;
}
