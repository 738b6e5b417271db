import type { PortNumber } from '@wirebench/serial';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { perform } from '../../../workbench/flasher/store/contents-actions.ts';

export interface RemoveProtectionProps {
  readonly port: PortNumber;
  /** Of the part: it has to be typed. */
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before everything on the part is erased. */
export function RemoveProtection({ port, name, open, onClose }: RemoveProtectionProps) {
  const confirm = () => {
    onClose();
    void perform(port, 'remove-read-protection', 'Removing read protection', 'Read protection removed');
  };
  return (
    <ConfirmDialog
      open={open}
      title="Remove read protection?"
      text="The part erases its whole flash, which cannot be undone. Then it resets, and Wirebench connects to it again."
      word={{ text: name }}
      action="Erase everything"
      onClose={onClose}
      onConfirm={confirm}
    />
  );
}
