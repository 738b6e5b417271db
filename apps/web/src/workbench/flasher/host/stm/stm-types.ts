/** What STM32 boards add to what page and host say to each other. */
import type { StmEntryName, StmInfo } from '@wirebench/flasher/stm32';
import type { BoardFacts } from '../../flash-protocol.ts';

export interface StmTypes {
  readonly board: StmFacts;
  readonly settings: StmSettings;
  /** Erases the whole chip; the board resets. */
  readonly action: 'remove-read-protection';
}

export interface StmFacts extends BoardFacts {
  readonly family: 'stm';
  readonly info: StmInfo;
}

export interface StmSettings {
  readonly family: 'stm';
  /** What the control lines of the adapter are wired to. */
  readonly entry: StmEntryName;
  /** The whole flash is erased before anything is written. */
  readonly eraseAll: boolean;
}

export const stmSettings: StmSettings = { family: 'stm', entry: 'usual', eraseAll: false };
