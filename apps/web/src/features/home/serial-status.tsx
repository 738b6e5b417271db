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

/** Loads the words of phones when they are needed. */
const phoneText = async () => {
  const { lackingBrowser, lackingWords } = await import('@wirebench/port/browser-support');
  return lackingBrowser() === 'phone' ? lackingWords.phone.what : null;
};

function Unsupported() {
  const text = useAsync([], phoneText);
  return text === undefined
    ? null
    : (text ?? 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).');
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
