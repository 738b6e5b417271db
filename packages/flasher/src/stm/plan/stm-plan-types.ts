/** Input and output of a plan for an STM32. Plain values, which can be posted to a worker. */

import type { FlashPlan } from '../../core/flash-plan.ts';
import type { FlashRange } from '../../core/region.ts';
import type { MemoryFile } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import type { StmModel } from '../parts/model.ts';
import type { StmInfo } from '../stm-board.ts';
import type { StmRefusal, StmWarning } from './stm-plan-finding.ts';

/** A file, from `readMemoryFile`. */
export interface StmPlanFile extends Partial<Pick<MemoryFile, 'target' | 'device' | 'others'>> {
  readonly name: string;
  readonly segments: readonly MemorySegment[];
}

export interface StmPlanBoard {
  readonly info: Pick<StmInfo, 'link' | 'name' | 'model' | 'flashSize' | 'sectors' | 'protection'> &
    Partial<Pick<StmInfo, 'family' | 'productId'>>;
  /** True: a simulated board, the only kind for demo firmware. */
  readonly isDemo: boolean;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
}

/** A release's requirements for its boards. Null accepts any value. */
export interface StmGuard {
  readonly model: StmModel | null;
  /** Least flash size in bytes. */
  readonly flashSize: number | null;
  /** True: for demo devices only. */
  readonly isDemo: boolean;
}

export const anyStm: StmGuard = { model: null, flashSize: null, isDemo: false };

export interface StmPlanInput {
  readonly files: readonly StmPlanFile[];
  /** Null without a connected board: only the files are checked. */
  readonly board: StmPlanBoard | null;
  readonly guard?: StmGuard;
  /** True: erase the whole flash before the write. */
  readonly eraseAll?: boolean;
  /** Refusals that a person has overridden. Only those that are `overridable` are affected. */
  readonly overrides?: readonly StmRefusal[];
}

/**
 * A plan. Addresses are those of the memory map: flash begins at 0x08000000. `regions` need no alignment. Ranges that
 * share a sector with them are in `restore`, and `restored` in the map. `erase` is empty, because sectors are erased
 * only to be written.
 */
export interface StmPlan extends FlashPlan<StmRefusal, StmWarning> {
  /** Every sector that a region touches. Those that differ are erased. */
  readonly sectors: readonly FlashRange[];
  /** Estimated duration in milliseconds if everything differs. */
  readonly time: number;
}
