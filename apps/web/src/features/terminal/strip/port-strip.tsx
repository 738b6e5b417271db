/** Strip of the four ports: a tab selects a port, and the button in its corner connects or disconnects it. */
import { Tabs } from '@base-ui/react/tabs';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useRef } from 'react';
import { useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { terminalSession, useTerminalSession } from '../terminal-session.ts';
import { PortAction } from './port-action.tsx';
import styles from './port-strip.module.css';
import { PortTab } from './port-tab.tsx';

export function PortStrip() {
  const selected = useTerminalSession((session) => session.selectedPort);
  const actions = useRef<HTMLDivElement>(null);
  const walkActions = useRovingFocus(actions);
  return (
    <Tabs.Root
      className={styles['strip']}
      value={selected}
      onValueChange={(port: PortNumber) => terminalSession.setState({ selectedPort: port })}
    >
      <Tabs.List activateOnFocus aria-label="Ports" className={styles['tabs']}>
        {portNumbers.map((port) => (
          <PortTab key={port} port={port} selected={port === selected} />
        ))}
      </Tabs.List>
      <div ref={actions} role="toolbar" aria-label="Connections" className={styles['actions']} onKeyDown={walkActions}>
        {portNumbers.map((port) => (
          <div key={port} className={styles['action']} data-port={port}>
            <PortAction port={port} selected={port === selected} size="sm" />
          </div>
        ))}
      </div>
    </Tabs.Root>
  );
}
