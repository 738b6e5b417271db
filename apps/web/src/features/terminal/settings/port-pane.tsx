/** Pane of the selected port: settings, control lines and traffic. */
import type { PortNumber } from '@wirebench/serial';
import { PanelLeftClose, X } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureDock } from '../failures/failure-dock.tsx';
import { QuickGuide } from '../quick-guide/quick-guide.tsx';
import { PortAction } from '../strip/port-action.tsx';
import { ControlLines } from './control-lines.tsx';
import { PortForm } from './port-form.tsx';
import styles from './port-pane.module.css';
import { Traffic } from './traffic.tsx';

export interface PortPaneProps {
  readonly port: PortNumber;
  /**
   * Hides the pane: `onFold` collapses the docked pane, `onClose` closes the drawer. Without both, it cannot be
   * hidden.
   */
  readonly onFold?: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
  /** True: no other pane is visible. The skip link targets this pane, because there is no message field. */
  readonly alone?: boolean;
}

export function PortPane({ port, onFold, onClose, alone = false }: PortPaneProps) {
  const isDemo = useBenchStatus(
    ({ status, devices }) => devices[port]?.kind === 'demo' && status.ports[port].state !== 'disconnected',
  );
  return (
    <aside
      className={styles['pane']}
      aria-label={`Settings of port ${port}`}
      data-port={port}
      {...(alone && { id: 'skip-target', tabIndex: -1 })}
    >
      <div className={styles['content']}>
        <section className={styles['section']}>
          <h2 className={styles['title']}>
            <PortFlag port={port} />
            Port {port} settings
            {onFold ? (
              <IconButton
                label="Collapse the settings"
                variant="quiet"
                size="sm"
                icon={<PanelLeftClose />}
                onClick={onFold}
              />
            ) : null}
            {onClose ? (
              <IconButton label="Close the settings" variant="quiet" size="sm" icon={<X />} onClick={onClose} />
            ) : null}
          </h2>
          {alone ? <FailureDock /> : null}
          <div className={styles['connection']}>
            <PortAction port={port} selected worded />
          </div>
          <PortForm key={port} port={port} />
        </section>
        {isDemo ? <DemoControls port={port} /> : null}
        <ControlLines key={port} port={port} />
        <Traffic port={port} />
      </div>
      <QuickGuide inline={alone} />
    </aside>
  );
}

/** Buttons that unplug and replug a demo device, to demonstrate a lost board. */
function DemoControls({ port }: { readonly port: PortNumber }) {
  const plugged = useBenchStatus(({ devices }) => devices[port]?.plugged ?? false);
  const plug = (into: boolean) => void getBench().call('plugDemo', port, into);
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>Demo device</h3>
      <p className={styles['explanation']}>
        A simulated board: no hardware needed. Type <code>help</code> to see what it can do, or unplug it.
      </p>
      <div className={styles['buttons']}>
        <Button size="sm" disabled={!plugged} onClick={() => plug(false)}>
          Unplug
        </Button>
        <Button size="sm" disabled={plugged} onClick={() => plug(true)}>
          Plug in again
        </Button>
      </div>
    </section>
  );
}
