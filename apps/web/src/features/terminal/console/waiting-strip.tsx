import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { connectPicked } from '../../../workbench/port-picker/connect-port.ts';
import styles from '../../../workbench/strip.module.css';
import { portStates } from '../open-ports-of.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';

/** One strip for each port that waits for its board to reconnect. */
export function WaitingStrips() {
  const states = useBenchStatus(portStates);
  return portNumbers
    .filter((port) => states[port] === 'reconnecting')
    .map((port) => <WaitingStrip key={port} port={port} />);
}

/** Offers to pick the board again: a board that returns as another USB device needs a new permission. */
function WaitingStrip({ port }: { readonly port: PortNumber }) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const settings = useTerminalSettings(({ ports }) => ports[port].settings);
  const isDemo = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  return (
    <div className={`row ${styles['strip']}`} data-port={port}>
      <PortFlag port={port} off />
      <Spinner />
      <span>
        <b>The board on {name} is gone.</b> It reconnects as soon as it comes back.
      </span>
      <span className={styles['end']}>
        {isDemo ? (
          <Button size="sm" onClick={() => void getBench().call('plugDemo', port, true)}>
            Plug in again
          </Button>
        ) : (
          <Button size="sm" onClick={() => void connectPicked(port, settings)}>
            Pick the board again
          </Button>
        )}
        <Button
          size="sm"
          variant="quiet"
          aria-label={`Cancel: stop waiting for ${name}`}
          onClick={() => void getBench().call('cancelReconnect', port)}
        >
          Cancel
        </Button>
      </span>
    </div>
  );
}
