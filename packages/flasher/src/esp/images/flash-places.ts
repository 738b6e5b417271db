/** Determines the use of a flash address by the partition table, or by the layout that all builds share. */
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { type Partition, type PartitionTable, tableSectorSize, usualTableOffset } from './partition-table.ts';
import { isApp, isOtaData, partitionType } from './partition-types.ts';

/** Offset of the first app in the default partition tables of ESP-IDF and Arduino. */
export const usualAppOffset = 0x10000;

export interface FlashLayout {
  readonly chip: ChipName | null;
  readonly table: PartitionTable | null;
  /** Flash offset of the table; default 0x8000. */
  readonly tableOffset?: number | undefined;
}

export interface FlashPlace {
  /** `unknown`: no partition table covers the address. */
  readonly use: 'bootloader' | 'partition-table' | 'app' | 'ota-data' | 'data' | 'unknown';
  readonly partition: Partition | null;
}

/** Returns the use of an address. */
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

/** Returns true if the place needs a program or a partition table, so that other data would not start. */
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
