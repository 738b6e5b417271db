import type { PortNumber } from '@wirebench/serial';
import { count } from '../../../shared/format/numbers.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from './port-pane.module.css';

/** Line errors since the port was last opened. Drawn only if there are any. */
export function Errors({ port }: { readonly port: PortNumber }) {
  const errors = useBenchStatus(({ status }) => status.ports[port].errors);
  const faults = [
    ['Framing errors', errors.framing],
    ['Parity errors', errors.parity],
    ['Buffer overruns', errors.overrun],
    ['Breaks', errors.break],
  ] as const;
  const seen = faults.filter(([, value]) => value > 0);
  if (seen.length === 0) {
    return null;
  }
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>Errors</h3>
      <dl className={styles['facts']}>
        {seen.map(([name, value]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd className={styles['bad']}>{count(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
