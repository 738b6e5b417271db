import type { ReactNode } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './card.module.css';

export interface CardProps {
  readonly title: string;
  /** Shown directly after the title. */
  readonly facts?: ReactNode;
  /** Shown at the right end of the head. */
  readonly actions?: ReactNode;
  /** True: no space around the content. Tables and logs bring their own. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A box of the flasher page: a head with title, facts and actions, and a body. */
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
