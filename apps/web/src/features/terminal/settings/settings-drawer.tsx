import type { PortNumber } from '@wirebench/serial';
import { useRef } from 'react';
import { terminalSession } from '../terminal-session.ts';
import { useDrawerFocus } from '../use-drawer-focus.ts';
import { PortPane } from './port-pane.tsx';
import styles from './settings-drawer.module.css';

/** The port's settings over the log, where there is no room beside it. Escape closes it and gives the focus back. */
export function SettingsDrawer({ port }: { readonly port: PortNumber }) {
  const drawer = useRef<HTMLDivElement>(null);
  const close = () => terminalSession.setState({ drawerOpen: false });
  useDrawerFocus(drawer);
  return (
    <div
      ref={drawer}
      role="dialog"
      aria-label="Port settings"
      tabIndex={-1}
      className={styles['drawer']}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          close();
        }
      }}
    >
      <PortPane port={port} onClose={close} />
    </div>
  );
}
