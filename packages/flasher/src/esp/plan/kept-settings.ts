/**
 * Keeps a program's stored settings: the NVS partitions and their encryption keys. A merged image has 0xFF in their
 * place, so those bytes are left out of the write. If everything is erased, the settings are read before and written
 * back.
 */
import { isErased } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { inSectors, overlapOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import type { Partition, PartitionTable } from '../images/partition-table.ts';
import { isNvs, isNvsKeys } from '../images/partition-types.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { KnownFile } from './known-file.ts';
import { rangeOf, rangeOfPartition } from './placed-part.ts';

/**
 * Returns the ranges of settings that the program still finds with the new table: the part that both tables give to
 * them.
 */
export function storedSettings(before: PartitionTable | null, after: PartitionTable | null): NamedRange[] {
  return settingsIn(before).flatMap((old) => {
    const isSame = ({ offset, subtype }: Partition) => offset === old.offset && subtype === old.subtype;
    const now = after === null ? old : settingsIn(after).find(isSame);
    return now === undefined ? [] : [namedRange({ ...old, size: Math.min(old.size, now.size) })];
  });
}

function settingsIn(table: PartitionTable | null): Partition[] {
  return (table?.partitions ?? []).filter((partition) => isNvs(partition) || isNvsKeys(partition));
}

/** Returns the partition in whole sectors, because smaller units cannot be erased or kept. */
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
 * Returns the file without the kept ranges. Settings within the file are refused with both names. So is a file of
 * nothing but empty settings, because its purpose is to erase them.
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
