/** The families' common part, for programs that work with any of them: regions, reports, failures. */

export { followReturn } from '../returned-port.ts';
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
export { addressText, hexOf, isSame, sizeText } from './bytes.ts';
export { changedRegions, erasedBytes } from './changed-regions.ts';
export { keepQuestion, plainWarning, type StoredSettings } from './findings.ts';
export {
  type BoardState,
  boardStateText,
  type CommonFailure,
  commonFailureText,
  type FailureText,
  FlashError,
} from './flash-failure.ts';
/** @public */
export type { Fate } from './flash-plan.ts';
export { md5 } from './md5.ts';
export { inSectors, overlapOf, touchedSectors } from './ranges.ts';
export {
  type FlashRange,
  type FlashRegion,
  type RangeLimits,
  rangeFault,
  sectorSize,
  splitIntoRegions,
} from './region.ts';
/** @public */
export { UnfinishedBoards, type UnrestoredFlash } from './unrestored.ts';
/** @public */
export { untilGone } from './until-gone.ts';
export { eraseChange, wholeChange } from './whole-change.ts';
