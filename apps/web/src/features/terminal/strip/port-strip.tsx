/** The four ports at the top: a tab selects one, the button in its corner connects or disconnects it. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type KeyboardEvent, useRef } from 'react';
import { nextMember, useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { terminalSession, useTerminalSession } from '../terminal-session.ts';
import { PortAction } from './port-action.tsx';
import styles from './port-strip.module.css';
import { PortTab, tabId } from './port-tab.tsx';

export function PortStrip() {
  const selected = useTerminalSession((session) => session.selectedPort);
  const tabs = useRef<HTMLDivElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  const walkActions = useRovingFocus(actions);
  const select = (port: PortNumber) => terminalSession.setState({ selectedPort: port });
  const move = (event: KeyboardEvent) => {
    const index = nextMember(event.key, portNumbers.indexOf(selected), portNumbers.length);
    const port = index === undefined ? undefined : portNumbers[index];
    if (port !== undefined) {
      event.preventDefault();
      select(port);
      tabs.current?.querySelector<HTMLElement>(`#${tabId(port)}`)?.focus();
    }
  };
  return (
    <div className={styles['strip']}>
      <div ref={tabs} role="tablist" aria-label="Ports" className={styles['tabs']} onKeyDown={move}>
        {portNumbers.map((port) => (
          <PortTab key={port} port={port} selected={port === selected} onSelect={() => select(port)} />
        ))}
      </div>
      <div ref={actions} role="toolbar" aria-label="Connections" className={styles['actions']} onKeyDown={walkActions}>
        {portNumbers.map((port) => (
          <div key={port} className={styles['action']} data-port={port}>
            <PortAction port={port} selected={port === selected} size="sm" />
          </div>
        ))}
      </div>
    </div>
  );
}
