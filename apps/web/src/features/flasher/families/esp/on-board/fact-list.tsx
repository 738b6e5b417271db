/** Facts about an entry, one in a row. */
import { Fragment, type ReactNode } from 'react';
import styles from './on-board.module.css';

/** @param facts Names and values. A null is left out, because it is not known. */
export function FactList({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
