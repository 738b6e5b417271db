import { rememberedPorts, type SerialSupport, serialSupport, usesUsbPorts } from '../../hardware/serial-support.ts';
import { Led } from '../../shared/ui/led.tsx';
import { useAsync } from '../../shared/ui/use-async.ts';
import styles from './serial-status.module.css';

/** Shows this browser's support for serial ports. */
export function SerialStatus() {
  const support = serialSupport();
  return (
    <ul className={styles['status']} aria-label="This browser">
      {support === 'ready' && !usesUsbPorts() ? (
        <>
          <li>
            <Led tone="success" />
            Web Serial ready in this browser
          </li>
          <RememberedPorts />
        </>
      ) : (
        <li className={support === 'ready' ? undefined : styles['missing']}>
          <Led tone={support === 'ready' ? 'success' : 'danger'} />
          <OtherWords support={support} />
        </li>
      )}
    </ul>
  );
}

/** Words of everything but a computer that is ready. Loaded when they are needed. */
function OtherWords({ support }: { readonly support: SerialSupport }) {
  return (
    useAsync([support], async () => (await import('@wirebench/port/browser-support')).supportText(support)) ?? null
  );
}

/** Says how many ports the browser remembers. Nothing before the first one. */
function RememberedPorts() {
  const count = useAsync([], rememberedPorts);
  return count ? (
    <li>
      <Led tone="success" />
      {count} {count === 1 ? 'port' : 'ports'} remembered
    </li>
  ) : null;
}
