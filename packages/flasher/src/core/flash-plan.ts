/** What the plans of all families have in common. Plain values: they cross a worker's border as they are. */
import type { FailureText } from './flash-failure.ts';
import type { FlashRange, FlashRegion } from './region.ts';

/** `files` are the names that the sentence is about. */
export interface RefusalFinding<Code extends string> extends FailureText {
  readonly code: Code;
  readonly files: readonly string[];
  /** Whether a person may confirm by typing that it does not matter. */
  readonly overridable: boolean;
}

export interface WarningFinding<Code extends string> extends FailureText {
  readonly code: Code;
  readonly files: readonly string[];
}

export interface PlannedRegion extends FlashRegion {
  /** Name of the file that its bytes are from. */
  readonly file: string;
}

export interface NamedRange extends FlashRange {
  readonly name: string;
}

/** What becomes of a stretch of flash. `restored`: read before the erase, and written back. */
export type Fate = 'written' | 'erased' | 'restored' | 'kept';

export interface MapArea extends FlashRange {
  /** Partition, `bootloader` or `partition table`; null for what has no name. */
  readonly name: string | null;
  readonly fate: Fate;
  /** Where it is written: the file. */
  readonly file: string | null;
}

/** The plan of a write to flash that is addressed; a family adds what only it has. */
export interface FlashPlan<Refusal extends string, Warning extends string> {
  /** What keeps the plan from being carried out: none may be left. */
  readonly refusals: readonly RefusalFinding<Refusal>[];
  /** Refusals that a person has overridden: the receipt names them. */
  readonly overridden: readonly RefusalFinding<Refusal>[];
  readonly warnings: readonly WarningFinding<Warning>[];
  /** In the order of addresses, with changed settings already in them. */
  readonly regions: readonly PlannedRegion[];
  readonly eraseAll: boolean;
  /** Whole sectors that are erased and stay empty. Empty with `eraseAll`. */
  readonly erase: readonly NamedRange[];
  /** To be read before the erase and written back after it. */
  readonly restore: readonly NamedRange[];
  /** The whole flash in the order of addresses, without gaps; up to the last known byte when its size is not known. */
  readonly map: readonly MapArea[];
  /** Bytes of all regions. */
  readonly bytes: number;
}
