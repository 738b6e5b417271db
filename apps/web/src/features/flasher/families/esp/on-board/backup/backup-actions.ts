/** Makes backup sets of a board, and plans their restore. */
import { backupSetName } from '@wirebench/flasher/callers';
import type { FlashRange } from '@wirebench/flasher/core';
import type { Partition } from '@wirebench/flasher/esp';
import { backUpBoard, FLASH_PART, restoreChange, type SavedPart } from '@wirebench/flasher/esp/backup';
import type { PortNumber } from '@wirebench/serial';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import { saveFile } from '../../../../../../shared/files/save-file.ts';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import { toast } from '../../../../../../shared/ui/toast.ts';
import { changesOf, setChange } from '../../../../store/board-changes.ts';
import { readParts } from '../../../../store/contents-actions.ts';
import { WHOLE_FLASH } from '../whole-changes.ts';
import type { WholeDraft } from '../whole-draft.ts';

/** Reads partitions, and saves them as one zip with a manifest. @returns Its name; null if no file was saved. */
export async function saveBackupSet(
  port: PortNumber,
  board: EspFacts,
  partitions: readonly Partition[],
): Promise<string | null> {
  const created = new Date();
  const label = `Backing up ${partitions.map(({ name }) => name).join(', ')}`;
  const zip = await readParts(port, label, (read) => backUpBoard(board, partitions, read, created));
  if (zip === null) {
    return null;
  }
  const name = backupSetName(board, created);
  saveFile(new Blob([zip], { type: 'application/zip' }), name);
  toast(`${name} was sent to your downloads`);
  return name;
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
