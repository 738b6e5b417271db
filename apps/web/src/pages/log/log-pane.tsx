/** Beside an opened log: how it is read. */

import { useId } from 'react';
import { LogForm } from '../../features/opened-log/log-form.tsx';
import { DecoderSelect } from '../../features/terminal/settings/decoder-field.tsx';
import { FramingField } from '../../features/terminal/settings/framing-field.tsx';
import styles from '../../features/terminal/settings/port-pane.module.css';
import { PaneButtons } from '../../features/terminal/settings/port-pane.tsx';
import { changePort, useTerminalSettings } from '../../features/terminal/settings/settings-store.ts';
import type { PortPaneProps } from '../../features/terminal/terminal-slots.ts';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { getLogs, toastLogError } from '../../workbench/opened-log/log-line.ts';

export function LogPane({ port, ...ways }: PortPaneProps) {
  const { framing, decoder } = useTerminalSettings(({ ports }) => ports[port]);
  const decoderId = useId();
  return (
    <aside className={styles['pane']} aria-label={`How log ${port} is read`} data-port={port}>
      <section className={styles['section']}>
        <h2 className={styles['title']}>
          <PortFlag port={port} />
          Log {port}
          <PaneButtons {...ways} />
        </h2>
        <LogForm log={port} />
        <div className={styles['row']}>
          <label htmlFor={decoderId} className="silk">
            Frames
          </label>
          <DecoderSelect id={decoderId} port={port} />
        </div>
        {decoder === null ? (
          <FramingField
            key={port}
            framing={framing}
            onChange={(next) => {
              changePort(port, { framing: next });
              void toastLogError(getLogs().call('setFraming', port, next));
            }}
          />
        ) : null}
      </section>
    </aside>
  );
}
