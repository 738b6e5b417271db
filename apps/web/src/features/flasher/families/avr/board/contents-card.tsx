/** The flash and the EEPROM of a board with an AVR: saving both, reading any range, and erasing. */
import { Eraser, Save } from 'lucide-react';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import styles from '../../../board/contents-card.module.css';
import { ContentsFold } from '../../../board/contents-fold.tsx';
import { RangeForm } from '../../../board/range-form.tsx';
import { isReady } from '../../../state/flash-state.ts';
import { askErase } from '../../../store/erase-request.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { saveEeprom, saveSketch } from './save-hex.ts';

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
            onClick={() => askErase({ name: 'Whole flash', range: null })}
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
