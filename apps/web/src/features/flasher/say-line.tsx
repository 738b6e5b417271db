/** One line below the strip that says something about the board in view, with a button. */
import type { ReactNode } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './say-line.module.css';

export interface SayLineProps {
  readonly tone: 'bad' | 'info';
  readonly icon: ReactNode;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

export function SayLine({ tone, icon, children, actions }: SayLineProps) {
  return (
    <div className={classNames(styles['say'], styles[tone])}>
      <div className={styles['in']}>
        {icon}
        <span>{children}</span>
        {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      </div>
    </div>
  );
}
