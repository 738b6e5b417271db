import { describePortSettings, type PortNumber } from '@wirebench/serial';
import { useState } from 'react';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { count } from '../amounts.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';

/** Fewer than these may be a plug that was pushed in, or a board that was switched on. */
const noteworthy = 10;

/** Bits do not fall where they should: the rate or the parity is another one than the board's. */
export function FramingErrors({ port }: { readonly port: PortNumber }) {
  const { state, settings, connectedAt } = useBenchStatus(({ status }) => status.ports[port]);
  const { framing, parity } = useBenchStatus(({ status }) => status.ports[port].errors);
  const name = useTerminalSettings((all) => portName(all, port));
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  if (state !== 'connected' || settings === null || connectedAt === dismissedAt || framing + parity < noteworthy) {
    return null;
  }
  const wrongRate = framing >= parity;
  return (
    <FailureStrip
      port={port}
      level="warning"
      title={`${name}: ${count(framing + parity)} ${wrongRate ? 'framing' : 'parity'} errors at ${describePortSettings(settings)}.`}
      onDismiss={() => setDismissedAt(connectedAt)}
    >
      <p>
        {wrongRate
          ? 'Check the baud rate: 115200, 9600 and 74880 (the boot text of an ESP8266) are the usual ones. If it is right, check the ground wire, the length of the cable and the voltage of the line.'
          : 'Check the parity and the data bits: most boards use 8 data bits and no parity, some instruments 7 and even.'}
      </p>
    </FailureStrip>
  );
}
