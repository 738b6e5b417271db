/** What Espressif's boards add to what page and host say to each other. */
import type { BoardInfo, EraseChoice, PartitionTable, PlanSettings } from '@wirebench/flasher';
import type { BoardFacts } from '../../flash-protocol.ts';

export interface EspTypes {
  readonly board: EspFacts;
  readonly settings: EspSettings;
  readonly deed: never;
}

export interface EspFacts extends BoardFacts {
  readonly family: 'esp';
  readonly info: BoardInfo;
  readonly runsStub: boolean;
  /** What stands in its flash; null where there is none, or it cannot be read. */
  readonly table: PartitionTable | null;
}

export interface EspSettings {
  readonly family: 'esp';
  /** Header of the bootloader: `keep` leaves what the build has set. */
  readonly flash: PlanSettings;
  readonly erase: EraseChoice;
  /** Settings that the board has stored outlive what is erased. */
  readonly keepNvs: boolean;
}

export const espSettings: EspSettings = {
  family: 'esp',
  flash: { mode: 'keep', frequency: 'keep', size: 'keep' },
  erase: 'needed',
  keepNvs: true,
};
