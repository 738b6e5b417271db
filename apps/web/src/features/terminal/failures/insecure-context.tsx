import type { PortNumber } from '@wirebench/serial';
import { Lock } from 'lucide-react';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import { DemoButton } from '../../../workbench/port-picker/connect-button.tsx';
import styles from '../empty-states.module.css';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { Trace } from '../trace.tsx';

/** Empty state for pages served over plain HTTP from another machine. Browsers block serial ports there. */
export function InsecureContext({ port }: { readonly port: PortNumber }) {
  const settings = useTerminalSettings(({ ports }) => ports[port].settings);
  const { host, pathname, port: httpPort } = location;
  const local = `http://localhost${httpPort ? `:${httpPort}` : ''}${pathname}`;
  return (
    <div className={styles['state']}>
      <Trace />
      <h2 className={styles['title']}>This page cannot open serial ports</h2>
      <p className={styles['text']}>
        Browsers allow serial ports only on pages served over https or from the same machine. Open this page over https,
        or on the machine that runs Wirebench at <code>{local}</code>.
      </p>
      <div className={`buttons ${styles['actions']}`}>
        <a className={buttonClass({ variant: 'primary', size: 'lg' })} href={`https://${host}${pathname}`}>
          <Lock />
          Open over https
        </a>
        <DemoButton port={port} settings={settings} size="lg" label="Try the demo board" />
      </div>
      <p className={styles['small']}>The demo board is simulated and works on every page.</p>
      <p className={styles['small']}>
        <GuidanceLink topic="serial-access-blocked" />
      </p>
    </div>
  );
}
