/** Checks the places of the files: on sectors, without overlaps, within the flash, and within their partitions. */
import { addressText, bytesText } from '../../core/bytes.ts';
import { endOf, overlapOf } from '../../core/ranges.ts';
import { sectorSize } from '../../core/region.ts';
import { tableSectorSize } from '../images/partition-table.ts';
import { isApp } from '../images/partition-types.ts';
import type { TableInPlace } from './check-table.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import { type PlacedPart, rangeOf, rangeOfPartition } from './placed-part.ts';

/** @param flashSize In bytes; null if unknown. */
export function checkPlaces(files: readonly PlacedPart[], flashSize: number | null, findings: EspFindings): void {
  for (const { name, offset, size } of files) {
    if (size === 0) {
      findings.refuse('file-empty', { files: [name] });
    }
    if (!Number.isSafeInteger(offset) || offset < 0 || offset % sectorSize !== 0) {
      findings.refuse('offset-not-aligned', { files: [name], at: addressText(offset) });
    }
    const end = offset + size;
    if (flashSize !== null && end > flashSize) {
      findings.refuse('does-not-fit', { files: [name], wanted: addressText(end), found: addressText(flashSize) });
    }
  }
  const sorted = [...files].sort((one, other) => one.offset - other.offset);
  let furthest: PlacedPart | undefined;
  for (const file of sorted) {
    if (furthest !== undefined && overlapOf(rangeOf(furthest), rangeOf(file)) !== null) {
      findings.refuse('overlap', { files: [furthest.name, file.name], at: addressText(file.offset) });
    }
    furthest = furthest === undefined || endOf(rangeOf(file)) > endOf(rangeOf(furthest)) ? file : furthest;
  }
}

export function checkAgainstPartitions(
  files: readonly PlacedPart[],
  inPlace: TableInPlace | null,
  findings: EspFindings,
): void {
  for (const file of files) {
    if (inPlace !== null && file.part.kind !== 'merged' && file.part.kind !== 'partition-table') {
      checkAgainstTable(file, inPlace, findings);
    }
  }
}

function checkAgainstTable(
  file: PlacedPart,
  { table, offset: tableOffset }: TableInPlace,
  findings: EspFindings,
): void {
  const range = rangeOf(file);
  const { name, part } = file;
  const sector = { offset: tableOffset, length: tableSectorSize };
  if (overlapOf(range, sector) !== null) {
    findings.warn('covers-table', { files: [name], at: addressText(tableOffset) });
    return;
  }
  const touched = table.partitions.filter((partition) => overlapOf(range, rangeOfPartition(partition)) !== null);
  const [first] = touched;
  const isBeforeAll = part.kind === 'bootloader' || file.offset < tableOffset;
  if (part.kind === 'app' && !isBeforeAll && (first === undefined || first.offset !== file.offset || !isApp(first))) {
    findings.warn('not-at-a-partition', { files: [name], at: addressText(file.offset) });
    return;
  }
  if (first === undefined || first.offset > file.offset) {
    return;
  }
  const end = first.offset + first.size;
  if (endOf(range) > end && part.kind !== 'unknown') {
    findings.refuse('larger-than-partition', {
      files: [name],
      wanted: bytesText(range.length),
      partitions: [first.name],
      found: bytesText(end - file.offset),
    });
  } else if (touched.length > 1) {
    findings.warn('covers-partitions', { files: [name], partitions: touched.map((partition) => partition.name) });
  }
}
