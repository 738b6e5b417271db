import { wireTime } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { count } from '../../../shared/format/numbers.ts';
import { rateText, sizeText } from '../../../shared/format/bytes.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Meter } from '../../../shared/ui/meter.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from './port-pane.module.css';

const nothing = '–';

/** Traffic since the port was last opened. Peak and load refer to received bytes. */
export function Traffic({ port }: { readonly port: PortNumber }) {
  const { connectedAt, received, sent, lines, settings, errors } = useBenchStatus(({ status }) => status.ports[port]);
  const { now, peak } = useBenchStatus(({ rates }) => rates[port].received);
  const isGuests = useBenchStatus(({ users }) => users[port] !== null);
  const seen = connectedAt !== null;
  // Fraction of time that the line is busy: transmission time of one second's bytes, in ms, divided by 1000. The rate
  // that a guest uses is unknown.
  const load = settings === null || isGuests ? 0 : Math.min(1, wireTime(settings, now) / 1_000);
  const percent = Math.round(load * 100);
  const facts = [
    ['Received', sizeText(received)],
    ['Sent', sizeText(sent)],
    ['Lines', count(lines)],
    ['Peak', rateText(peak)],
    ['Line load', isGuests ? nothing : `${percent} %`],
  ] as const;
  const faults = [
    ['Framing errors', errors.framing],
    ['Parity errors', errors.parity],
    ['Buffer overruns', errors.overrun],
    ['Breaks', errors.break],
  ] as const;
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>
        Traffic
        {seen ? (
          <span className={styles['aside']}>since {new Date(connectedAt).toLocaleTimeString('en-GB')}</span>
        ) : null}
      </h3>
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={seen ? value : nothing} />
        ))}
      </dl>
      <Meter aria-label="Line load" max={100} value={percent} />
      <dl className={styles['facts']}>
        {faults.map(([name, value]) => (
          <Fact key={name} name={name} value={seen ? count(value) : nothing} bad={value > 0} />
        ))}
      </dl>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly bad?: boolean;
}

function Fact({ name, value, bad = false }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={classNames(bad && styles['bad'])}>{value}</dd>
    </>
  );
}
