/**
 * Keeping what a program has stored: the NVS partitions and the keys they may be encrypted with. A merged image is 0xFF where
 * they are, so those bytes are left out of the write; where everything is erased, they are read before and written back.
 */
import { isErased } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { inSectors, overlapOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import type { Partition, PartitionTable } from '../images/partition-table.ts';
import { isNvs, partitionType } from '../images/partition-types.ts';
import type { KnownFile } from './check-images.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import { rangeOf, rangeOfPartition } from './placed-part.ts';

const NVS_KEYS = 4;

/** Where settings are stored that the program will still find with the new table: as much as both tables have for them. */
export function storedSettings(before: PartitionTable | null, after: PartitionTable | null): NamedRange[] {
  return settingsIn(before).flatMap((old) => {
    const isSame = ({ offset, subtype }: Partition) => offset === old.offset && subtype === old.subtype;
    const now = after === null ? old : settingsIn(after).find(isSame);
    return now === undefined ? [] : [namedRange({ ...old, size: Math.min(old.size, now.size) })];
  });
}

function settingsIn(table: PartitionTable | null): Partition[] {
  return (table?.partitions ?? []).filter(
    (partition) => isNvs(partition) || (partition.type === partitionType.data && partition.subtype === NVS_KEYS),
  );
}

/** In whole sectors: less cannot be erased, nor kept from it. */
export function namedRange(partition: Partition): NamedRange {
  return { name: partition.name, ...inSectors(rangeOfPartition(partition)) };
}

/** A stretch of a file that is written. */
export interface Piece {
  readonly file: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * The file without what is to be kept; settings in the file itself are refused, naming both. So is a file that is nothing but
 * empty settings: it is there to erase them.
 */
export function piecesOf(file: KnownFile, kept: readonly NamedRange[], findings: EspFindings): Piece[] {
  const range = rangeOf(file);
  const touched = kept.filter((other) => overlapOf(range, other) !== null);
  const left = without(range, touched);
  const filled = touched.filter((other) => left.length === 0 || !isErased(bytesIn(file, overlapOf(range, other))));
  if (filled.length > 0) {
    findings.refuse('nvs-in-file', { files: [file.name], partitions: filled.map(({ name }) => name) });
  }
  return left.map((part) => ({ file: file.name, offset: part.offset, bytes: bytesIn(file, part) }));
}

function bytesIn({ bytes, offset }: KnownFile, range: FlashRange | null): Uint8Array {
  return range === null
    ? new Uint8Array()
    : bytes.subarray(range.offset - offset, range.offset - offset + range.length);
}
