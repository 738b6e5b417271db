/** Carries out a plan at a connected AVR. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import type { AvrBoard, AvrWriteReport } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';
import type { AvrPlan } from '../plan/avr-plan-types.ts';

export interface AvrCarryOut {
  readonly board: AvrBoard;
  readonly plan: AvrPlan;
  readonly signal: AbortSignal;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}

/**
 * Erases all flash but the bootloader if the plan wants that, then writes and verifies flash and EEPROM.
 *
 * @throws AvrError.
 */
export async function carryOutAvr({ board, plan, signal, onStage, onEvent }: AvrCarryOut): Promise<AvrWriteReport> {
  if (plan.refusals.length > 0) {
    throw new AvrError('write-failed', { detail: 'The plan was refused.' });
  }
  if (plan.eraseAll) {
    onStage('erasing');
    await board.erase(null, { signal });
  }
  onStage('writing');
  return board.write(plan.regions, { signal, onEvent, eeprom: plan.eeprom });
}
