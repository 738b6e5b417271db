/** The families' common part, for programs that work with any of them: regions, reports, failures. */

export { baseName } from './base-name.ts';
export type {
  RegionOutcome,
  RegionProof,
  RegionReport,
  WriteEvent,
  WritePhase,
  WriteReport,
  WriteStage,
} from './board.ts';
export type { BoardChange } from './board-change.ts';
export type { BootVerdict } from './boot-verdict.ts';
export { addressText, sizeText } from './bytes.ts';
export { changedRegions, erasedBytes } from './changed-regions.ts';
export {
  type BoardState,
  boardStateText,
  type CommonFailure,
  commonFailureText,
  type FailureText,
  FlashError,
} from './flash-failure.ts';
export type { Fate } from './flash-plan.ts';
export { md5 } from './md5.ts';
export { type FlashRange, type FlashRegion, sectorSize, splitIntoRegions } from './region.ts';
export { UnrestoredBoards, type UnrestoredFlash } from './unrestored.ts';
export { untilGone } from './until-gone.ts';
export { eraseChange, wholeChange } from './whole-change.ts';
