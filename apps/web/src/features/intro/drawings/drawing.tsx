import type { ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from './drawing.module.css';

export interface DrawingProps {
  /** Description for screen readers. The content itself is hidden from them. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A part of the product's interface with example values. It is not interactive. */
export function Drawing({ label, className, children }: DrawingProps) {
  return (
    <div className={classNames('card', styles['drawing'], className)} role="img" aria-label={label}>
      {children}
    </div>
  );
}
