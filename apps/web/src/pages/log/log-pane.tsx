/** Beside an opened log: how it is read. */
import { LogForm } from '../../features/opened-log/log-form.tsx';
import { FramingField } from '../../features/terminal/settings/framing-field.tsx';
import styles from '../../features/terminal/settings/port-pane.module.css';
import { PaneButtons, type PortPaneProps } from '../../features/terminal/settings/port-pane.tsx';
import { changeFraming, useTerminalSettings } from '../../features/terminal/settings/settings-store.ts';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { getLogs, toastLogError } from '../../workbench/opened-log/log-line.ts';

export function LogPane({ port, ...ways }: PortPaneProps) {
  const framing = useTerminalSettings(({ ports }) => ports[port].framing);
  return (
    <aside className={styles['pane']} aria-label={`How log ${port} is read`} data-port={port}>
      <section className={styles['section']}>
        <h2 className={styles['title']}>
          <PortFlag port={port} />
          Log {port}
          <PaneButtons {...ways} />
        </h2>
        <LogForm log={port} />
        <FramingField
          key={port}
          framing={framing}
          onChange={(next) => {
            changeFraming(port, next);
            void toastLogError(getLogs().call('setFraming', port, next));
          }}
        />
      </section>
    </aside>
  );
}
