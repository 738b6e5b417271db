/** Looks at the start of each partition: the app in it, and if it is empty. Reads little, because a connection waits. */
import { erasedBytes, type FlashRange, md5 } from '@wirebench/flasher/core';
import {
  chipFacts,
  DESCRIBED_SIZE,
  describeStart,
  type EspBoard,
  isApp,
  type OtaData,
  otaSlotOf,
  otaSlotToStart,
  type Partition,
  type PartitionTable,
  usualTableOffset,
} from '@wirebench/flasher/espressif';
import { appTitle } from '../../../protocol/app-title.ts';
import type { PartitionHead } from '../../../protocol/esp-types.ts';

/** Largest partition that is hashed as a whole to find out that it is empty, in bytes. Takes 0.1 s on an ESP32. */
const HASHED_WHOLE = 256 * 1_024;
const SECTOR = 4_096;

/** Returns facts about the bootloader and the partitions. Empty without the stub, whose reads and hashes are fast. */
export async function readHeads(
  board: EspBoard,
  partitions: readonly Partition[],
  signal: AbortSignal,
): Promise<PartitionHead[]> {
  if (!board.ability.readsSectors) {
    return [];
  }
  const start = chipFacts[board.info.chip].bootloaderOffset;
  const bootloader = { offset: start, length: usualTableOffset - start };
  const heads = [await readHead(board, bootloader, true, signal)];
  const size = board.info.flash?.size ?? Number.POSITIVE_INFINITY;
  for (const partition of partitions.filter(({ offset, size: own }) => offset + own <= size)) {
    const range = { offset: partition.offset, length: partition.size };
    heads.push(await readHead(board, range, isApp(partition), signal));
  }
  return heads;
}

async function readHead(
  board: EspBoard,
  { offset, length }: FlashRange,
  isProgram: boolean,
  signal: AbortSignal,
): Promise<PartitionHead> {
  const described =
    isProgram && length >= DESCRIBED_SIZE
      ? describeStart(await board.read({ offset, length: DESCRIBED_SIZE }, { signal }))
      : null;
  return { offset, described, empty: described === null ? await isEmpty(board, { offset, length }, signal) : false };
}

/** Returns null if the start is empty and the rest is too long to be hashed now. */
async function isEmpty(board: EspBoard, { offset, length }: FlashRange, signal: AbortSignal): Promise<boolean | null> {
  const hashed = length <= HASHED_WHOLE ? length : SECTOR;
  if (hashed === 0) {
    return null;
  }
  const isErased = (await board.md5({ offset, length: hashed }, { signal })) === md5(erasedBytes(hashed));
  return isErased && hashed < length ? null : isErased;
}

/** Returns the name of the partition that the bootloader starts (ESP-IDF, `bootloader_utility.c`). */
export function startingPartition({ partitions }: PartitionTable, otaData: OtaData | null): string | null {
  const apps = partitions.filter(isApp);
  const slots = apps.filter((one) => otaSlotOf(one) !== null).sort((one, other) => one.subtype - other.subtype);
  const chosen = otaData === null || slots.length === 0 ? null : otaSlotToStart(otaData, slots.length);
  const factory = apps.find(({ subtype }) => subtype === 0);
  const started = chosen === null ? (factory ?? slots[0]) : slots.find((slot) => otaSlotOf(slot) === chosen);
  return (started ?? factory)?.name ?? null;
}

/** Returns name and version of the app whose partition begins at `offset`, as a part of an area; empty without one. */
export function programIn(heads: readonly PartitionHead[], offset: number): { readonly holds?: string } {
  const described = heads.find((head) => head.offset === offset)?.described ?? null;
  if (described === null || !('project' in described) || described.project === '') {
    return {};
  }
  return { holds: appTitle(described) };
}
