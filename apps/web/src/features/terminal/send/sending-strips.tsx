import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Square } from 'lucide-react';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { usePasteDock } from './paste-dock-store.ts';
import styles from './send-bar.module.css';

/** One strip for each port whose text takes longer than a second to be sent. */
export function SendingStrips() {
  return portNumbers.map((port) => <SendingStrip key={port} port={port} />);
}

function SendingStrip({ port }: { readonly port: PortNumber }) {
  const sending = useBenchStatus((view) => view.sending[port]);
  const name = useTerminalSettings((settings) => portName(settings, port));
  // The dock shows its own lines.
  const isPaste = usePasteDock(({ paste }) => paste?.kind === 'sending' && paste.port === port);
  if (sending === null || isPaste) {
    return null;
  }
  const { sent, total } = sending;
  return (
    <div className={styles['repeat']} data-port={port}>
      <PortFlag port={port} />
      <span>
        {count(sent)} of {count(total)} bytes sent to {name}
      </span>
      <ProgressBar className={styles['progress']} label={`Text sent to ${name}`} done={sent / total} />
      <Button
        size="sm"
        icon={<Square />}
        aria-label={`Stop sending to port ${port}`}
        onClick={() => void getBench().call('stopSending', port)}
      >
        Stop
      </Button>
    </div>
  );
}
