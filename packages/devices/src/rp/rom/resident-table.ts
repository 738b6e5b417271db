/**
 * The partition table of an RP2350 as its boot ROM keeps it in RAM. It is read once, at the start of the USB boot
 * (`s_varm_crit_load_resident_partition_table`), and counts until the next reset, whatever becomes of the flash. GET_INFO
 * and the choice of a family's place read the partitions in flash again, and refuse what differs. Facts from the
 * published ROM source, revision A2; the functions in brackets are its names.
 */
import {
  accepts,
  blocksIn,
  extentOf,
  type Partition,
  type PartitionItem,
  permission,
  readPartitions,
  wordsFrom,
} from '../chip/picobin.ts';
import { status } from './worker.ts';

/** Parts of GET_INFO's answer, by their flags (RP2350 datasheet, section 5.4.8.16). */
const parts = { table: 0x01, location: 0x10, id: 0x20, families: 0x40, name: 0x80, single: 0x8000 } as const;
const knownParts = Object.values(parts).reduce((sum, part) => sum | part, 0);
/**
 * Flags and permissions of all flash without a table: everybody reads and writes, and the families ABSOLUTE, DATA,
 * ARM_S and RISCV are accepted (`s_varm_crit_init_resident_partition_table_from_buffer`).
 */
const openSpace = 0xfc07_8000;
const permissionBits = 0xfc00_0000;
/** All sectors, as the location of the unpartitioned space (`s_varm_flashperm_get_default_partition`). */
const wholeLocation = 0x03ff_e000;
/** No partition: the unpartitioned space. */
const noPartition = 0xff;
const absoluteFamily = 0xe48b_ff57;
/** Bit beside the number of partitions: there is a table. */
const hasTable = 0x100;
/** Bytes in which the loop of blocks is followed, and more than an item may have. */
const searched = 65_536;
const longestItem = 4_096;

/** A partition that takes a family, or the unpartitioned space. */
export interface Target {
  readonly index: number;
  readonly location: number;
  readonly flags: number;
}

export class ResidentTable {
  readonly #read: (offset: number, length: number) => Uint8Array;
  /** Offset in flash of the table's item; null without a table. */
  readonly #at: number | null;
  readonly #unpartitioned: number;
  readonly #kept: PartitionItem;

  /** @param read Reads flash as it is at the time of the call. */
  constructor(read: (offset: number, length: number) => Uint8Array) {
    this.#read = read;
    const { table } = blocksIn(read(0, searched));
    this.#at = table?.at ?? null;
    this.#unpartitioned = table?.unpartitioned ?? openSpace;
    this.#kept = table ?? { partitions: [], hashed: [], fillsItem: true };
  }

  /**
   * Answers GET_INFO about the table (`s_varm_api_get_partition_table_info`). The number of partitions and the
   * unpartitioned space come from RAM. All else comes from flash, and the hash is compared with any flags, unless
   * the table has no partitions.
   *
   * @param room Words that the answer may have.
   * @returns The words, or a status code.
   */
  info(flags: number, room: number): readonly number[] | number {
    const words = [flags & knownParts];
    if ((flags & parts.table) !== 0) {
      const { location, flags: own } = this.#open;
      words.push(this.#kept.partitions.length | (this.#at === null ? 0 : hasTable), location, own);
    }
    if (words.length > room) {
      return status.bufferTooSmall;
    }
    const partitions = this.#partitionWords(flags, room - words.length);
    return typeof partitions === 'number' ? partitions : [...words, ...partitions];
  }

  /**
   * Returns the place for a family's blocks; null if it is not accepted
   * (`s_varm_ram_trash_get_uf2_target_partition_workarea`). While the partitions in flash differ from those kept, none
   * of them accepts a family. A B partition is never chosen.
   */
  targetOf(family: number): Target | null {
    const { partitions } = this.#kept;
    if (partitions.length === 0 || family === absoluteFamily) {
      return accepts(this.#unpartitioned, [], family) ? this.#open : null;
    }
    if (typeof this.#reread(partitions.length * 3, ({ families }) => families) === 'number') {
      return null;
    }
    const candidates = partitions.flatMap((partition, index) => {
      const { location, flags, families } = partition;
      const isTaken = accepts(flags, families, family) && !isB(partition);
      return isTaken && permits(partition, permission.bootWrite)
        ? [{ index, location, flags, isOwned: linkType(partition) === 2 }]
        : [];
    });
    const bootable = candidates.find(({ flags, isOwned }) => !isOwned && (flags & 0x600) !== 0x600);
    return bootable ?? candidates.find(({ isOwned }) => !isOwned) ?? candidates[0] ?? null;
  }

  /**
   * Returns true if the boot ROM may read or write these bytes of flash
   * (`s_varm_flashperm_storage_addr_span_has_permissions`). Flash is not read for it.
   */
  isPermitted(offset: number, length: number, access: 'read' | 'write'): boolean {
    const first = this.#partitionAt(offset);
    const bit = access === 'write' ? permission.bootWrite : permission.bootRead;
    return first === this.#partitionAt(offset + length - 1) && permits(first ?? this.#open, bit);
  }

  get #open(): Target {
    const flags = this.#unpartitioned;
    return { index: noPartition, location: ((flags & permissionBits) | wholeLocation) >>> 0, flags };
  }

  /** The first of several that overlap counts. */
  #partitionAt(offset: number): Partition | null {
    return (
      this.#kept.partitions.find(({ location }) => {
        const { from, to } = extentOf(location);
        return offset >= from && offset < to;
      }) ?? null
    );
  }

  #partitionWords(flags: number, room: number): readonly number[] | number {
    const has = (part: number) => (flags & part) !== 0;
    return this.#reread(room, ({ location, flags: own, id, families, name }, index) =>
      has(parts.single) && index !== flags >>> 24
        ? []
        : [
            ...(has(parts.location) ? [location, own] : []),
            ...(has(parts.id) ? id : []),
            ...(has(parts.families) ? families : []),
            ...(has(parts.name) ? name : []),
          ],
    );
  }

  /**
   * Reads the partitions in flash again, as many as were kept (`s_varm_crit_get_pt_partition_info`). Flash without a
   * table there is mostly `invalidData`, and so is erased flash; a table of the same size is `modifiedData`.
   *
   * @param wanted Picks the words of the answer.
   */
  #reread(
    room: number,
    wanted: (partition: Partition, index: number) => readonly number[],
  ): readonly number[] | number {
    const { length: count } = this.#kept.partitions;
    if (this.#at === null || count === 0) {
      return [];
    }
    const bytes = this.#read(this.#at, longestItem);
    const found = readPartitions(wordsFrom(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0), count);
    const words: number[] = [];
    for (const [index, partition] of found.partitions.entries()) {
      words.push(...wanted(partition, index));
      if (words.length > room) {
        return status.bufferTooSmall;
      }
    }
    if (!found.fillsItem) {
      return status.invalidData;
    }
    const { hashed } = this.#kept;
    const isSame = found.hashed.length === hashed.length && found.hashed.every((word, index) => word === hashed[index]);
    return isSame ? words : status.modifiedData;
  }
}

/** Both words state the permissions, and what one of them lacks is not permitted. */
function permits({ location, flags }: Pick<Partition, 'location' | 'flags'>, bit: number): boolean {
  return (location & flags & bit) !== 0;
}

function linkType({ flags }: Partition): number {
  return (flags >> 1) & 3;
}

function isB(partition: Partition): boolean {
  return linkType(partition) === 1;
}
