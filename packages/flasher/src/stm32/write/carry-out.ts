/** Carries out a plan at a connected STM32. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import { type UnrestoredFlash, writeWithUnrestored } from '../../core/unrestored.ts';
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
export async function carryOutStm(parts: StmCarryOut): Promise<StmWriteReport> {
  const { board, plan, unrestored, signal, onStage, onEvent } = parts;
  if (plan.refusals.length > 0) {
    throw new StmError('write-failed', { detail: 'The plan was refused.' });
  }
  if (plan.eraseAll) {
    onStage('erasing');
    await board.erase(null, { signal });
  }
  onStage('writing');
  return writeWithUnrestored({
    unrestored,
    regions: plan.regions,
    eraseAll: plan.eraseAll,
    write: (regions) => board.write(regions, { signal, onEvent }),
    leftBy: (error) => (error instanceof StmError ? error.unrestored : []),
  });
}
