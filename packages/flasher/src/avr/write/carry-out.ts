/** Carries out a plan at a connected AVR. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import type { FlashRegion } from '../../core/region.ts';
import { writeWithUnrestored } from '../../core/unrestored.ts';
import type { AvrBoard, AvrWriteReport } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';
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
  return writeWithUnrestored({
    unrestored,
    key: board.info.signature,
    regions: plan.regions,
    eraseAll: plan.eraseAll,
    write: (regions) => board.write(regions, { signal, onEvent, eeprom: plan.eeprom }),
    leftBy: (error) => (error instanceof AvrError ? error.unrestored : []),
  });
}
