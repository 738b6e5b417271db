/** Carries out a plan at a connected AVR. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import { type UnrestoredFlash, writeWithUnrestored } from '../../core/unrestored.ts';
import type { AvrBoard, AvrWriteReport } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';
import type { AvrPlan } from '../plan/avr-plan-types.ts';

export interface AvrCarryOut {
  readonly board: AvrBoard;
  readonly plan: AvrPlan;
  /** Data of this board that shared a page with a failed write and is not written back yet. */
  readonly unrestored: UnrestoredFlash;
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
  return writeWithUnrestored({
    unrestored,
    regions: plan.regions,
    eraseAll: plan.eraseAll,
    write: (regions) => board.write(regions, { signal, onEvent, eeprom: plan.eeprom }),
    leftBy: (error) => (error instanceof AvrError ? error.unrestored : []),
  });
}
