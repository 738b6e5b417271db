/**
 * Finds what a file puts into flash, sector by sector: programs, tables, OTA data, NVS, file systems, and stretches of
 * other data. A merged image, a piece of Intel HEX or UF2 and a single file have the same kind of result.
 */
import { isErased } from '../../core/bytes.ts';
import { sectorSize } from '../../core/region.ts';
import { orNull } from '../../images/image-error.ts';
import { hasPageHeader, PAGE_HEADER_SIZE } from '../nvs/nvs-layout.ts';
import { fileSystemAt } from './data-images.ts';
import { espImageMagic, hasImageHeader, readEspImage } from './esp-image.ts';
import { type ImagePart, programPart } from './image-part.ts';
import { startsWithNvsKeys } from './nvs-keys.ts';
import { hasOtaEntry, readOtaEntries } from './ota-data.ts';
import { readPartitionTable, startsLikeTable, tableSectorSize } from './partition-table.ts';

/** Part of a file. Plain values, which can be posted to a worker. */
export interface InnerPart {
  /** Position in the file, a multiple of a sector. */
  readonly at: number;
  /** In bytes, at most up to the end of the file. */
  readonly size: number;
  /** Kinds of single files, without the merged ones. `unknown`: not erased, and not recognised. */
  readonly part: ImagePart;
}

/** Returns the parts in the order of addresses. Erased sectors are left out, and nothing is searched within a part. */
export function innerPartsOf(bytes: Uint8Array): InnerPart[] {
  const parts: InnerPart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = partAt(bytes, at);
    const size = Math.min(found.size, bytes.length - at);
    const last = parts.at(-1);
    if (found.part.kind === 'unknown' && last?.part.kind === 'unknown' && last.at + last.size === at) {
      parts[parts.length - 1] = { ...last, size: last.size + size };
    } else if (found.part.kind !== 'empty') {
      parts.push({ at, size, part: found.part });
    }
    at += Math.ceil(Math.max(1, size) / sectorSize) * sectorSize;
  }
  return parts;
}

function partAt(bytes: Uint8Array, at: number): Omit<InnerPart, 'at'> {
  if (isErased(bytes.subarray(at, at + sectorSize))) {
    return { size: sectorSize, part: { kind: 'empty' } };
  }
  return programAt(bytes, at) ?? dataAt(bytes, at) ?? { size: sectorSize, part: { kind: 'unknown' } };
}

function programAt(bytes: Uint8Array, at: number): Omit<InnerPart, 'at'> | null {
  if (bytes[at] !== espImageMagic) {
    return null;
  }
  const rest = bytes.subarray(at);
  const image = hasImageHeader(rest) ? orNull(() => readEspImage(rest)) : null;
  return image === null ? null : { size: image.size, part: programPart(rest, image) };
}

function dataAt(bytes: Uint8Array, at: number): Omit<InnerPart, 'at'> | null {
  if (startsLikeTable(bytes, at)) {
    const table = orNull(() => readPartitionTable(bytes.subarray(at)));
    return table === null ? null : { size: tableSectorSize, part: { kind: 'partition-table', table } };
  }
  const sector = bytes.subarray(at, at + sectorSize);
  if (hasOtaEntry(sector)) {
    // An older choice may be in the other sector.
    const next = bytes.subarray(at + sectorSize, at + 2 * sectorSize);
    const size = hasOtaEntry(next) ? 2 * sectorSize : sectorSize;
    return { size, part: { kind: 'ota-data', entries: readOtaEntries(bytes.subarray(at, at + 2 * sectorSize)) } };
  }
  if (isNvsPage(bytes, at)) {
    let size = sectorSize;
    while (isNvsPage(bytes, at + size)) {
      size += sectorSize;
    }
    return { size, part: { kind: 'nvs' } };
  }
  if (startsWithNvsKeys(sector)) {
    return { size: sectorSize, part: { kind: 'nvs-keys' } };
  }
  const found = fileSystemAt(bytes, at);
  return found === null ? null : { size: found.size ?? sectorSize, part: { kind: 'file-system', ...found, at: 0 } };
}

function isNvsPage(bytes: Uint8Array, at: number): boolean {
  const header = bytes.subarray(at, at + PAGE_HEADER_SIZE);
  return header.length === PAGE_HEADER_SIZE && !isErased(header) && hasPageHeader(header);
}
