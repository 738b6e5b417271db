/** Types that STM32 boards supply to the interface of all families, and the settings that a write begins with. */
import type { BoardDescription } from '../family-values.ts';
import type { StmEntryName } from './an3155/entry.ts';
import type { StmPlanFile } from './plan/stm-plan-types.ts';
import type { StmInfo } from './stm-board.ts';

export interface StmTypes {
  readonly facts: StmBoardFacts;
  readonly settings: StmSettings;
  readonly file: StmPlanFile;
  /** Erases the whole chip. The board resets. */
  readonly action: 'remove-read-protection';
  readonly notice: never;
}

export interface StmBoardFacts extends BoardDescription {
  readonly family: 'stm';
  readonly info: StmInfo;
}

export interface StmSettings {
  readonly family: 'stm';
  /** Wiring of the adapter's control lines. */
  readonly entry: StmEntryName;
  /** True: the whole flash is erased before the write. */
  readonly eraseAll: boolean;
}

export const stmSettings: StmSettings = { family: 'stm', entry: 'usual', eraseAll: false };
