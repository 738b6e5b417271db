import type { PortNumber } from '@wirebench/serial';
import { ChevronDown } from 'lucide-react';
import { Menu } from '../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalSession } from '../terminal-session.ts';
import styles from './send-bar.module.css';

export interface TargetFlagProps {
  readonly selected: PortNumber;
  /** True: the selected port is open. */
  readonly isOpen: boolean;
  /** Ports that can be sent to. */
  readonly open: readonly PortNumber[];
}

/** Flag of the port that Enter sends to. With several open ports it is a menu that selects another. */
export function TargetFlag({ selected, isOpen, open }: TargetFlagProps) {
  const ports = useTerminalSettings((settings) => settings.ports);
  const flag = <PortFlag port={selected} off={!isOpen} />;
  if (open.length < 2) {
    return flag;
  }
  return (
    <Menu
      items={open.map((port) => ({
        label: portName({ ports }, port),
        icon: <PortFlag port={port} />,
        checked: port === selected,
        onSelect: () => changeTerminalSession({ selectedPort: port }),
      }))}
      trigger={(props) => (
        <button {...props} type="button" className={styles['target']} aria-label={`Enter sends to port ${selected}`}>
          <span aria-hidden="true">{flag}</span>
          <ChevronDown />
        </button>
      )}
    />
  );
}
