import { describePortSettings } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { ChevronDown } from 'lucide-react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { usePortFact, useShowsTraffic } from './port-fact.ts';
import styles from './settings-button.module.css';

export const settingsButtonId = (port: PortNumber) => `port-settings-${port}`;

export interface SettingsButtonProps {
  readonly port: PortNumber;
  readonly expanded: boolean;
  readonly onPress: () => void;
}

/** Second line of a port's tab: its settings and state. It opens and closes the settings of the port. */
export function SettingsButton({ port, expanded, onPress }: SettingsButtonProps) {
  const fact = usePortFact(port);
  const isBesideTraffic = useShowsTraffic(port);
  const idle = useBenchStatus(
    ({ status, users, devices }) =>
      status.ports[port].state === 'disconnected' &&
      users[port] === null &&
      !['remote', 'log'].includes(devices[port]?.kind ?? ''),
  );
  const chosen = useTerminalSettings(({ ports }) => describePortSettings(ports[port].settings));
  const [settings = '', ...rest] = idle ? [chosen, 'not connected'] : fact.split(' · ');
  return (
    <button
      type="button"
      id={settingsButtonId(port)}
      className={classNames(styles['button'], isBesideTraffic && styles['besideTraffic'])}
      aria-haspopup="dialog"
      aria-expanded={expanded}
      onClick={onPress}
    >
      <span className="visually-hidden">Settings of port {port}: </span>
      <span className={styles['words']}>
        <span className="ellipsis">{settings}</span>
        {rest.map((part) => (
          <span key={part} className={styles['more']}>
            {' '}
            · {part}
          </span>
        ))}
      </span>
      <ChevronDown />
    </button>
  );
}
