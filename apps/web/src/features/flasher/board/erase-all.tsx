/** Button that erases all of a board's flash. */
import { Eraser } from 'lucide-react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { EraseTarget } from '../store/erase-request.ts';

export interface EraseAllProps {
  /** Bytes that are erased. */
  readonly size: number;
  /** True: the board is busy. */
  readonly locked: boolean;
  readonly onErase: (target: EraseTarget) => void;
}

export function EraseAll({ size, locked, onErase }: EraseAllProps) {
  return (
    <Button
      size="sm"
      variant="quiet"
      icon={<Eraser />}
      disabled={locked}
      onClick={() => onErase({ name: 'the whole flash', range: null, size })}
    >
      Erase all {memoryText(size)}…
    </Button>
  );
}
