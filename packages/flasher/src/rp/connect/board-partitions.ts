/**
 * Asks the boot ROM of an RP2350 for the partitions that it uses, over GET_INFO (RP2350 datasheet 5.4.8.16, 5.6.4.11). The ROM reads
 * the table when it starts, so one that was written since counts after the next restart.
 */
import { deadlines } from '../deadlines.ts';
import { partitionFor } from '../files/check-rp-program.ts';
import { readPartition, readUnpartitioned } from '../files/partition-table.ts';
import { rpFamily } from '../files/rp-families.ts';
import type { RpPartition, RpPartitions } from '../files/rp-firmware.ts';
import { getPartition, getPartitionTable, getTarget, infoWordsOf } from '../picoboot/commands.ts';
import type { FlashMemory } from '../picoboot/flash-memory.ts';
import type { PicobootLink } from '../picoboot/picoboot-link.ts';
import { RpError } from '../rp-failure.ts';
import { retryOn } from '../write/write-regions.ts';

/** Bit beside the number of partitions: there is a table. */
const HAS_TABLE = 0x100;

/** @returns `none` without a table; null if the ROM does not tell. */
export function boardPartitions(memory: FlashMemory, signal: AbortSignal): Promise<RpPartitions | 'none' | null> {
  return mayRead(memory, () => readBoardPartitions(memory.link), signal);
}

async function readBoardPartitions(link: PicobootLink): Promise<RpPartitions | 'none' | null> {
  // The parts that follow, the number, then permissions of the rest with its location and with its flags.
  const [, state, , unpartitioned] = infoWordsOf(await link.run(getPartitionTable, deadlines.command));
  if (state === undefined || unpartitioned === undefined) {
    return null;
  }
  if ((state & HAS_TABLE) === 0) {
    return 'none';
  }
  const partitions: RpPartition[] = [];
  for (let index = 0; index < (state & 0xff); index++) {
    const words = infoWordsOf(await link.run(getPartition(index), deadlines.command));
    const read = words.length < 3 ? null : readPartition(words, 1, index);
    if (read === null) {
      return null;
    }
    partitions.push(read.partition);
  }
  const table = { partitions, unpartitioned: readUnpartitioned(unpartitioned) };
  return { ...table, targets: await readTargets(link, table) };
}

/** Asks for the choice between an A and a B slot, which depends on the programs in them. */
async function readTargets(link: PicobootLink, table: RpPartitions): Promise<NonNullable<RpPartitions['targets']>> {
  const targets: { familyId: number; index: number }[] = [];
  const hasB = (a: RpPartition) => table.partitions.some(({ slot }) => slot.kind === 'b' && slot.of === a.index);
  for (const familyId of Object.values(rpFamily)) {
    const target = partitionFor(familyId, table, 'arm');
    if (target !== null && target !== 'anywhere' && hasB(target)) {
      const [index] = infoWordsOf(await link.run(getTarget(familyId), deadlines.command));
      if (index !== undefined && index < table.partitions.length) {
        targets.push({ familyId, index });
      }
    }
  }
  return targets;
}

/** Returns null if the ROM does not permit it, as the permissions of an RP2350's partition table may say. */
export async function mayRead<Result>(
  memory: FlashMemory,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | null> {
  try {
    return await retryOn(memory, signal, work);
  } catch (error) {
    if (error instanceof RpError && error.code === 'refused') {
      await memory.link.recover();
      return null;
    }
    throw error;
  }
}
