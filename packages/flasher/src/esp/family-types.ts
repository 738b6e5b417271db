/** Types that Espressif's boards supply to the interface of all families, and the settings that a write begins with. */
import type { FlashRange } from '../core/region.ts';
import type { BoardDescription } from '../family-values.ts';
import type { EfuseWords } from './efuse/read-efuses.ts';
import type { EspNotice } from './esp-board.ts';
import type { EspInfo } from './esp-info.ts';
import type { FlashAbility } from './flash-ability.ts';
import type { AppDescription, BootloaderDescription } from './images/description.ts';
import type { PartitionTable } from './images/partition-table.ts';
import type { EspEraseChoice, EspPlanFile, EspPlanSettings } from './plan/esp-plan-types.ts';

export interface EspTypes {
  readonly facts: EspBoardFacts;
  readonly settings: EspSettings;
  readonly file: EspPlanFile;
  /** `read-efuses`: reads the eFuses, once for each connection. */
  readonly action: 'read-efuses';
  readonly notice: EspNotice;
}

export interface EspBoardFacts extends BoardDescription, Pick<FlashAbility, 'canErase'> {
  readonly family: 'esp';
  readonly info: EspInfo;
  readonly runsStub: boolean;
  /** Partition table in its flash; null if it has no table, or if the flash cannot be read. */
  readonly table: PartitionTable | null;
  /** Flash offset of the table; default 0x8000. */
  readonly tableOffset?: number;
  /** Its `coredump` partition, if that begins like a core dump; else null, also if the flash cannot be read. */
  readonly crash: StoredCrash | null;
  /** Facts about what is in its partitions, from their first bytes. Missing if the flash cannot be read. */
  readonly heads?: readonly PartitionHead[];
  /** Name of the partition whose app the bootloader starts; missing or null if unknown. */
  readonly startsFrom?: string | null;
  /** Its eFuses; missing until they were read, and for a board that does not let them be read. */
  readonly efuses?: EfuseWords;
  /** True: its flash is encrypted, and it can encrypt what is written. Missing: no. */
  readonly encrypts?: boolean;
}

/** First facts about a partition, or about the bootloader, which few tables list. */
export interface PartitionHead {
  /** Flash offset of the partition. */
  readonly offset: number;
  /** True: all of it is erased. False: it holds something. Null: not known without reading it. */
  readonly empty: boolean | null;
  /** Description of the app or bootloader in it; null if it has none. */
  readonly described: AppDescription | BootloaderDescription | null;
}

/** Place of the core dump of the last crash in a board's flash. */
export interface StoredCrash extends FlashRange {
  /** Name of the partition. */
  readonly name: string;
}

export interface EspSettings {
  readonly family: 'esp';
  /** Values for the header of the bootloader. `keep` leaves the build's values. */
  readonly flash: EspPlanSettings;
  readonly erase: EspEraseChoice;
  /** True: settings that the board has stored survive an erase. */
  readonly keepNvs: boolean;
  /** True: a board with encrypted flash encrypts what is written, if it can. Missing: no. */
  readonly encrypt?: boolean;
}

export const espSettings: EspSettings = {
  family: 'esp',
  flash: { mode: 'keep', frequency: 'keep', size: 'keep' },
  erase: 'needed',
  keepNvs: true,
};
