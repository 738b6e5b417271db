import type { ReleaseFinding } from '@wirebench/flasher/release';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';

export interface DamageDialogProps {
  /** The damaged files. Null: the dialog is closed. */
  readonly damage: readonly ReleaseFinding[] | null;
  /** Number of the version. */
  readonly version: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before damaged files are published. The user must type a word to confirm. */
export function DamageDialog({ damage, version, onClose, onConfirm }: DamageDialogProps) {
  const found = damage ?? [];
  return (
    <ConfirmDialog
      open={damage !== null}
      onClose={onClose}
      title="Publish damaged firmware?"
      text={
        <>
          {found.map(({ what }) => what).join(' ')} Most boards will not start with {found.length === 1 ? 'it' : 'them'}
          , and the flasher refuses damaged files. Build the firmware again unless you know why it looks like this.
        </>
      }
      word={{ text: version, label: 'Name' }}
      action="Create version anyway"
      onConfirm={() => {
        onConfirm();
        onClose();
      }}
    />
  );
}
