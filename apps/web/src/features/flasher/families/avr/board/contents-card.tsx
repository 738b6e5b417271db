/** The flash and the EEPROM of a board with an AVR: saving both, reading any range, and erasing. */

import { eepromBackup, sketchBackup } from '@wirebench/flasher/avr';
import { boardFileName, fileTimeText } from '@wirebench/flasher/callers';
import type { BoardBackup } from '@wirebench/flasher/family';
import type { PortNumber } from '@wirebench/serial';
import { Save } from 'lucide-react';
import type { AvrFacts } from '../../../../../protocol/avr-types.ts';
import { saveFile } from '../../../../../shared/files/save-file.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { toast } from '../../../../../shared/ui/toast.ts';
import { BackupRestore } from '../../../board/backup-restore.tsx';
import styles from '../../../board/contents-card.module.css';
import { ContentsFold } from '../../../board/contents-fold.tsx';
import { EraseAll } from '../../../board/erase-all.tsx';
import { RangeForm } from '../../../board/range-form.tsx';
import { isReady } from '../../../state/flash-state.ts';
import { readRange } from '../../../store/contents-actions.ts';
import { askErase } from '../../../store/erase-request.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';

/** Saves the sketch or the EEPROM. */
async function saveBackup(port: PortNumber, board: AvrFacts, what: string, backup: BoardBackup): Promise<void> {
  const { suffix, range, emptyText, fileOf } = backup;
  const bytes = await readRange(port, `Reading the ${what}`, range);
  if (bytes === null) {
    return;
  }
  const content = fileOf(bytes);
  if (content === null) {
    toast(emptyText);
    return;
  }
  // The time is in the names of other backups, too.
  const name = `${boardFileName(board)}-${fileTimeText(new Date())}${suffix}`;
  saveFile(new Blob([content], { type: 'text/plain' }), name);
  toast(`${name} was sent to your downloads`);
}

export function AvrContentsCard() {
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const port = useFlasher(({ selected }) => selected);
  if (board?.family !== 'avr' || phase === 'none' || phase === 'connecting' || board.info.flashSize === 0) {
    return null;
  }
  const locked = !isReady({ phase });
  const { application, eepromSize, flashSize, hasEeprom, pageSize } = board.info;
  return (
    <ContentsFold
      summary={`${memoryText(application.length)} for the sketch, ${memoryText(eepromSize)} EEPROM`}
      actions={
        <>
          {hasEeprom ? (
            <Button
              size="sm"
              variant="quiet"
              icon={<Save />}
              disabled={locked}
              onClick={() => void saveBackup(port, board, 'EEPROM', eepromBackup(board.info))}
            >
              Save EEPROM
            </Button>
          ) : null}
          <EraseAll locked={locked} size={application.length} onErase={askErase} />
        </>
      }
    >
      <BackupRestore
        label="Save .hex"
        what={`The sketch, up to ${memoryText(application.length)}.`}
        locked={locked}
        onBackUp={() => void saveBackup(port, board, 'sketch', sketchBackup(board.info))}
      />
      <RangeForm
        port={port}
        locked={locked}
        limits={{ start: 0, size: flashSize, multipleOf: pageSize }}
        onErase={askErase}
      />
      <p className={`small ${styles['note']}`}>
        {hasEeprom ? '' : 'This bootloader can neither read nor write EEPROM. '}
        The bootloader’s own flash is never erased or written.
      </p>
    </ContentsFold>
  );
}
