/** Carries out a plan at a connected AVR. Safe to repeat after a failure. */
import type { WriteEvent, WriteStage } from '../../core/board.ts';
import { carryOutMemory } from '../../core/memory-plan.ts';
import type { UnrestoredFlash } from '../../core/unrestored.ts';
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
export function carryOutAvr(parts: AvrCarryOut): Promise<AvrWriteReport> {
  const { board, plan, unrestored, signal, onStage, onEvent } = parts;
  return carryOutMemory({
    plan,
    unrestored,
    onStage,
    eraseAll: () => board.erase(null, { signal }),
    write: (regions) => board.write(regions, { signal, onEvent, eeprom: plan.eeprom }),
    Failure: AvrError,
  });
}
