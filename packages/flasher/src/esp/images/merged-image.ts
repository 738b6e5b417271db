/**
 * Finds the parts of a merged image, as written by `esptool merge-bin`, `idf.py merge-bin`, PlatformIO and Arduino,
 * or read back from flash. It has a bootloader at the chip's offset, a partition table after it, and the contents of
 * partitions, with 0xFF between them. The file begins at offset 0 or at the bootloader.
 */

import { isErased, isFilledWith } from '../../core/bytes.ts';
import { orNull } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { espImageMagic, readEspImage } from './esp-image.ts';
import { findTableIn, type Partition, type PartitionTable } from './partition-table.ts';

const SECTOR = 0x1000;
/**
 * Bytes of Secure Boot V1 at the start of flash (ESP-IDF, "Secure Boot V1"; espsecure, `digest_secure_bootloader`).
 * They are 128 random bytes and a digest of the bootloader, followed by 0xFF up to the bootloader. Only the ESP32 has
 * it.
 */
const DIGEST_SIZE = 192;

interface MergedPart {
  readonly name: string;
  /** Flash offset in bytes. */
  readonly offset: number;
  /** Bytes of the part in the file. */
  readonly size: number;
  /** Null for a bootloader or table that the partition table does not list. */
  readonly partition: Partition | null;
}

export interface Merged {
  readonly chip: ChipName;
  /** Flash offset of the file. */
  readonly offset: number;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly table: PartitionTable;
  readonly tableOffset: number;
  /** Parts that are not erased, in the order of addresses. */
  readonly parts: readonly MergedPart[];
}

/** Reads a merged image. Returns null if the file lacks a bootloader or a partition table. */
export function findMerged(bytes: Uint8Array): Merged | null {
  const bootloader = findBootloader(bytes);
  if (bootloader === null) {
    return null;
  }
  const found = findTableIn(bytes, bootloader.end);
  if (found === null) {
    return null;
  }
  const { chip, offset } = bootloader;
  const { table, offset: at } = found;
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
  /** Flash offset of the file. */
  readonly offset: number;
  /** Start and end of the bootloader in the file. */
  readonly at: number;
  readonly end: number;
}

/** Returns true if a digest of Secure Boot V1 precedes the bootloader. */
export function hasBootloaderDigest(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, DIGEST_SIZE);
  return !isErased(head) && !isFilledWith(head, 0) && isErased(bytes.subarray(DIGEST_SIZE, SECTOR));
}

/**
 * Finds a bootloader at the start of the file, or at the chip's bootloader offset with only erased flash or its
 * digest before it.
 */
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
