import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Layers } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { changeFind, useFind } from '../../../workbench/console/find/find-store.ts';
import { changeSettings, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { portsOf, withPorts } from './find-ports.ts';
import styles from './toolbar.module.css';

/** Menu that selects the ports whose lines are shown. The selection is written into the find field as `port:1,2`. */
export function PortsMenu() {
  const settings = useTerminalSettings((all) => all);
  const text = useFind((find) => find.text);
  const used = useBenchStatus(({ status }) =>
    portNumbers.filter((port) => status.ports[port].connectedAt !== null).join(),
  );
  const ports = portNumbers.filter((port) => used.includes(String(port)));
  const shown = portsOf(text);
  if (ports.length < 2 && shown.length === portNumbers.length) {
    return null;
  }
  const show = (chosen: readonly PortNumber[]) => changeFind({ text: withPorts(text, chosen) });
  const toggled = (port: PortNumber) =>
    shown.includes(port) ? shown.filter((other) => other !== port) : [...shown, port];
  return (
    <Menu
      align="end"
      items={[
        {
          label: 'Split by port',
          checked: settings.view === 'split',
          onSelect: () => changeSettings({ view: settings.view === 'split' ? 'merged' : 'split' }),
        },
        'separator',
        { label: 'All ports', checked: ports.every((port) => shown.includes(port)), onSelect: () => show(portNumbers) },
        'separator',
        ...ports.map((port) => ({
          label: `Show ${portName(settings, port)}`,
          checked: shown.includes(port),
          // Deselecting the last port shows all ports again.
          onSelect: () => show(toggled(port)),
        })),
        'separator',
        ...ports.map((port) => ({ label: `Only ${portName(settings, port)}`, onSelect: () => show([port]) })),
      ]}
      trigger={(props) => (
        <Button {...props} size="sm" variant="quiet" icon={<Layers />} aria-label="Ports shown">
          <span className={styles['word']}>Ports</span>
        </Button>
      )}
    />
  );
}
