/** Offers another line ending after a board has echoed a line and not run it, or a modem has not answered. */

import { endingOf } from '@wirebench/runs';
import { type LineEnding, type PortNumber, portNumbers } from '@wirebench/serial';
import { CornerDownLeft, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import styles from '../../../workbench/strip.module.css';
import { setEnding } from '../panels/store/panel-actions.ts';
import { usePanels } from '../panels/store/panels-store.ts';
import { portName, terminalSettingsNow, useTerminalSettings } from '../settings/settings-store.ts';
import { chooseTyping, useTypedEnding } from './typed-ending.ts';

const endingNames = { none: 'none', lf: 'LF', cr: 'CR', crlf: 'CR LF' } satisfies Record<LineEnding, string>;

export function EnterStrips() {
  return portNumbers.map((port) => <EnterStrip key={port} port={port} />);
}

function EnterStrip({ port }: { readonly port: PortNumber }) {
  const { expected, isModem, sent } = useBenchStatus(({ advice }) => advice[port]);
  const connectedAt = useBenchStatus(({ status }) => status.ports[port].connectedAt);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const { lineEnding } = useTypedEnding(port);
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const panels = usePanels((all) =>
    all
      .filter((panel) => panel.pinnedTargetPort === port && endingOf(panel) === sent)
      .map(({ id }) => id)
      .join(),
  );
  const isTyped = lineEnding !== expected;
  if (expected === null || connectedAt === dismissedAt || (!isTyped && panels === '')) {
    return null;
  }
  const wanted = endingNames[expected];
  const use = () => {
    if (isTyped) {
      chooseTyping(port, { mode: terminalSettingsNow().ports[port].inputMode, lineEnding: expected });
    } else {
      for (const id of panels.split(',')) {
        setEnding(id, expected);
      }
    }
    if (!isModem) {
      // The line waits at the board for the rest of its ending.
      const rest = expected === 'cr' ? 0x0d : 0x0a;
      void reportingFailure(port, getBench().call('send', port, Uint8Array.of(rest)));
    }
  };
  return (
    <div className={`row ${styles['strip']}`} role="status">
      <PortFlag port={port} />
      <span>
        {isModem
          ? `${name} did not answer the AT command. Modems expect ${wanted}.`
          : `${name} echoed the line and did not run it. It may expect ${wanted} instead of ${endingNames[sent ?? 'lf']}.`}
      </span>
      <span className={styles['end']}>
        <Button size="sm" icon={<CornerDownLeft />} onClick={use}>
          {isTyped ? `Send ${wanted} from now on` : `Send ${wanted} from its panels`}
        </Button>
        <IconButton label="Close" variant="quiet" size="sm" icon={<X />} onClick={() => setDismissedAt(connectedAt)} />
      </span>
    </div>
  );
}
