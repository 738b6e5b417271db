import type { ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from './drawing.module.css';

export interface DrawingProps {
  /** Says to screen readers what is drawn; they read nothing inside. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A part of a screen of the product with example values. Nothing in it can be used. */
export function Drawing({ label, className, children }: DrawingProps) {
  return (
    <div className={classNames('card', styles['drawing'], className)} role="img" aria-label={label}>
      {children}
    </div>
  );
}
