/** The pane of the selected port: how it is opened, its control lines, and what has passed through it. */
import type { PortNumber } from '@wirebench/serial';
import { PanelLeftClose, X } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureDock } from '../failures/failure-dock.tsx';
import { QuickGuide } from '../quick-guide/quick-guide.tsx';
import { PortAction } from '../strip/port-action.tsx';
import { ControlLines } from './control-lines.tsx';
import { DemoControls } from './demo-controls.tsx';
import { PortForm } from './port-form.tsx';
import styles from './port-pane.module.css';
import { Traffic } from './traffic.tsx';

export interface PortPaneProps {
  readonly port: PortNumber;
  /** How it is put away: folded to the side, closed like a drawer, or not at all. */
  readonly onFold?: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
  /** It is all there is: the skip link leads here, as there is no message field to lead to. */
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
