/** Carries out a plan at a connected STM32. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import { carryOutMemory } from '../../core/memory-plan.ts';
import type { UnrestoredFlash } from '../../core/unrestored.ts';
import type { StmPlan } from '../plan/stm-plan-types.ts';
import type { StmBoard, StmWriteReport } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';

export interface StmCarryOut {
  readonly board: StmBoard;
  readonly plan: StmPlan;
  /** Data of this board that shared a sector with a failed write and is not written back yet. */
  readonly unrestored: UnrestoredFlash;
  readonly signal: AbortSignal;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}

/**
 * Erases the chip if the plan wants that, then writes and verifies.
 *
 * @throws StmError. `unrestored` then contains data that must not be lost.
 */
export function carryOutStm(parts: StmCarryOut): Promise<StmWriteReport> {
  const { board, plan, unrestored, signal, onStage, onEvent } = parts;
  return carryOutMemory({
    plan,
    unrestored,
    onStage,
    eraseAll: () => board.erase(null, { signal }),
    write: (regions) => board.write(regions, { signal, onEvent }),
    Failure: StmError,
  });
}
