/** Backup sets of a connected board: made of its flash, opened for it, and chosen from for a restore. */
import { zipSync } from 'fflate';
import { sizeText } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import type { FlashRange } from '../../core/region.ts';
import { readNestedZip, startsLikeZip } from '../../images/formats/zip.ts';
import { ImageError } from '../../images/image-error.ts';
import type { EspBoardFacts } from '../family-types.ts';
import { boardPartitions, findTableIn, type Partition } from '../images/partition-table.ts';
import {
  BackupError,
  type BackupSet,
  isOfOneBoard,
  readBackupSet,
  type SavedPart,
  writeBackupSet,
} from './backup-set.ts';

/** Name of the part with all of the flash. */
export const FLASH_PART = 'flash';

/** The whole flash as a part of a backup. @param size In bytes. */
export const wholeFlashPart = (size: number): Partition => ({
  name: FLASH_PART,
  type: -1,
  subtype: -1,
  offset: 0,
  size,
  encrypted: false,
  readOnly: false,
});

/**
 * Reads parts of a board, and returns them as a zip with a manifest.
 *
 * @param read Reads a range of the flash, verified if the bootloader can.
 */
export async function backUpBoard(
  board: EspBoardFacts,
  partitions: readonly Partition[],
  read: (range: FlashRange) => Promise<Uint8Array>,
  created: Date,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Omit<SavedPart, 'file' | 'sha256'>[] = [];
  for (const { name, type, subtype, offset, size } of partitions) {
    const isFlash = name === FLASH_PART && type < 0;
    const kind = isFlash ? { type: null, subtype: null } : { type, subtype };
    parts.push({ name, ...kind, offset, size, bytes: await read({ offset, length: size }) });
  }
  const table = board.table?.partitions.map(({ name, type, subtype, offset, size }) => ({
    name,
    type,
    subtype,
    offset,
    size,
  }));
  const files = await writeBackupSet(
    {
      created: created.toISOString(),
      chip: board.info.chip,
      board: board.id,
      flashSize: board.flash.size ?? 0,
      ...(table !== undefined && { partitions: table }),
    },
    parts,
  );
  return zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])), { level: 0, mtime: created });
}

/**
 * Returns the parts of a set that can be restored by their names: those that it lists, and within all of the flash the
 * bootloader, the table and the partitions of the table that it contains. An encrypted table cannot be read.
 */
export function namedParts({ parts, chip }: BackupSet): readonly SavedPart[] {
  return parts.flatMap((part) => {
    const found = part.name === FLASH_PART && part.type === null ? findTableIn(part.bytes) : null;
    const inside =
      found === null ? [] : boardPartitions({ info: { chip }, table: found.table, tableOffset: found.offset });
    const saved = inside
      .filter(({ offset, size }) => offset + size <= part.size)
      .map(({ name, type, subtype, offset, size }) => ({
        ...{ name, type, subtype, offset, size, file: part.file, sha256: part.sha256 },
        bytes: part.bytes.subarray(offset, offset + size),
      }));
    return [part, ...saved];
  });
}

export type OpenedBackup =
  | {
      readonly ok: true;
      readonly set: BackupSet;
      /** False: a plain .bin, which names no chip. */
      readonly isChecked: boolean;
    }
  | { readonly ok: false; readonly why: string };

/** Opens a backup set, or a plain .bin of the whole flash. */
export async function openBackup(bytes: Uint8Array, board: EspBoardFacts): Promise<OpenedBackup> {
  if (!startsLikeZip(bytes)) {
    return openFlashFile(bytes, board);
  }
  try {
    return { ok: true, isChecked: true, set: await readBackupSet(readNestedZip(bytes)) };
  } catch (error) {
    if (error instanceof BackupError || error instanceof ImageError) {
      return { ok: false, why: error.message };
    }
    throw error;
  }
}

function openFlashFile(bytes: Uint8Array, { info, flash, id }: EspBoardFacts): OpenedBackup {
  if (flash.size === null || bytes.length !== flash.size) {
    const wanted = flash.size === null ? '' : ` of ${sizeText(flash.size)}`;
    return { ok: false, why: `Choose a backup set (.zip), or a .bin of the whole flash${wanted}.` };
  }
  const part = {
    name: FLASH_PART,
    type: null,
    subtype: null,
    offset: 0,
    size: bytes.length,
    file: '',
    sha256: '',
    bytes,
  };
  const set = { created: '', chip: info.chip, board: id, flashSize: bytes.length, parts: [part] };
  return { ok: true, isChecked: false, set };
}

/** Says whose backup it is, when it was made, and what could be checked of it. */
export function backupOriginText(
  { set, isChecked }: Extract<OpenedBackup, { ok: true }>,
  { id }: EspBoardFacts,
): string {
  return isChecked
    ? `${set.board === id ? 'Of this board' : 'Of another board'}, made ${set.created.slice(0, 16).replace('T', ' ')} UTC. All hashes match.`
    : 'A .bin of the whole flash. It names no chip and has no hashes, so nothing of it could be checked.';
}

/** Returns true if the part is restored by default: what belongs to one board stays with that board. */
export function isChosenFirst(part: SavedPart, set: BackupSet, board: EspBoardFacts): boolean {
  return set.board === board.id || !isOfOneBoard(part);
}

/** Returns the settings and the calibration of the board, which a restore of the whole flash can leave alone. */
export function ownRanges({ table }: EspBoardFacts): NamedRange[] {
  return (table?.partitions ?? [])
    .filter(isOfOneBoard)
    .map(({ name, offset, size }) => ({ name, offset, length: size }));
}

/** Returns the reason why a part has no place on the board; null if it has. */
export function placeFault(part: SavedPart, board: EspBoardFacts, withTable: boolean): string | null {
  if (withTable || part.type === null || part.type === 2 || part.type === 3) {
    return null;
  }
  const own = board.table?.partitions.find(({ name }) => name === part.name);
  if (own === undefined) {
    return 'This board has no such partition. Restore the partition table as well.';
  }
  return own.offset === part.offset && own.size === part.size
    ? null
    : 'It is elsewhere on this board. Restore the partition table as well.';
}
