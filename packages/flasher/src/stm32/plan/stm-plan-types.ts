/** What a plan for an STM32 is made from and what it says. Plain values: they cross a worker's border as they are. */

import type { FlashPlan } from '../../core/flash-plan.ts';
import type { FlashRange } from '../../core/region.ts';
import type { MemoryFile } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import type { StmModel } from '../parts/model.ts';
import type { StmInfo } from '../stm-board.ts';
import type { StmRefusal, StmWarning } from './stm-plan-finding.ts';

/** A file as `readMemoryFile` gives it. */
export interface StmPlanFile extends Partial<Pick<MemoryFile, 'target' | 'device' | 'others'>> {
  readonly name: string;
  readonly segments: readonly MemorySegment[];
}

export interface StmPlanBoard {
  readonly info: Pick<StmInfo, 'link' | 'name' | 'model' | 'flashSize' | 'sectors' | 'protection'> &
    Partial<Pick<StmInfo, 'family'>>;
  /** A simulated one: demo firmware is for it alone. */
  readonly isDemo: boolean;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
}

/** What a release says about the boards that it is for; null is anything. */
export interface StmGuard {
  readonly model: StmModel | null;
  /** At least so many bytes. */
  readonly flashSize: number | null;
  /** For demo devices only. */
  readonly isDemo: boolean;
}

export const anyStm: StmGuard = { model: null, flashSize: null, isDemo: false };

export interface StmPlanInput {
  readonly files: readonly StmPlanFile[];
  /** Null before one is connected: the plan is of the files alone. */
  readonly board: StmPlanBoard | null;
  readonly guard?: StmGuard;
  /** The whole flash is erased before anything is written. */
  readonly eraseAll?: boolean;
  /** Refusals that a person has overridden; it counts for those that are `overridable`. */
  readonly overrides?: readonly StmRefusal[];
}

/**
 * Addresses are those of the memory map: flash begins at 0x08000000. `regions` need not be aligned to anything; what shares a sector
 * with them is in `restore`, and in the map as `restored`. `erase` is empty: sectors are erased only to be written.
 */
export interface StmPlan extends FlashPlan<StmRefusal, StmWarning> {
  /** Those that are erased where they differ: every sector that a region touches. */
  readonly sectors: readonly FlashRange[];
  /** Milliseconds, when all of it differs from what is there. */
  readonly time: number;
}
