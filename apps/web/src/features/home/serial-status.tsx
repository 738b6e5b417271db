import { rememberedPorts } from '../../hardware/permitted-ports.ts';
import { serialSupport, usesUsbPorts } from '../../hardware/serial-support.ts';
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
            {readyText()}
          </li>
          <RememberedPorts />
        </>
      ) : (
        <li className={styles['missing']}>
          <Led tone="danger" />
          {support === 'insecure-context' ? (
            'Serial ports need a secure page: open it through https or localhost.'
          ) : (
            <Unsupported />
          )}
        </li>
      )}
    </ul>
  );
}

/** On a phone, WebUSB reaches what Web Serial may not list. */
const readyText = () => (usesUsbPorts() ? 'Boards on a USB cable: ready' : 'Web Serial ready in this browser');

/** Loads the words when they are needed. */
const unsupportedText = async () => (await import('@wirebench/port/browser-support')).noSerialWords();

function Unsupported() {
  return useAsync([], unsupportedText) ?? null;
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
