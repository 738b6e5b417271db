import { portNumbers } from '@wirebench/serial';
import { serialSupport } from '../../hardware/serial-support.ts';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { Led } from '../../shared/ui/led.tsx';
import { type BenchView, useBenchStatus } from '../../workbench/bench-status.ts';
import { lines, rate } from './amounts.ts';
import { useTerminalSettings } from './settings/settings-store.ts';
import { keyCap, shortcuts } from './shortcuts.ts';
import styles from './status-line.module.css';

const { find, hex, follow, clear, export: exporting } = shortcuts;

/** Each with the keys that do it. */
const shown = [
  { keys: [find.keys, 'Ctrl+F'], what: find.short },
  ...[hex, follow, clear, exporting].map(({ keys, short }) => ({ keys: [keyCap(keys)], what: short })),
];

/** The bench in one line, and the keys that act on it. */
export function StatusLine() {
  const open = useBenchStatus(({ status }) => portNumbers.filter((port) => isOpen(status.ports[port].state)).length);
  const received = useBenchStatus(({ rates }) => sum(rates, 'received'));
  const sent = useBenchStatus(({ rates }) => sum(rates, 'sent'));
  const held = useBenchStatus(({ status }) => status.lines);
  const otherLayout = useTerminalSettings(({ layout }) => (layout === 'hex' ? 'text' : 'hex'));
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
        {shown.map(({ keys, what }) => (
          <span key={what}>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}{' '}
            {what === hex.short ? otherLayout : what}
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
