import { type PortNumber, sessionFailureText } from '@wirebench/serial';
import { Copy } from 'lucide-react';
import { copyText } from '../../shared/files/copy-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { GuidanceLink } from '../../workbench/guidance-link.tsx';
import { DemoButton } from '../../workbench/port-picker/connect-button.tsx';
import styles from './empty-states.module.css';
import { useTerminalSettings } from './settings/settings-store.ts';
import { Trace } from './trace.tsx';

/** Empty state for browsers without Web Serial. The demo device works there. */
export function UnsupportedBrowser({ port }: { readonly port: PortNumber }) {
  const settings = useTerminalSettings(({ ports }) => ports[port].settings);
  const copy = () => copyText(location.href, 'Link to the terminal copied');
  return (
    <div className={styles['state']}>
      <Trace />
      <h2 className={styles['title']}>This browser cannot open serial ports</h2>
      <p className={styles['text']}>{sessionFailureText.unsupported}</p>
      <div className={`buttons ${styles['actions']}`}>
        <Button variant="primary" size="lg" icon={<Copy />} onClick={() => void copy()}>
          Copy link for later
        </Button>
        <DemoButton port={port} settings={settings} size="lg" label="Try the demo device" />
      </div>
      <p className={styles['small']}>The demo device is simulated and works in every browser.</p>
      <p className={styles['small']}>
        <GuidanceLink topic="serial-access-blocked" />
      </p>
    </div>
  );
}
