/** Types that STM32 boards add to the messages between page and worker. */
import type { StmEntryName, StmInfo } from '@wirebench/flasher/stm32';
import type { BoardFacts } from './flash-protocol.ts';

export interface StmTypes {
  readonly board: StmFacts;
  readonly settings: StmSettings;
  /** Erases the whole chip. The board resets. */
  readonly action: 'remove-read-protection';
}

export interface StmFacts extends BoardFacts {
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
