/** What Espressif's boards add to what page and host say to each other. */
import type { FlashRange } from '@wirebench/flasher/core';
import type { EspEraseChoice, EspInfo, EspPlanSettings, PartitionTable } from '@wirebench/flasher/espressif';
import type { BoardFacts } from '../../flash-protocol.ts';

export interface EspTypes {
  readonly board: EspFacts;
  readonly settings: EspSettings;
  readonly action: never;
}

export interface EspFacts extends BoardFacts {
  readonly family: 'esp';
  readonly info: EspInfo;
  readonly runsStub: boolean;
  /** What is in its flash; null where there is none, or it cannot be read. */
  readonly table: PartitionTable | null;
  /** Its `coredump` partition, if that begins like a core dump; null otherwise, and where it cannot be read. */
  readonly crash: StoredCrash | null;
}

/** Where a board keeps the core dump of its last crash. */
export interface StoredCrash extends FlashRange {
  /** Of the partition. */
  readonly name: string;
}

export interface EspSettings {
  readonly family: 'esp';
  /** Header of the bootloader: `keep` leaves what the build has set. */
  readonly flash: EspPlanSettings;
  readonly erase: EspEraseChoice;
  /** Settings that the board has stored outlive what is erased. */
  readonly keepNvs: boolean;
}

export const espSettings: EspSettings = {
  family: 'esp',
  flash: { mode: 'keep', frequency: 'keep', size: 'keep' },
  erase: 'needed',
  keepNvs: true,
};
