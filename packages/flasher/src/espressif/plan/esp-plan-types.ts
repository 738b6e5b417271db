/** What a plan is made from and what it says. Plain values: they cross a worker's border as they are. */

import type { FlashPlan } from '../../core/flash-plan.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import type { EspInfo } from '../esp-info.ts';
import type { FlashSettings } from '../images/flash-settings.ts';
import type { OtaData } from '../images/ota-data.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import type { EspRefusal, EspWarning } from './esp-plan-finding.ts';

export interface EspPlanFile {
  readonly name: string;
  /** Address in flash, in bytes. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The connected board. */
export interface EspPlanBoard {
  readonly info: Pick<EspInfo, 'chip' | 'model' | 'revision' | 'flash' | 'security'>;
  /** A simulated one: demo firmware is for it alone. */
  readonly isDemo: boolean;
  /** As it is in its flash; `not-read` where that was not or could not be looked at. */
  readonly table: PartitionTable | 'none' | 'not-read';
  /** Where its table is; 0x8000 when left out. */
  readonly tableOffset?: number;
  /** Which app it starts; null when its OTA data say nothing, or there are none. */
  readonly otaData: OtaData | null;
}

/** What a release says about the boards that it is for; null is anything. */
export interface EspGuard {
  readonly chip: ChipName | null;
  /** At least so many bytes. */
  readonly flashSize: number | null;
  /** As on the package, such as `ESP32-PICO-D4`. */
  readonly model: string | null;
  /** For demo devices only. */
  readonly isDemo: boolean;
}

export const anyEsp: EspGuard = { chip: null, flashSize: null, model: null, isDemo: false };

/**
 * `none`: nothing beyond the sectors that are written. `needed`: besides, the choice of another app where that would keep the
 * new one from starting. `all`: the whole flash, before anything is written.
 */
export type EspEraseChoice = 'none' | 'needed' | 'all';

/** `detect`: what the flash chip of the board says. */
export type EspPlanSettings = Omit<FlashSettings, 'size'> & { readonly size: number | 'keep' | 'detect' };

export interface EspPlanInput {
  readonly files: readonly EspPlanFile[];
  /** Null before one is connected: the plan is of the files alone. */
  readonly board: EspPlanBoard | null;
  readonly guard?: EspGuard;
  readonly settings?: EspPlanSettings;
  readonly erase?: EspEraseChoice;
  /** Leaves stored settings as they are, even where a merged image or erasing everything would take them away. */
  readonly keepNvs?: boolean;
  /** Refusals that a person has overridden; it counts for those that are `overridable`. */
  readonly overrides?: readonly EspRefusal[];
  /** Bytes, a multiple of 4,096. */
  readonly regionSize?: number;
}

/** Regions do not touch each other's sectors. */
export interface EspPlan extends FlashPlan<EspRefusal, EspWarning> {
  /** The table that is there afterwards; null when that is not known. */
  readonly table: PartitionTable | null;
}
