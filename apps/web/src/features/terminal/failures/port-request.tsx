import type { PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';
import { answerPortRequest, usePortRequest } from './terminal-tab-ports.ts';

/** Question to the user: another tab requests a board that this tab records. */
export function PortRequest({ port }: { readonly port: PortNumber }) {
  const open = usePortRequest(port);
  const name = useTerminalSettings((settings) => portName(settings, port));
  if (!open) {
    return null;
  }
  return (
    <FailureStrip
      port={port}
      level="warning"
      title={`Another Wirebench tab wants the board on ${name}, which is being recorded here.`}
      actions={
        <>
          <Button size="sm" onClick={() => answerPortRequest(port, 'released')}>
            Release it
          </Button>
          <Button size="sm" onClick={() => answerPortRequest(port, 'kept')}>
            Keep it
          </Button>
        </>
      }
      onDismiss={() => answerPortRequest(port, 'kept')}
    >
      <p>If you release it, it disconnects here; what was recorded stays in its file.</p>
    </FailureStrip>
  );
}
