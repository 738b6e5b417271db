import { type PortNumber, sessionFailureText } from '@wirebench/serial';
import { GuidanceLink } from '../../workbench/guidance-link.tsx';
import { OtherBrowserButtons, otherBrowserWay } from '../../workbench/other-browser.tsx';
import { DemoButton } from '../../workbench/port-picker/connect-button.tsx';
import styles from './empty-states.module.css';
import { useTerminalSettings } from './settings/settings-store.ts';
import { Trace } from './trace.tsx';

/** Empty state for browsers without Web Serial. The demo device works there. */
export function UnsupportedBrowser({ port }: { readonly port: PortNumber }) {
  const settings = useTerminalSettings(({ ports }) => ports[port].settings);
  return (
    <div className={styles['state']}>
      <Trace />
      <h2 className={styles['title']}>This browser cannot open serial ports</h2>
      <p className={styles['text']}>{sessionFailureText.unsupported}</p>
      <p className={styles['text']}>{otherBrowserWay().text}</p>
      <div className={`buttons ${styles['actions']}`}>
        <OtherBrowserButtons />
        <DemoButton port={port} settings={settings} size="lg" label="Try the demo board" />
      </div>
      <p className={styles['small']}>The demo board is simulated and works in every browser.</p>
      <p className={styles['small']}>
        <GuidanceLink topic="serial-access-blocked" />
      </p>
    </div>
  );
}
