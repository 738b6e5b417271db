/** The dialogs of the menu of *On the board*. */

import { sectorSize } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import { Dialog } from '../../../../../shared/ui/dialog.tsx';
import { RangeForm } from '../../../board/range-form.tsx';
import { useCanRead } from '../../../board/use-can-read.ts';
import { BackupDialog } from './backup/backup-dialog.tsx';
import { RestoreDialog } from './backup/restore-dialog.tsx';
import { SaveDialog } from './save/save-dialog.tsx';
import { planErase } from './whole-changes.ts';

export type DialogName = 'range' | 'save' | 'backup' | 'restore';

export interface BoardDialogsProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly asked: DialogName | null;
  readonly onClose: () => void;
}

interface RangeDialogProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for a range of flash to read or to erase, by its addresses. */
function RangeDialog({ port, board, open, onClose }: RangeDialogProps) {
  const canRead = useCanRead();
  const limits = { start: 0, size: board.info.flash?.size ?? null, multipleOf: sectorSize };
  return (
    <Dialog open={open} onClose={onClose} title="Read or erase a range">
      <p>Reading saves a file. Erasing becomes part of the plan, and is done with the next write.</p>
      <RangeForm
        port={port}
        locked={!canRead}
        limits={limits}
        onErase={
          board.canErase
            ? ({ name, range }) => {
                if (range !== null) {
                  planErase(port, `range ${name}`, range);
                  onClose();
                }
              }
            : null
        }
      />
    </Dialog>
  );
}

export function BoardDialogs({ asked, ...props }: BoardDialogsProps) {
  return (
    <>
      <RangeDialog {...props} open={asked === 'range'} />
      <SaveDialog {...props} open={asked === 'save'} />
      <BackupDialog {...props} open={asked === 'backup'} />
      <RestoreDialog {...props} open={asked === 'restore'} />
    </>
  );
}
