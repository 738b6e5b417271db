/**
 * Several parts in one file, as `esptool merge-bin`, `idf.py merge-bin`, PlatformIO and Arduino write them, or as flash is read
 * back: a bootloader where the chip looks for it, a partition table behind it, and what is in the partitions; what is
 * between is 0xFF. The file begins at 0, or at the bootloader.
 */

import { isErased, isFilledWith } from '../../core/bytes.ts';
import { ImageError } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { espImageMagic, readEspImage } from './esp-image.ts';
import { type Partition, type PartitionTable, readPartitionTable, startsLikeTable } from './partition-table.ts';

const SECTOR = 0x1000;
/**
 * What Secure Boot V1 has at the start of flash, in front of the bootloader: 128 random bytes and a digest of the bootloader, then
 * 0xFF (ESP-IDF, "Secure Boot V1"; espsecure, `digest_secure_bootloader`). Only the ESP32 has it.
 */
const DIGEST_SIZE = 192;
/** The table is looked for in the sectors up to here: it may be higher than usual behind a large bootloader. */
const LAST_TABLE_OFFSET = 0x20000;

interface MergedPart {
  readonly name: string;
  /** Address in flash. */
  readonly offset: number;
  /** Bytes that the file has of it. */
  readonly size: number;
  /** Null for bootloader and table of builds whose table does not name them. */
  readonly partition: Partition | null;
}

export interface Merged {
  readonly chip: ChipName;
  /** Where the file begins in flash. */
  readonly offset: number;
  /** Bytes of the file. */
  readonly size: number;
  readonly table: PartitionTable;
  /** Address of the table in flash. */
  readonly tableOffset: number;
  /** What is in it, without what is erased, in the order of addresses. */
  readonly parts: readonly MergedPart[];
}

/** Null when the file is not merged: without a bootloader and a partition table. */
export function findMerged(bytes: Uint8Array): Merged | null {
  const bootloader = findBootloader(bytes);
  if (bootloader === null) {
    return null;
  }
  const found = findTable(bytes, bootloader.end);
  if (found === null) {
    return null;
  }
  const { chip, offset } = bootloader;
  const { table, at } = found;
  const inFile = table.partitions.flatMap((partition) => {
    const start = partition.offset - offset;
    const own = start < 0 ? new Uint8Array() : bytes.subarray(start, start + partition.size);
    return isErased(own) ? [] : [{ name: partition.name, offset: partition.offset, size: own.length, partition }];
  });
  const heads: MergedPart[] = [
    { name: 'bootloader', offset: offset + bootloader.at, size: bootloader.end - bootloader.at, partition: null },
    { name: 'partition table', offset: offset + at, size: table.size, partition: null },
  ];
  const named = new Set(inFile.map((part) => part.offset));
  const parts = [...heads.filter((head) => !named.has(head.offset)), ...inFile];
  return {
    chip,
    offset,
    size: bytes.length,
    table,
    tableOffset: offset + at,
    parts: parts.sort((one, other) => one.offset - other.offset),
  };
}

interface FoundBootloader {
  readonly chip: ChipName;
  /** Where the file begins in flash. */
  readonly offset: number;
  /** Positions in the file. */
  readonly at: number;
  readonly end: number;
}

/** Says whether a digest of Secure Boot V1 is in front of the bootloader. */
export function hasBootloaderDigest(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, DIGEST_SIZE);
  return !isErased(head) && !isFilledWith(head, 0) && isErased(bytes.subarray(DIGEST_SIZE, SECTOR));
}

/** At the start of the file, or as far from it as the chip wants with only erased flash or its digest before. */
export function findBootloader(bytes: Uint8Array): FoundBootloader | null {
  for (const at of [0, SECTOR, 2 * SECTOR]) {
    const isFirst = isErased(bytes.subarray(0, at)) || (at === SECTOR && hasBootloaderDigest(bytes));
    const image = bytes[at] === espImageMagic && isFirst ? imageAt(bytes, at) : null;
    if (image !== null && image.chip !== null) {
      const { chip } = image;
      const { bootloaderOffset } = chipFacts[chip];
      return at === 0 || at === bootloaderOffset
        ? { chip, offset: bootloaderOffset - at, at, end: at + image.size }
        : null;
    }
  }
  return null;
}

function imageAt(bytes: Uint8Array, at: number) {
  return orNull(() => readEspImage(bytes.subarray(at)));
}

function findTable(bytes: Uint8Array, from: number): { table: PartitionTable; at: number } | null {
  for (let at = Math.ceil(from / SECTOR) * SECTOR; at <= LAST_TABLE_OFFSET && at < bytes.length; at += SECTOR) {
    const table = startsLikeTable(bytes, at) ? orNull(() => readPartitionTable(bytes.subarray(at))) : null;
    if (table !== null) {
      return { table, at };
    }
  }
  return null;
}

/** What cannot be read is not there. */
function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}
