/** What an address in flash is for: by the partition table, and without one by what all builds have in common. */
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { type Partition, type PartitionTable, tableSectorSize, usualTableOffset } from './partition-table.ts';
import { isApp, isOtaData, partitionType } from './partition-types.ts';

/** Where apps begin with the partition tables that ESP-IDF and Arduino come with. */
export const usualAppOffset = 0x10000;

export interface FlashLayout {
  /** Null when it is not known. */
  readonly chip: ChipName | null;
  /** Null when it is not known. */
  readonly table: PartitionTable | null;
  /** Address of the table; 0x8000 when left out. */
  readonly tableOffset?: number | undefined;
}

export interface FlashPlace {
  /** `unknown`: no table says. */
  readonly use: 'bootloader' | 'partition-table' | 'app' | 'ota-data' | 'data' | 'unknown';
  readonly partition: Partition | null;
}

/** Says what belongs at an address. */
export function flashPlaceAt(offset: number, { chip, table, tableOffset = usualTableOffset }: FlashLayout): FlashPlace {
  const partition = table?.partitions.find((one) => offset >= one.offset && offset < one.offset + one.size) ?? null;
  if (partition !== null) {
    return { use: useOf(partition), partition };
  }
  if (table === null && chip !== null && !chipFacts[chip].hasPartitions) {
    return { use: offset === chipFacts[chip].bootloaderOffset ? 'bootloader' : 'unknown', partition };
  }
  if (offset < tableOffset + tableSectorSize) {
    return { use: offset < tableOffset ? 'bootloader' : 'partition-table', partition };
  }
  return { use: table === null && offset === usualAppOffset ? 'app' : 'unknown', partition };
}

/** Says whether only a program or a partition table can be there, and nothing else would start. */
export function isProgramPlace({ use }: FlashPlace): boolean {
  return use === 'bootloader' || use === 'partition-table' || use === 'app';
}

function useOf(partition: Partition): FlashPlace['use'] {
  switch (partition.type) {
    case partitionType.bootloader:
      return 'bootloader';
    case partitionType.partitionTable:
      return 'partition-table';
    default:
      return isApp(partition) ? 'app' : isOtaData(partition) ? 'ota-data' : 'data';
  }
}
