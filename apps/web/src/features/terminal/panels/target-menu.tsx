import { type PortNumber, portNumbers } from '@wirebench/serial';
import { ChevronDown, Unlink } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Menu } from '../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portStates, type SendState } from '../open-ports-of.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { type DevicePanel, noTarget } from './model/device-panel.ts';
import styles from './panel-head.module.css';
import { setTarget } from './store/panel-actions.ts';
import { setRefusal } from './store/panels-session.ts';

const targetWords: Partial<Record<SendState, string>> = {
  connected: '',
  watching: ', only watched',
  'guest-away': ', connection lost',
  'host-away': ', connection lost',
};

/** Menu that selects the panel's target port. Unconnected ports can be selected. */
export function TargetMenu({ panel }: { readonly panel: DevicePanel }) {
  const states = useBenchStatus(portStates);
  const ports = useTerminalSettings((settings) => settings.ports);
  const { id, name, pinnedTargetPort: target } = panel;
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
          icon={target === noTarget ? null : <Flag port={target} off={states[target] !== 'connected'} />}
        >
          <span className="visually-hidden">Target of {name}: </span>
          <span className={styles['word']}>{target === noTarget ? 'No target' : nameOf(target)}</span>
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
