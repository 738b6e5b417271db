/** Buttons that back up or erase all of a board's flash. */
import type { FlashRange } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import { Eraser, Save } from 'lucide-react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { backUp } from '../store/contents-actions.ts';
import type { EraseTarget } from '../store/erase-request.ts';

export interface WholeFlashActionsProps {
  readonly port: PortNumber;
  readonly flash: FlashRange;
  /** True: the board is busy. */
  readonly locked: boolean;
  /** Null if the board cannot erase. */
  readonly onErase: ((target: EraseTarget) => void) | null;
}

export function WholeFlashActions({ port, flash, locked, onErase }: WholeFlashActionsProps) {
  return (
    <>
      <Button
        size="sm"
        variant="quiet"
        icon={<Save />}
        disabled={locked}
        onClick={() => void backUp(port, 'flash', flash)}
      >
        Back up all {memoryText(flash.length)}
      </Button>
      {onErase === null ? null : (
        <Button
          size="sm"
          variant="quiet"
          icon={<Eraser />}
          disabled={locked}
          onClick={() => onErase({ name: 'Whole flash', range: null })}
        >
          Erase all…
        </Button>
      )}
    </>
  );
}
