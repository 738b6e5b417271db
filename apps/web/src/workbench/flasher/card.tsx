import type { ReactNode } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './card.module.css';

export interface CardProps {
  readonly title: string;
  /** Stands right behind the title. */
  readonly facts?: ReactNode;
  /** Stands at the right. */
  readonly actions?: ReactNode;
  /** Without space around what is in it: tables and logs bring their own. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** One of the flasher's boxes: a head with its title, and what it is about. */
export function Card({ title, facts, actions, flush = false, children }: CardProps) {
  return (
    <section className={`card ${styles['card']}`} aria-label={title}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        {facts}
        {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      </div>
      <div className={classNames(!flush && styles['body'])}>{children}</div>
    </section>
  );
}
