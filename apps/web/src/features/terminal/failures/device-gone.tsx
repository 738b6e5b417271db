import { Button } from '../../../shared/ui/button.tsx';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked } from '../../../workbench/port-picker/connect-port.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** What was to be opened is no longer plugged in, or stands in the list as another device now. */
export function DeviceGone({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      topic="device-not-found"
      title="The board is gone."
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Pick the board again
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Plug it in and pick it again. A board that changes between its program and its bootloader is another device to
        the browser each time, and a bridge without a serial number loses its permission when it is unplugged.
      </p>
    </FailureStrip>
  );
}
