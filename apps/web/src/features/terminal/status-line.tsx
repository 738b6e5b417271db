import { portNumbers } from '@wirebench/serial';
import { serialSupport } from '../../hardware/serial-support.ts';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { Led } from '../../shared/ui/led.tsx';
import { type BenchView, useBenchStatus } from '../../workbench/bench-status.ts';
import { lines, rate } from './amounts.ts';
import styles from './status-line.module.css';

const shortcuts = [
  { keys: ['/', 'Ctrl+F'], what: 'find' },
  { keys: ['⇧H'], what: 'hex' },
  { keys: ['⇧A'], what: 'follow' },
  { keys: ['⇧C'], what: 'clear' },
  { keys: ['⇧X'], what: 'export' },
] as const;

/** The bench in one line, and the keys that act on it. */
export function StatusLine() {
  const open = useBenchStatus(({ status }) => portNumbers.filter((port) => isOpen(status.ports[port].state)).length);
  const received = useBenchStatus(({ rates }) => sum(rates, 'received'));
  const sent = useBenchStatus(({ rates }) => sum(rates, 'sent'));
  const held = useBenchStatus(({ status }) => status.lines);
  const missing = serialSupport() !== 'ready' && open === 0;
  return (
    <section className={styles['line']} aria-label="Status">
      <span className={styles['ports']}>
        <Led tone={missing ? 'danger' : open > 0 ? 'success' : 'off'} />
        {missing ? 'Web Serial missing' : open === 0 ? 'No port open' : `${open} of 4 ports open`}
      </span>
      <span>
        RX <b>{rate(received)}</b>
      </span>
      <span>
        TX <b>{rate(sent)}</b>
      </span>
      <span>
        Buffer <b>{lines(held)}</b>
      </span>
      <span className={styles['keys']}>
        {shortcuts.map(({ keys, what }) => (
          <span key={what}>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}{' '}
            {what}
          </span>
        ))}
      </span>
    </section>
  );
}

const isOpen = (state: string) => state === 'connected' || state === 'disconnecting';

function sum(rates: BenchView['rates'], direction: 'received' | 'sent'): number {
  return portNumbers.reduce((total, port) => total + rates[port][direction].now, 0);
}
