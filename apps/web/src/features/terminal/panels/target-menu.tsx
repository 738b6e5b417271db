import { type PortNumber, portNumbers } from '@wirebench/serial';
import { ChevronDown, Unlink } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Menu } from '../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portStates, type SendState } from '../open-ports-of.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { allPorts, type DevicePanel, noTarget, onePort } from './model/device-panel.ts';
import { setTarget } from './store/panel-actions.ts';
import { setRefusal } from './store/panels-session.ts';
import styles from './target-menu.module.css';

const targetWords: Partial<Record<SendState, string>> = {
  connected: '',
  watching: ', only watched',
  'guest-away': ', connection lost',
  'host-away': ', connection lost',
};

/** Menu that selects the ports that the panel's commands go to. Unconnected ports can be selected. */
export function TargetMenu({ panel }: { readonly panel: DevicePanel }) {
  const states = useBenchStatus(portStates);
  const ports = useTerminalSettings((settings) => settings.ports);
  const { id, name, pinnedTargetPort: target } = panel;
  const open = portNumbers.filter((port) => states[port] === 'connected');
  const only = onePort(panel);
  const nameOf = (port: PortNumber) => portName({ ports }, port);
  const choose = (port: DevicePanel['pinnedTargetPort']) => {
    setTarget(id, port);
    setRefusal(id, null);
  };
  return (
    <Menu
      align="end"
      items={[
        {
          label: 'All open ports',
          detail: open.length === 0 ? 'None now' : `${open.length} now, in turn of their numbers`,
          checked: target === allPorts,
          onSelect: () => choose(allPorts),
        },
        'separator',
        {
          label: 'No target',
          icon: <Unlink />,
          checked: target === noTarget,
          onSelect: () => choose(noTarget),
        },
        ...portNumbers.map((port) => ({
          label: `${nameOf(port)}${targetWords[states[port]] ?? ', not connected'}`,
          icon: <Flag port={port} off={states[port] !== 'connected'} />,
          checked: target === port,
          onSelect: () => choose(port),
        })),
      ]}
      trigger={(props) => (
        <Button
          {...props}
          size="sm"
          className={classNames(styles['target'], target === noTarget && styles['none'])}
          icon={
            target === allPorts ? (
              <span className={styles['flags']}>
                {open.map((port) => (
                  <Flag key={port} port={port} off={false} />
                ))}
              </span>
            ) : only === null ? null : (
              <Flag port={only} off={states[only] !== 'connected'} />
            )
          }
        >
          <span className="visually-hidden">Target of {name}: </span>
          <span className={styles['word']}>
            {target === allPorts ? 'All open ports' : only === null ? 'No target' : nameOf(only)}
          </span>
          <ChevronDown />
        </Button>
      )}
    />
  );
}

/** Port flag, hidden from screen readers because the port's name follows it. */
function Flag({ port, off }: { readonly port: PortNumber; readonly off: boolean }) {
  return (
    <span aria-hidden="true" className={styles['flag']}>
      <PortFlag port={port} off={off} />
    </span>
  );
}
