import { type PortNumber, reconnectPeriod } from '@wirebench/serial';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';

/** Remedy: a board disconnected and did not return in time. It is not reconnected automatically any more. */
export function NotBack({ port }: { readonly port: PortNumber }) {
  const { state, notBack, connectedAt } = useBenchStatus(({ status }) => status.ports[port]);
  const isDemo = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  const { settings } = useTerminalSettings(({ ports }) => ports[port]);
  const name = useTerminalSettings((all) => portName(all, port));
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  if (state !== 'disconnected' || !notBack || dismissedAt === connectedAt) {
    return null;
  }
  const again = async () => {
    if (isDemo) {
      await getBench().call('plugDemo', port, true);
    }
    await connectSource(port, { kind: 'same' }, settings);
  };
  return (
    <FailureStrip
      port={port}
      topic="brown-out-reset"
      level="warning"
      title={`The device on ${name} did not come back within ${reconnectPeriod / 1_000} s.`}
      actions={
        <>
          <Button size="sm" onClick={() => void again()}>
            {isDemo ? 'Plug in and connect' : 'Connect again'}
          </Button>
          {isDemo ? null : (
            <Button size="sm" onClick={() => void connectPicked(port, settings)}>
              Pick the board again
            </Button>
          )}
        </>
      }
      onDismiss={() => setDismissedAt(connectedAt)}
    >
      <p>
        Plug it in, then connect it again. A board that came back as a different device, such as its bootloader, has to
        be picked again. If it keeps disappearing, check its cable and power supply.
      </p>
    </FailureStrip>
  );
}
