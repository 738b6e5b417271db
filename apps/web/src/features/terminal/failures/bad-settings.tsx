import { describePortSettings } from '@wirebench/port';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** Remedy: the USB bridge, its driver or the browser does not support the port's settings. */
export function BadSettings({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      title={`This port does not support ${describePortSettings(failure.settings)}.`}
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Try a rate from the list first, with 8 data bits, 1 stop bit, no parity and no flow control: every USB bridge
        supports that. Many go no higher than 921600 or 2000000 baud.
      </p>
    </FailureStrip>
  );
}
