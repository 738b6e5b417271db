/** Carries out a plan at a connected AVR. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import { overlapOf } from '../../core/ranges.ts';
import type { FlashRegion } from '../../core/region.ts';
import type { AvrBoard, AvrWriteReport } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';
import { rangeOf } from '../parts/page-cover.ts';
import type { AvrPlan } from '../plan/avr-plan-types.ts';

export interface AvrCarryOut {
  readonly board: AvrBoard;
  readonly plan: AvrPlan;
  /** Flash beside a failed write that is not written back yet, by the signature of its board. */
  readonly unrestored: Map<string, readonly FlashRegion[]>;
  readonly signal: AbortSignal;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}

/**
 * Erases all flash but the bootloader if the plan wants that, then writes and verifies flash and EEPROM.
 *
 * @throws AvrError. `unrestored` then contains data that must not be lost.
 */
export async function carryOutAvr({
  board,
  plan,
  unrestored,
  signal,
  onStage,
  onEvent,
}: AvrCarryOut): Promise<AvrWriteReport> {
  if (plan.refusals.length > 0) {
    throw new AvrError('write-failed', { detail: 'The plan was refused.' });
  }
  if (plan.eraseAll) {
    onStage('erasing');
    await board.erase(null, { signal });
  }
  onStage('writing');
  const key = board.info.signature;
  const isBeside = (kept: FlashRegion) =>
    plan.regions.every((region) => overlapOf(rangeOf(region), rangeOf(kept)) === null);
  const kept = plan.eraseAll ? [] : (unrestored.get(key) ?? []).filter(isBeside);
  try {
    const report = await board.write([...plan.regions, ...kept], { signal, onEvent, eeprom: plan.eeprom });
    unrestored.delete(key);
    return report;
  } catch (error) {
    if (error instanceof AvrError && error.unrestored.length > 0) {
      unrestored.set(key, error.unrestored);
    }
    throw error;
  }
}
