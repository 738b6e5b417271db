/** Settings of the selected port: form, control lines, errors and connection. */
import { deviceName } from '@wirebench/boards/device-name';
import type { PortNumber } from '@wirebench/serial';
import { PanelLeft, PanelLeftClose, Wifi, X } from 'lucide-react';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { PortAction } from '../strip/port-action.tsx';
import { changeTerminalSession } from '../terminal-session.ts';
import type { PortPaneProps } from '../terminal-slots.ts';
import { ControlLines } from './control-lines.tsx';
import { PortForm } from './port-form.tsx';
import styles from './port-pane.module.css';

/** Line errors since the port was last opened. Drawn only if there are any. */
function Errors({ port }: { readonly port: PortNumber }) {
  const errors = useBenchStatus(({ status }) => status.ports[port].errors);
  const faults = [
    ['Framing errors', errors.framing],
    ['Parity errors', errors.parity],
    ['Buffer overruns', errors.overrun],
    ['Breaks', errors.break],
  ] as const;
  const seen = faults.filter(([, value]) => value > 0);
  if (seen.length === 0) {
    return null;
  }
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>Errors</h3>
      <dl className={styles['facts']}>
        {seen.map(([name, value]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd className={styles['bad']}>{count(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function PortPane({ port, ...ways }: PortPaneProps) {
  const isDemo = useBenchStatus(
    ({ status, devices }) => devices[port]?.kind === 'demo' && status.ports[port].state !== 'disconnected',
  );
  return (
    <aside className={styles['pane']} aria-label={`Settings of port ${port}`} data-port={port}>
      <section className={styles['section']}>
        <h2 className={styles['title']}>
          <PortFlag port={port} />
          Port {port} settings
          <PaneButtons {...ways} />
        </h2>
        <PortForm key={port} port={port} />
      </section>
      {isDemo ? <DemoControls port={port} /> : null}
      <ControlLines key={port} port={port} />
      <Errors port={port} />
      <WifiSetup port={port} />
      <Connection port={port} />
    </aside>
  );
}

/** Buttons in the head of the settings: keep them open as a column, fold the column, or close the overlay. */
export function PaneButtons({ onFold, onClose, onPin }: Omit<PortPaneProps, 'port'>) {
  return (
    <span className={styles['ways']}>
      {onPin ? (
        <Button variant="quiet" size="sm" icon={<PanelLeft />} onClick={onPin}>
          Keep open
        </Button>
      ) : null}
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
    </span>
  );
}

/** Asks the board for the set-up of its Wi-Fi: many programs with Improv say nothing before they are asked. */
function WifiSetup({ port }: Pick<PortPaneProps, 'port'>) {
  const isOpen = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  return isOpen ? (
    <section className={styles['section']}>
      <Button size="sm" variant="quiet" icon={<Wifi />} onClick={() => changeTerminalSession({ wifiPort: port })}>
        Set up Wi-Fi (Improv)…
      </Button>
    </section>
  ) : null;
}

/** The device, the time since the port is open, and the button that connects or disconnects it. */
function Connection({ port }: Pick<PortPaneProps, 'port'>) {
  const device = useBenchStatus(({ status, devices }) =>
    status.ports[port].state === 'connected'
      ? devices[port]?.kind === 'demo'
        ? 'Demo'
        : deviceName(status.ports[port].info ?? {})
      : null,
  );
  const connectedAt = useBenchStatus(({ status }) => status.ports[port].connectedAt);
  return (
    <section className={styles['foot']}>
      {device === null || connectedAt === null ? null : (
        <p>
          {device}, open since {new Date(connectedAt).toLocaleTimeString('en-GB')}
        </p>
      )}
      <PortAction port={port} size="sm" worded />
    </section>
  );
}

/** Buttons that unplug and replug a demo device, to demonstrate a lost board. */
function DemoControls({ port }: { readonly port: PortNumber }) {
  const plugged = useBenchStatus(({ devices }) => devices[port]?.plugged ?? false);
  const plug = (into: boolean) => void getBench().call('plugDemo', port, into);
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>Demo board</h3>
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
