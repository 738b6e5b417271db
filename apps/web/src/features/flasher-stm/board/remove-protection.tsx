import type { PortNumber } from '@wirebench/serial';
import { perform } from '../../../workbench/flasher/store/contents-actions.ts';
import { TypedConfirm } from '../../../workbench/flasher/write/typed-confirm.tsx';

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
    <TypedConfirm
      open={open}
      title="Remove read protection?"
      word={name}
      action="Erase everything"
      onClose={onClose}
      onConfirm={confirm}
    >
      The part erases its whole flash, which cannot be undone. Then it resets, and Wirebench connects to it again.
    </TypedConfirm>
  );
}
