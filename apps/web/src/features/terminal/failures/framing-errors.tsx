import { describePortSettings } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { Gauge } from 'lucide-react';
import { useState } from 'react';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { showBaudFinder } from '../tools/open-tool.ts';
import { FailureStrip } from './failure-strip.tsx';

/** Minimum number of errors for the advice. Plugging in a cable or switching on a board may cause fewer. */
const noteworthy = 10;

/** Remedy for framing and parity errors: the baud rate or the parity differs from the board's. */
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
      actions={
        wrongRate ? (
          <Button size="sm" icon={<Gauge />} onClick={() => showBaudFinder(port)}>
            Find the rate
          </Button>
        ) : null
      }
      onDismiss={() => setDismissedAt(connectedAt)}
    >
      <p>
        {wrongRate
          ? 'Check the baud rate: 115200, 9600 and 74880 (ESP8266 boot messages) are common. If it is right, check the ground wire, the cable length and the signal voltage.'
          : 'Check the parity and the data bits: most boards use 8 data bits and no parity; some instruments use 7 and even.'}
      </p>
    </FailureStrip>
  );
}
