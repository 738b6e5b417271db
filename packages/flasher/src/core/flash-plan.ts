/** Common part of the plans of all families. Plain values, so that a plan can be posted to a worker. */
import type { FailureText } from './flash-failure.ts';
import type { FlashRange, FlashRegion } from './region.ts';

/** A refusal. `files` are the names of the files that it concerns. */
export interface RefusalFinding<Code extends string> extends FailureText {
  readonly code: Code;
  readonly files: readonly string[];
  /** True: a person may override it by typing a confirmation. */
  readonly overridable: boolean;
}

export interface WarningFinding<Code extends string> extends FailureText {
  readonly code: Code;
  readonly files: readonly string[];
  /** The same for a person who only installs a release: what is lost, without addresses. Missing: `what` suits both. */
  readonly plain?: string;
}

export interface PlannedRegion extends FlashRegion {
  /** Name of the file that provides the bytes. */
  readonly file: string;
}

export interface NamedRange extends FlashRange {
  readonly name: string;
}

/** Fate of a range of flash. `restored`: read before the erase and written back afterwards. */
export type Fate = 'written' | 'erased' | 'restored' | 'kept';

export interface MapArea extends FlashRange {
  /** Name of the partition, `bootloader` or `partition table`; null for an area without a name. */
  readonly name: string | null;
  readonly fate: Fate;
  /** File that is written here; null if `fate` is not `written`. */
  readonly file: string | null;
}

/** Plan of a write to addressable flash. A family adds its own fields. */
export interface FlashPlan<Refusal extends string, Warning extends string> {
  /** Reasons against carrying out the plan. The plan can be carried out only if this is empty. */
  readonly refusals: readonly RefusalFinding<Refusal>[];
  /** Refusals that a person has overridden. The receipt lists them. */
  readonly overridden: readonly RefusalFinding<Refusal>[];
  readonly warnings: readonly WarningFinding<Warning>[];
  /** In the order of addresses. Changed settings are already applied to the bytes. */
  readonly regions: readonly PlannedRegion[];
  readonly eraseAll: boolean;
  /** Whole sectors that are erased and stay empty. Always empty if `eraseAll`. */
  readonly erase: readonly NamedRange[];
  /** Ranges to read before the erase and write back afterwards. */
  readonly restore: readonly NamedRange[];
  /**
   * The whole flash in the order of addresses, without gaps. If its size is unknown, the map ends at the last known
   * byte.
   */
  readonly map: readonly MapArea[];
  /** Sum of the sizes of all regions, in bytes. */
  readonly bytes: number;
}
