/** Looks at the start of each partition: the app or the crash in it, and if it is empty. Reads little, because a connection waits. */
import { erasedBytes } from '../../core/changed-regions.ts';
import { md5 } from '../../core/md5.ts';
import type { FlashRange } from '../../core/region.ts';
import type { Inspection } from '../../family.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import type { EspBoard } from '../esp-board.ts';
import type { PartitionHead, StoredCrash } from '../family-types.ts';
import { DESCRIBED_SIZE, describeStart } from '../images/description.ts';
import { type Partition, type PartitionTable, usualTableOffset } from '../images/partition-table.ts';
import { isApp, subtypeName } from '../images/partition-types.ts';
import type { BoardContents } from './board-contents.ts';

/** Largest partition that is hashed as a whole to find out that it is empty, in bytes. Takes 0.1 s on an ESP32. */
const HASHED_WHOLE = 256 * 1_024;
const SECTOR = 4_096;

/** Looks for a crash, and at the start of each partition. */
export async function inspectFlash(
  board: EspBoard,
  { table, tableOffset }: BoardContents,
  inspection: Inspection,
  signal: AbortSignal,
): Promise<{ readonly crash: StoredCrash | null; readonly heads: readonly PartitionHead[] }> {
  return typeof table === 'string'
    ? { crash: null, heads: await readHeads(board, { partitions: [] }, signal) }
    : {
        crash: await findCrash(board, table, inspection, signal),
        heads: await readHeads(board, { partitions: table.partitions, tableOffset }, signal),
      };
}

/** Reads only the first words of the first `coredump` partition: the whole dump may take long. */
async function findCrash(
  board: EspBoard,
  { partitions }: PartitionTable,
  { coreHeadSize, isCoreDump }: Inspection,
  signal: AbortSignal,
): Promise<StoredCrash | null> {
  const place = partitions.find((partition) => subtypeName(partition) === 'coredump' && !partition.encrypted);
  if (place === undefined) {
    return null;
  }
  const { name, offset, size } = place;
  const head = await board.read({ offset, length: coreHeadSize }, { signal });
  return isCoreDump(head, size) ? { name, offset, length: size } : null;
}

/** Returns facts about the bootloader and the partitions. Empty without the stub, whose reads and hashes are fast. */
async function readHeads(
  board: EspBoard,
  {
    partitions,
    tableOffset = usualTableOffset,
  }: { readonly partitions: readonly Partition[]; readonly tableOffset?: number | undefined },
  signal: AbortSignal,
): Promise<PartitionHead[]> {
  if (!board.ability.readsSectors) {
    return [];
  }
  const start = chipFacts[board.info.chip].bootloaderOffset;
  const bootloader = { offset: start, length: tableOffset - start };
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
