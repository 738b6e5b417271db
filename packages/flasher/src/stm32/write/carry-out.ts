/** Carries out a plan at a connected STM32. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import type { FlashRegion } from '../../core/region.ts';
import type { StmPlan } from '../plan/stm-plan-types.ts';
import type { StmBoard, StmWriteReport } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';

export interface StmCarryOut {
  readonly board: StmBoard;
  readonly plan: StmPlan;
  /** Data that shared a sector with a failed write and is not written back yet, by the unique id of its board. */
  readonly unrestored: Map<string, readonly FlashRegion[]>;
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
  const key = board.info.uniqueId ?? '';
  if (plan.eraseAll) {
    onStage('erasing');
    await board.erase(null, { signal });
  }
  onStage('writing');
  const kept = plan.eraseAll
    ? []
    : (unrestored.get(key) ?? []).filter((region) => plan.regions.every((other) => apart(region, other)));
  try {
    const report = await board.write([...plan.regions, ...kept], { signal, onEvent });
    unrestored.delete(key);
    return report;
  } catch (error) {
    if (error instanceof StmError && error.unrestored.length > 0) {
      unrestored.set(key, error.unrestored);
    }
    throw error;
  }
}

const apart = (one: FlashRegion, other: FlashRegion) =>
  one.offset + one.bytes.length <= other.offset || other.offset + other.bytes.length <= one.offset;
