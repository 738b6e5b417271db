import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { changeSettings, useTerminalSettings } from '../settings/settings-store.ts';
import { bufferSizes } from '../settings/terminal-settings.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** Remedy: the receive buffer could not be allocated. */
export function NoMemory({ port }: PortFailureProps) {
  const size = useTerminalSettings(({ bufferSize }) => bufferSize);
  const [smallest] = bufferSizes;
  const dismiss = () => setConnectFailure(port, null);
  return (
    <FailureStrip
      port={port}
      topic="memory-errors"
      title={`Not enough memory for a buffer of ${memoryText(size << 20)}.`}
      actions={
        size === smallest ? null : (
          <Button
            size="sm"
            onClick={() => {
              changeSettings({ bufferSize: smallest });
              dismiss();
            }}
          >
            Use {memoryText(smallest << 20)}
          </Button>
        )
      }
      onDismiss={dismiss}
    >
      <p>
        Close other tabs and programs, or use a smaller buffer, then connect again. A recording keeps what the buffer
        drops.
      </p>
    </FailureStrip>
  );
}
