import type { ReleaseFinding } from '@wirebench/flasher/release';
import { ConfirmByName } from './confirm-by-name.tsx';

export interface DamageDialogProps {
  /** The damaged files; null while nothing is asked. */
  readonly damage: readonly ReleaseFinding[] | null;
  /** The number of the version. */
  readonly version: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Damaged files are published only by somebody who types that they mean it. */
export function DamageDialog({ damage, version, onClose, onConfirm }: DamageDialogProps) {
  const found = damage ?? [];
  return (
    <ConfirmByName
      open={damage !== null}
      onClose={onClose}
      title="Publish damaged firmware?"
      name={version}
      action="Create version anyway"
      failure="Failed to create version"
      act={async () => onConfirm()}
    >
      {found.map(({ what }) => what).join(' ')} Most boards will not start with {found.length === 1 ? 'it' : 'them'},
      and the flasher refuses damaged files. Build the firmware again unless you know why it looks like this.
    </ConfirmByName>
  );
}
