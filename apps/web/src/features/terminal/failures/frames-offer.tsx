/** Offers to show a port's bytes as frames, as soon as they are known to be some. */
import type { PortNumber } from '@wirebench/serial';
import { Rows3 } from 'lucide-react';
import { useState } from 'react';
import { type ReadyDecoder, readyDecoders } from '../../../protocol/bench/frame-part.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { changeDecoder, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';

export function FramesOffer({ port }: { readonly port: PortNumber }) {
  const found = useBenchStatus(({ advice }) => advice[port].frames);
  const state = useBenchStatus(({ status }) => status.ports[port].state);
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const [declined, setDeclined] = useState<ReadyDecoder | null>(null);
  const title = readyDecoders.find((one) => one.name === found)?.title;
  if (found === null || title === undefined || state !== 'connected' || decoder !== null || declined === found) {
    return null;
  }
  return (
    <FailureStrip
      port={port}
      level="info"
      title={`${name} receives frames of ${title}.`}
      actions={
        <Button size="sm" variant="primary" icon={<Rows3 />} onClick={() => changeDecoder(port, found)}>
          Show frames
        </Button>
      }
      onDismiss={() => setDeclined(found)}
    >
      {null}
    </FailureStrip>
  );
}
