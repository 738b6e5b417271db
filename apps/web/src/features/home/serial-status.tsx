import { rememberedPorts } from '../../hardware/permitted-ports.ts';
import { serialSupport } from '../../hardware/serial-support.ts';
import { Led } from '../../shared/ui/led.tsx';
import { useAsync } from '../../shared/ui/use-async.ts';
import styles from './serial-status.module.css';

/** Shows this browser's support for serial ports. */
export function SerialStatus() {
  const support = serialSupport();
  return (
    <ul className={styles['status']} aria-label="This browser">
      {support === 'ready' ? (
        <>
          <li>
            <Led tone="success" />
            Web Serial ready in this browser
          </li>
          <RememberedPorts />
        </>
      ) : (
        <li className={styles['missing']}>
          <Led tone="danger" />
          {support === 'insecure-context'
            ? 'Serial ports need a secure page: open it through https or localhost.'
            : 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).'}
        </li>
      )}
    </ul>
  );
}

function RememberedPorts() {
  const count = useAsync([], rememberedPorts) ?? null;
  return (
    <li>
      <Led tone={count ? 'success' : 'off'} />
      {portsText(count)}
    </li>
  );
}

function portsText(count: number | null): string {
  if (count === null) {
    return 'Looking for ports';
  }
  return count === 0 ? 'No remembered ports yet' : `${count} ${count === 1 ? 'port' : 'ports'} remembered`;
}
