/** The dialogs of the menu of *On the board*. */
import type { PortNumber } from '@wirebench/serial';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import { BackupDialog } from './backup/backup-dialog.tsx';
import { RestoreDialog } from './backup/restore-dialog.tsx';
import { RangeDialog } from './range-dialog.tsx';
import { SaveDialog } from './save/save-dialog.tsx';

export type DialogName = 'range' | 'save' | 'backup' | 'restore';

export interface BoardDialogsProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly asked: DialogName | null;
  readonly onClose: () => void;
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
