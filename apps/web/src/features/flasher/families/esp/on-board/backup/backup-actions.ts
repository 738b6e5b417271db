/** Makes backup sets of a board, and plans their restore. */
import { boardFileName, fileTimeText } from '@wirebench/flasher/callers';
import type { FlashRange } from '@wirebench/flasher/core';
import type { Partition } from '@wirebench/flasher/esp';
import {
  BackupError,
  type BackupSet,
  isOfOneBoard,
  readBackupSet,
  restoreChange,
  type SavedPart,
  writeBackupSet,
} from '@wirebench/flasher/esp/backup';
import { ImageError, readNestedZip, startsLikeZip } from '@wirebench/flasher/images';
import type { PortNumber } from '@wirebench/serial';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import { saveFile } from '../../../../../../shared/files/save-file.ts';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import { toast } from '../../../../../../shared/ui/toast.ts';
import { changesOf, setChange } from '../../../../store/board-changes.ts';
import { readParts } from '../../../../store/contents-actions.ts';
import { WHOLE_FLASH } from '../whole-changes.ts';
import type { WholeDraft } from '../whole-draft.ts';

/** Name of the part with all of the flash. */
export const FLASH_PART = 'flash';

/** The whole flash as a part of a backup. @param size In bytes. */
export const wholeFlash = (size: number): Partition => ({
  name: FLASH_PART,
  type: -1,
  subtype: -1,
  offset: 0,
  size,
  encrypted: false,
  readOnly: false,
});

/** Reads partitions, and saves them as one zip with a manifest. */
export async function saveBackupSet(
  port: PortNumber,
  board: EspFacts,
  partitions: readonly Partition[],
): Promise<void> {
  const created = new Date();
  const files = await readParts(port, `Backing up ${partitions.map(({ name }) => name).join(', ')}`, async (read) => {
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
    return writeBackupSet(
      {
        created: created.toISOString(),
        chip: board.info.chip,
        board: board.id,
        flashSize: board.flash.size ?? 0,
        ...(table !== undefined && { partitions: table }),
      },
      parts,
    );
  });
  if (files === null) {
    return;
  }
  const { zipFiles } = await import('../../../../../../workbench/recording/zip-files.ts');
  const zip = await zipFiles(
    files.map(({ name, bytes }) => ({
      name,
      content: new Blob([Uint8Array.from(bytes)]),
      lastModified: created.getTime(),
    })),
    () => undefined,
  );
  const name = `${boardFileName(board)}-backup-${fileTimeText(created)}.zip`;
  saveFile(zip, name);
  toast(`${name} was sent to your downloads`);
}

export type OpenedBackup =
  | {
      readonly ok: true;
      readonly set: BackupSet /** False: a plain .bin, which names no chip. */;
      readonly isChecked: boolean;
    }
  | { readonly ok: false; readonly why: string };

/** Opens a backup set, or a plain .bin of the whole flash. */
export async function openBackup(file: File, board: EspFacts): Promise<OpenedBackup> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { ok: false, why: 'The file could not be read. Choose it again.' };
  }
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

function openFlashFile(bytes: Uint8Array, { info, flash, id }: EspFacts): OpenedBackup {
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

/** Returns true if the part is restored by default: what belongs to one board stays with that board. */
export function isChosenFirst(part: SavedPart, set: BackupSet, board: EspFacts): boolean {
  return set.board === board.id || !isOfOneBoard(part);
}

/** Returns the settings and the calibration of the board, which a restore of the whole flash can leave alone. */
export function ownRanges({ table }: EspFacts): (FlashRange & { readonly name: string })[] {
  return (table?.partitions ?? [])
    .filter(isOfOneBoard)
    .map(({ name, offset, size }) => ({ name, offset, length: size }));
}

export interface RestoreChoice {
  readonly parts: readonly SavedPart[];
  /** Ranges of the board that a restore of the whole flash leaves alone. */
  readonly spared: readonly FlashRange[];
  /** Backup that the parts are in. */
  readonly file: File;
  readonly canErase: boolean;
}

/** Plans that the parts are restored. */
export function planRestoreSet(port: PortNumber, { parts, spared, file, canErase }: RestoreChoice): void {
  const isWhole = parts.some(({ name }) => name === FLASH_PART);
  if (isWhole) {
    for (const { change } of changesOf(port)) {
      setChange(port, change.name, null);
    }
  }
  for (const part of parts) {
    const name = part.name === FLASH_PART ? WHOLE_FLASH : part.name;
    const change = restoreChange({ ...part, name }, part.name === FLASH_PART ? spared : [], canErase);
    setChange(port, name, {
      change,
      what: part.name === FLASH_PART ? 'a backup of the whole flash' : `a backup of ${name}`,
      title: part.name === FLASH_PART ? 'Restore the whole flash' : `Restore ${name}`,
      count: 1,
      entries: [`from ${file.name}`],
      note:
        spared.length > 0 && part.name === FLASH_PART
          ? 'Settings and calibration of this board stay'
          : sizeText(part.size),
      madeFrom: [{ name: file.name, content: file }],
      draft: { whole: 'restore' } satisfies WholeDraft,
    });
  }
}

/** Returns the reason why a part has no place on the board; null if it has. */
export function placeFault(part: SavedPart, board: EspFacts, withTable: boolean): string | null {
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
