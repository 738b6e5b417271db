import { describePortSettings } from '@wirebench/serial';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** The bridge, its driver or the browser cannot do what the port was to be opened with. */
export function BadSettings({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      title={`This port does not take ${describePortSettings(failure.settings)}.`}
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Try a rate of the list first, with 8 data bits, 1 stop bit, no parity and no flow control: every bridge can do
        that. Many bridges end at 921600 or 2000000 baud.
      </p>
    </FailureStrip>
  );
}
