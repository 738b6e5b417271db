/** Input and output of a plan. Plain values, which can be posted to a worker. */

import type { BoardChange } from '../../core/board-change.ts';
import type { FlashPlan } from '../../core/flash-plan.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import type { BootRules } from '../efuse/boot-rules.ts';
import type { EspInfo } from '../esp-info.ts';
import type { FlashSettings } from '../images/flash-settings.ts';
import type { OtaEntries } from '../images/ota-data.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import type { EspRefusal, EspWarning } from './esp-plan-finding.ts';
import type { StartAnswer } from './start-answer.ts';

export interface EspPlanFile {
  readonly name: string;
  /** Flash offset in bytes. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The connected board. */
export interface EspPlanBoard {
  readonly info: Pick<EspInfo, 'chip' | 'model' | 'revision' | 'flash' | 'security'>;
  /** True: a simulated board, the only kind for demo firmware. */
  readonly isDemo: boolean;
  /** Partition table in the board's flash; `not-read` if it was not or could not be read. */
  readonly table: PartitionTable | 'none' | 'not-read';
  /** Flash offset of the table; default 0x8000. */
  readonly tableOffset?: number;
  /** True: the flash without a table was found erased, so that nothing can be lost. Default: unknown. */
  readonly isBlank?: boolean;
  /** Flash size in the header of the board's bootloader, in bytes; missing or null if it is unknown. */
  readonly headerSize?: number | null;
  /** OTA data, which select the app; null if the table has none, or it was not read. */
  readonly otaData: OtaEntries | null;
  /** Flash offsets of the app partitions in which no image begins; missing if they were not read. */
  readonly emptyApps?: readonly number[];
  /** Conditions in the eFuses; missing or null if they were not or cannot be read. */
  readonly bootRules?: BootRules | null;
  /** False: flash cannot be erased without writing it. Default: it can. */
  readonly canErase?: boolean;
  /** False: flash cannot be hashed, so a change cannot be verified. Default: it can. */
  readonly canHash?: boolean;
}

/** A release's requirements for its boards. Null accepts any value. */
export interface EspGuard {
  readonly chip: ChipName | null;
  /** Least flash size in bytes. */
  readonly flashSize: number | null;
  /** Name on the package, such as `ESP32-PICO-D4`. */
  readonly model: string | null;
  /** True: for demo devices only. */
  readonly isDemo: boolean;
}

export const anyEsp: EspGuard = { chip: null, flashSize: null, model: null, isDemo: false };

/**
 * `none`: only the sectors that are written. `needed`: also the OTA data if another app than the new one would start. They
 * are erased, or written if only that selects the new app.
 * `all`: the whole flash before the write.
 */
export type EspEraseChoice = 'none' | 'needed' | 'all';

/** `detect`: the size of the board's flash chip. */
export type EspPlanSettings = Omit<FlashSettings, 'size'> & { readonly size: number | 'keep' | 'detect' };

export interface EspPlanInput {
  readonly files: readonly EspPlanFile[];
  /** Changes to what the board holds. They are carried out after the files. */
  readonly changes?: readonly BoardChange[];
  /** Names of the changes whose contents on the board differ by now from those that they were made from. */
  readonly outdated?: readonly string[];
  /** Null without a connected board: only the files are checked. */
  readonly board: EspPlanBoard | null;
  readonly guard?: EspGuard;
  readonly settings?: EspPlanSettings;
  readonly erase?: EspEraseChoice;
  /** True: keep stored settings even if a merged image or erasing everything would remove them. */
  readonly keepNvs?: boolean;
  /**
   * True: the chip encrypts programs while it writes them. Has an effect only on a board whose `bootRules` allow it.
   */
  readonly encrypt?: boolean;
  /** Refusals that a person has overridden. Only those that are `overridable` are affected. */
  readonly overrides?: readonly EspRefusal[];
  /** In bytes, a multiple of 4,096. */
  readonly regionSize?: number;
}

/** A plan. No two regions share a sector. */
export interface EspPlan extends FlashPlan<EspRefusal, EspWarning> {
  /** Partition table after the write; null if unknown. */
  readonly table: PartitionTable | null;
  /** Answer to "Will this image start here?"; null without a board or without a program in the files. */
  readonly start: StartAnswer | null;
  /**
   * In the order in which they are carried out. They share no sector with each other or with `regions`. The last one may
   * be the choice of the new app.
   */
  readonly changes: readonly BoardChange[];
}
