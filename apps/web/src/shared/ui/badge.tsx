import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.ts';

export interface BadgeProps {
  readonly tone?: 'neutral' | 'success' | 'warning' | 'danger' | 'accent' | 'info' | 'off' | undefined;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** A label of one word, in capitals. */
export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={classNames(styles['badge'], styles[tone])}>
      {icon}
      {children}
    </span>
  );
}
