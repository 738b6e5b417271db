import { Button } from '../../../shared/ui/button.tsx';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked } from '../../../workbench/port-picker/connect-port.ts';
import { MissingBoard } from '../../../workbench/port-picker/missing-board.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** Remedy: the browser's dialog was closed without a choice, often because the board was not listed. */
export function NothingPicked({ port, failure }: PortFailureProps) {
  return (
    <MissingBoard
      list="serial"
      docked
      action={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Pick a port
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    />
  );
}
