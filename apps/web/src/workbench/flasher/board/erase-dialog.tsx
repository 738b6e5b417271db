/** Asks before anything is erased. */
import type { FlashRange } from '@wirebench/flasher';
import type { PortNumber } from '@wirebench/serial';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { hexAddress } from '../quantities.ts';
import { erase } from '../store/contents-actions.ts';

/** What is about to be erased. */
export interface EraseTarget {
  readonly name: string;
  /** Null for all of the flash. */
  readonly range: FlashRange | null;
}

export interface EraseDialogProps {
  readonly port: PortNumber;
  readonly target: EraseTarget | null;
  readonly onClose: () => void;
}

export function EraseDialog({ port, target, onClose }: EraseDialogProps) {
  const [shown, setShown] = useState(target);
  if (target !== null && target !== shown) {
    setShown(target);
  }
  const confirm = () => {
    onClose();
    if (target !== null) {
      void erase(port, target.name, target.range);
    }
  };
  return (
    <Dialog
      open={target !== null}
      onClose={onClose}
      title={`Erase ${shown?.range === null ? 'the whole flash' : shown?.name}?`}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger-fill" onClick={confirm}>
            Erase
          </Button>
        </>
      }
    >
      <p>
        {shown?.range === null
          ? 'The program, its settings and all data are erased. The board does not start again until firmware is written to it.'
          : `Everything from ${hexAddress(shown?.range.offset ?? 0)} to ${hexAddress((shown?.range.offset ?? 0) + (shown?.range.length ?? 1) - 1)} is erased. Back it up first if you need it.`}
      </p>
    </Dialog>
  );
}
