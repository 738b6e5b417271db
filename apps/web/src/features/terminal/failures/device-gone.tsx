import { Button } from '../../../shared/ui/button.tsx';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked } from '../../../workbench/port-picker/connect-port.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** Remedy: the board is unplugged, or appears as another USB device now. */
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
        Plug it in and pick it again. The browser sees a different device each time a board switches between its program
        and its bootloader, and forgets a USB bridge without a serial number when it is unplugged.
      </p>
    </FailureStrip>
  );
}
