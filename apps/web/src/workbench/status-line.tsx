/** A tool in one line at the foot of its page: its state, its figures, and the keys that act on it. */
import type { ComponentProps, ReactNode } from 'react';
import { Kbd } from '../shared/ui/kbd.tsx';
import { Led } from '../shared/ui/led.tsx';
import styles from './status-line.module.css';

export interface StatusLineProps extends Pick<ComponentProps<typeof Led>, 'tone'> {
  readonly state: ReactNode;
  /** Each with its name. */
  readonly figures: readonly { readonly name: string; readonly value: ReactNode }[];
  /** Each with the keys that do it. */
  readonly keys: readonly { readonly keys: readonly string[]; readonly what: string }[];
}

export function StatusLine({ tone, state, figures, keys }: StatusLineProps) {
  return (
    <section className={styles['line']} aria-label="Status">
      <span className={`row tight ${styles['state']}`}>
        <Led tone={tone} />
        {state}
      </span>
      {figures.map(({ name, value }) => (
        <span key={name}>
          {name} <b>{value}</b>
        </span>
      ))}
      <span className={styles['keys']}>
        {keys.map(({ keys: caps, what }) => (
          <span key={what}>
            {caps.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}{' '}
            {what}
          </span>
        ))}
      </span>
    </section>
  );
}
