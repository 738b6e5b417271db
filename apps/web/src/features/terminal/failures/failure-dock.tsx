/** Dock above the log with the remedies for all failures of the ports: one component for each failure code. */

import { type PortNumber, portNumbers, reconnectPeriod } from '@wirebench/serial';
import { useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import { setConnectFailure, useConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';
import { answerPortRequest, getTabPorts, usePortRequest } from './terminal-tab-ports.ts';

const loadRemedies = async () => (await import('./remedies.tsx')).remedies;

export function FailureDock() {
  useEffect(() => {
    // Starts answering requests of other tabs.
    getTabPorts();
  }, []);
  return (
    <div>
      {portNumbers.map((port) => (
        <PortFailures key={port} port={port} />
      ))}
    </div>
  );
}

/** Question to the user: another tab requests a board that this tab records. */
function PortRequest({ port }: { readonly port: PortNumber }) {
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

/** Remedy: a board disconnected and did not return in time. It is not reconnected automatically any more. */
function NotBack({ port }: { readonly port: PortNumber }) {
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
      title={`The board on ${name} did not come back within ${reconnectPeriod / 1_000} s.`}
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

const loadDecoderStrip = () => import('../tools/decoders/decoder-strip.tsx');
const nothing = () => undefined;

function DecoderPlace({ port }: { readonly port: PortNumber }) {
  const isOwn = useTerminalSettings(({ ports }) => isOwnDecoder(ports[port].decoder));
  const loaded = useLoaded(isOwn, loadDecoderStrip, nothing);
  return loaded !== null && isOwn ? <loaded.DecoderStrip port={port} /> : null;
}

function PortFailures({ port }: { readonly port: PortNumber }) {
  const failure = useConnectFailure(port);
  const idle = useBenchStatus(({ status }) => ['disconnected', 'reconnecting'].includes(status.ports[port].state));
  const remedies = useLoaded(failure !== null, loadRemedies, () => setConnectFailure(port, null));
  const Remedy = failure && remedies?.[failure.code];
  return (
    <>
      {Remedy && idle ? <Remedy port={port} failure={failure} /> : null}
      <NotBack port={port} />
      <DecoderPlace port={port} />
      <PortRequest port={port} />
    </>
  );
}
