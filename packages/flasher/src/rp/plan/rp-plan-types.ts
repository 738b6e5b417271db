/** Input and output of a plan for an RP2040 or RP2350. Plain values, which can be posted to a worker. */
import type { BoardChange } from '../../core/board-change.ts';
import type { FlashPlan } from '../../core/flash-plan.ts';
import type { FlashRange } from '../../core/region.ts';
import type { RpChip, RpFirmware, RpFlashUser } from '../files/index.ts';
import type { PutBack } from '../put-back/put-back.ts';
import type { RpInfo } from '../rp-board.ts';
import type { RpRefusal, RpWarning } from './rp-plan-finding.ts';

export interface RpPlanFile {
  readonly name: string;
  readonly firmware: RpFirmware;
  /** The file itself if it is a UF2, for the drive; null for other formats. */
  readonly uf2: Uint8Array | null;
  /** File systems that the programs of `firmware`, in their order, state they keep in flash; null for one that states none. Missing: none do. */
  readonly storages?: readonly (RpFlashUser | null)[];
}

export interface RpPlanBoard {
  readonly info: Pick<RpInfo, 'link' | 'chip' | 'flashSize' | 'cpu' | 'users'> & Partial<Pick<RpInfo, 'partitions'>>;
  /** True: a simulated board, the only kind for demo firmware. */
  readonly isDemo: boolean;
}

/** A release's requirements for its boards. Null accepts any value. */
export interface RpGuard {
  /** `rp2040` or `rp2350`. */
  readonly model: string | null;
  /** Least flash size in bytes. */
  readonly flashSize: number | null;
  /** True: for demo devices only. */
  readonly isDemo: boolean;
}

export interface RpPlanInput {
  readonly files: readonly RpPlanFile[];
  /** Null without a connected board: only the files are checked. */
  readonly board: RpPlanBoard | null;
  readonly guard?: RpGuard;
  /** True: erase the whole flash before the write. */
  readonly eraseAll?: boolean;
  /** Fate of files that the write would take. Missing: file systems that it touches are named only. */
  readonly putBack?: PutBack;
  /** Changes to what the board holds, written after the files. Missing: none. */
  readonly changes?: readonly BoardChange[];
  /** Names of the changes whose contents on the board differ from those that they were made from. */
  readonly outdated?: readonly string[];
  /** True: an interrupted write has saved files of this board, which are not put back yet. */
  readonly holdsFiles?: boolean;
  /** Refusals that a person has overridden. Only those that are `overridable` are affected. */
  readonly overrides?: readonly RpRefusal[];
}

/** A plan. Addresses are those of the memory map: flash begins at 0x10000000. */
export interface RpPlan extends FlashPlan<RpRefusal, RpWarning> {
  /** Written after the regions, in their own order. */
  readonly changes: readonly BoardChange[];
  /** Every sector that a region touches. Those that differ are erased. */
  readonly sectors: readonly FlashRange[];
  /** Estimated duration in milliseconds if everything differs. */
  readonly time: number;
}

/** Key of a chip in releases. */
export const modelOf = (chip: RpChip): string => chip.toLowerCase();
