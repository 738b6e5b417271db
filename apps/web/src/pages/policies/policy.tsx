import type { ReactNode } from 'react';
import styles from './policy.module.css';

/** The date of both texts. */
const DATED = 'March 22, 2023';

export function Policy({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <article className={styles['policy']}>
      <h1>{title}</h1>
      <p className={styles['dated']}>{DATED}</p>
      {children}
    </article>
  );
}
