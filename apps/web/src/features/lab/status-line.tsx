/** The link in one line, and the keys that act on the bench. */
import { Kbd } from '../../shared/ui/kbd.tsx';
import { Led } from '../../shared/ui/led.tsx';
import { count } from '../../workbench/digits.ts';
import styles from './status-line.module.css';
import { useLab } from './store/lab-store.ts';

const keys = [
  { key: '⇧P', what: 'pins' },
  { key: '⇧I', what: 'I2C scan' },
  { key: '⇧R', what: 'registers' },
  { key: '⇧L', what: 'leave' },
];

export function StatusLine() {
  const { writes, reads, roundTrip } = useLab(({ tick }) => tick.counters);
  const program = useLab(({ tick }) => tick.program !== null);
  return (
    <section className={styles['line']} aria-label="Status">
      <span className={styles['state']}>
        <Led tone="success" />
        Bench open, {program ? 'program in RAM' : 'ROM'}
      </span>
      <span>
        Register writes <b>{count(writes)}</b>
      </span>
      <span>
        reads <b>{count(reads)}</b>
      </span>
      <span>
        Round trip <b>{roundTrip === 0 ? '–' : `${roundTrip.toFixed(1)} ms`}</b>
      </span>
      <span className={styles['keys']}>
        {keys.map(({ key, what }) => (
          <span key={what}>
            <Kbd>{key}</Kbd> {what}
          </span>
        ))}
      </span>
    </section>
  );
}
