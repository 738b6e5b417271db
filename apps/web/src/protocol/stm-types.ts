/** Types that STM32 boards add to the messages between page and worker. */
import type { StmTypes as StmFamilyTypes } from '@wirebench/flasher/stm';
import type { OnPort } from './flash-protocol.ts';

export type StmTypes = OnPort<StmFamilyTypes>;

export type StmFacts = StmTypes['board'];

export { type StmSettings, stmSettings } from '@wirebench/flasher/stm';
