/** The flash and the EEPROM of a board with an AVR: saving both, reading any range, and erasing. */

import { boardFileName, fileTimeText } from '@wirebench/flasher/callers';
import { writeIntelHex } from '@wirebench/flasher/images';
import type { PortNumber } from '@wirebench/serial';
import { Eraser, Save } from 'lucide-react';
import { type AvrFacts, EEPROM_START } from '../../../../../protocol/avr-types.ts';
import { saveFile } from '../../../../../shared/files/save-file.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { toast } from '../../../../../shared/ui/toast.ts';
import styles from '../../../board/contents-card.module.css';
import { ContentsFold } from '../../../board/contents-fold.tsx';
import { RangeForm } from '../../../board/range-form.tsx';
import { isReady } from '../../../state/flash-state.ts';
import { readRange } from '../../../store/contents-actions.ts';
import { askErase } from '../../../store/erase-request.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';

/** Saves the flash or the EEPROM of a board with an AVR as Intel HEX, the format in which the Arduino tools write both. */

/** Saves the flash below the bootloader, without the erased bytes at its end. */
async function saveSketch(port: PortNumber, board: AvrFacts): Promise<void> {
  const { info } = board;
  const bytes = await readRange(port, 'Reading the sketch', info.application);
  if (bytes !== null) {
    save(`${nameOf(board)}-sketch.hex`, info.application.offset, withoutErasedEnd(bytes), 'The flash is erased');
  }
}

/** Saves the whole EEPROM. Its first byte has the address 0 in the file, as avr-objcopy writes it. */
async function saveEeprom(port: PortNumber, board: AvrFacts): Promise<void> {
  const { info } = board;
  const bytes = await readRange(port, 'Reading the EEPROM', { offset: EEPROM_START, length: info.eepromSize });
  if (bytes !== null) {
    save(`${nameOf(board)}-eeprom.eep`, 0, bytes, 'The EEPROM is empty');
  }
}

function save(name: string, address: number, bytes: Uint8Array, emptyText: string): void {
  if (bytes.length === 0) {
    toast(`${emptyText}: there is nothing to save`);
    return;
  }
  saveFile(new Blob([writeIntelHex([{ address, bytes }])], { type: 'text/plain' }), name);
  toast(`${name} was sent to your downloads`);
}

/** Returns the board and the time for a file's name, as other backups have them. */
const nameOf = (board: AvrFacts): string => `${boardFileName(board)}-${fileTimeText(new Date())}`;

function withoutErasedEnd(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0xff) + 1);
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
          <Button
            size="sm"
            variant="quiet"
            icon={<Save />}
            disabled={locked}
            onClick={() => void saveSketch(port, board)}
          >
            Save .hex
          </Button>
          {hasEeprom ? (
            <Button
              size="sm"
              variant="quiet"
              icon={<Save />}
              disabled={locked}
              onClick={() => void saveEeprom(port, board)}
            >
              Save EEPROM
            </Button>
          ) : null}
          <Button
            size="sm"
            variant="quiet"
            icon={<Eraser />}
            disabled={locked}
            onClick={() => askErase({ name: 'Flash', range: null })}
          >
            Erase all…
          </Button>
        </>
      }
    >
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
