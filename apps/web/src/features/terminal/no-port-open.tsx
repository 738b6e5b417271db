import { logPage } from '@wirebench/contract/constants';
import { describePortSettings, type LinesAtOpen } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { GuidanceLink } from '../../workbench/guidance-link.tsx';
import { ConnectButton, DemoButton } from '../../workbench/port-picker/connect-button.tsx';
import styles from './empty-states.module.css';
import { ReconnectButton } from './reconnect-button.tsx';
import { RememberedBoards } from './remembered-boards.tsx';
import { useTerminalSettings } from './settings/settings-store.ts';
import { Trace } from './trace.tsx';

const openLines = {
  dtr: 'with DTR on and RTS off',
  off: 'with DTR and RTS off',
  keep: 'and leaves DTR and RTS alone',
} satisfies Record<LinesAtOpen, string>;

/** Empty state: no port is open and nothing was received yet. */
export function NoPortOpen({ port }: { readonly port: PortNumber }) {
  const settings = useTerminalSettings(({ ports }) => ports[port].settings);
  return (
    <div className={styles['state']}>
      <Trace />
      <h2 className={styles['title']}>No port is open</h2>
      <p className={styles['text']}>
        Plug in a board, press Connect and pick it in the browser dialog. Wirebench opens it at{' '}
        {describePortSettings(settings).replace(' ', ' baud, ')}, {openLines[settings.linesAtOpen ?? 'dtr']}.
      </p>
      <div className={`buttons ${styles['actions']}`}>
        <ConnectButton port={port} settings={settings} variant="primary" size="lg" words={`Connect port ${port}`} />
        <DemoButton port={port} settings={settings} size="lg" label="Try the demo board" />
      </div>
      <ReconnectButton />
      <RememberedBoards port={port} />
      <p className={styles['small']}>
        Board not listed? Try another cable first: many carry power only. <GuidanceLink topic="device-not-found" />
      </p>
      <p className={styles['small']}>
        Have a log in a file?{' '}
        <a className="link" href={logPage} target="_blank" rel="noopener">
          Open a log
        </a>
      </p>
    </div>
  );
}
