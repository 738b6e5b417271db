import { Button } from '../../../shared/ui/button.tsx';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked } from '../../../workbench/port-picker/connect-port.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** Remedy: the board is already open on another port of this page. */
export function OpenHere({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      level="warning"
      title="This board is already open on another port of this page."
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Pick another board
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Pick another board for port {port}, or disconnect the other port first. Identical boards have the same name in
        the list.
      </p>
    </FailureStrip>
  );
}
