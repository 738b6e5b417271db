/** What the families share and a program that works with any of them needs: regions, reports, failures. Knows no chip. */
export type { RegionOutcome, RegionProof, RegionReport, WriteEvent, WritePhase, WriteReport } from './board.ts';
export type { BootVerdict } from './boot-verdict.ts';
export {
  type BoardState,
  boardStateText,
  type CommonFailure,
  commonFailureText,
  type FailureText,
  FlashError,
} from './flash-failure.ts';
export type { Fate } from './flash-plan.ts';
export { type FlashRange, type FlashRegion, sectorSize, splitIntoRegions } from './region.ts';
