/**
 * Finds the partitions of an RP2350: those of the table that its boot ROM uses after the next start, because a file that is
 * written by PICOBOOT starts only then. The boot ROM reports the table that it read when it started (GET_INFO, RP2350
 * datasheet 5.4.8.16, 5.6.4.11), and refuses to once the partitions in flash differ. So flash is read as well, and decides.
 */
import { endOf, joinRanges } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { deadlines } from '../deadlines.ts';
import { partitionFor } from '../files/check-rp-program.ts';
import type { RpCpu } from '../files/index.ts';
import { readPartition, readUnpartitioned } from '../files/partition-table.ts';
import { ProgramMemory } from '../files/program-memory.ts';
import { rpFamily } from '../files/rp-families.ts';
import type { RpPartition, RpPartitions, RpPartitionTable } from '../files/rp-firmware.ts';
import { tableAtStart } from '../files/start-verdict.ts';
import { changedTable, getPartition, getPartitionTable, getTarget, infoWordsOf } from '../picoboot/commands.ts';
import { blocksOf, type FlashMemory } from '../picoboot/flash-memory.ts';
import { type PicobootLink, Refusal } from '../picoboot/picoboot-link.ts';
import type { RpInfo } from '../rp-board.ts';
import { RpError } from '../rp-failure.ts';
import { retryOn } from '../write/write-regions.ts';

/** Bit beside the number of partitions: there is a table. */
const HAS_TABLE = 0x100;
/** Most times that flash is read for further blocks. The boot ROM follows 64. */
const MAX_READS = 80;

/** @returns `none` without a table; null if the ROM does not tell. */
export async function boardPartitions(
  memory: FlashMemory,
  { cpu, secureBoot }: Pick<RpInfo, 'cpu' | 'secureBoot'>,
  signal: AbortSignal,
): Promise<RpInfo['partitions']> {
  const reported = await mayRead(memory, () => reportedPartitions(memory.link), signal);
  // With secure boot only the boot ROM can tell whether it accepts a table.
  if (reported === null || (reported === 'none' && secureBoot === true)) {
    return reported;
  }
  const found = await mayRead(memory, () => tableInFlash(memory, cpu, signal), signal);
  if (found === null || found === 'none') {
    return found ?? (reported === 'changed' ? null : reported);
  }
  const { partitions, unpartitioned } = found;
  return typeof reported !== 'string' && textOf(reported) === textOf(found)
    ? reported
    : { partitions, unpartitioned, isNew: true };
}

const textOf = ({ partitions, unpartitioned }: RpPartitions) => JSON.stringify([partitions, unpartitioned]);

/** Asks the boot ROM for its table. `changed`: it refuses, because flash has other partitions there since it started. */
async function reportedPartitions(link: PicobootLink): Promise<RpPartitions | 'none' | 'changed' | null> {
  try {
    return await readBoardPartitions(link);
  } catch (error) {
    const refusal = error instanceof RpError ? error.cause : null;
    if (refusal instanceof Refusal && refusal.status !== null && changedTable.includes(refusal.status)) {
      await link.recover();
      return 'changed';
    }
    throw error;
  }
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

/** Flash as far as it was read. It notes the sectors that were missing. */
class PartialFlash extends ProgramMemory {
  readonly missing = new Set<number>();
  readonly #known: ReadonlyMap<number, Uint8Array>;
  readonly #flash: FlashRange;

  constructor(known: ReadonlyMap<number, Uint8Array>, flash: FlashRange) {
    super([...known].toSorted(([one], [other]) => one - other).map(([address, bytes]) => ({ address, bytes })));
    this.#known = known;
    this.#flash = flash;
  }

  /** Bytes that a load map may name. */
  override get size(): number {
    return this.#flash.length;
  }

  override read(address: number, size: number): Uint8Array | null {
    this.#note(address, size);
    return super.read(address, size);
  }

  override readFilled(address: number, size: number): Uint8Array {
    this.#note(address, size);
    return super.readFilled(address, size);
  }

  #note(address: number, size: number): void {
    const first = Math.floor(Math.max(address, this.#flash.offset) / sectorSize) * sectorSize;
    const end = Math.min(address + size, endOf(this.#flash));
    for (let sector = first; sector < end; sector += sectorSize) {
      if (!this.#known.has(sector)) {
        this.missing.add(sector);
      }
    }
  }
}

/**
 * Finds the partition table in flash as the boot ROM does at its next start: reads the start of flash, and what its metadata
 * blocks lead to.
 *
 * @returns `none` if the boot ROM would find no valid table; null for metadata that leads too far.
 * @throws RpError `refused` if the boot ROM does not permit the read.
 */
async function tableInFlash(
  memory: FlashMemory,
  cpu: RpCpu | null,
  signal: AbortSignal,
): Promise<RpPartitionTable | 'none' | null> {
  const known = new Map<number, Uint8Array>();
  for (let reads = 0; reads < MAX_READS; reads++) {
    const flash = new PartialFlash(known, memory.range);
    const table = await tableAtStart(flash, { chip: 'RP2350', flashSize: memory.size, ...(cpu !== null && { cpu }) });
    if (flash.missing.size === 0) {
      return table ?? 'none';
    }
    const missing = [...flash.missing].toSorted((one, other) => one - other);
    for (const range of joinRanges(missing.map((offset) => ({ offset, length: sectorSize })))) {
      const bytes = await memory.readAll(range, signal);
      for (const { offset } of blocksOf(range, sectorSize)) {
        known.set(offset, bytes.subarray(offset - range.offset, offset - range.offset + sectorSize));
      }
    }
  }
  return null;
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
