import type { CSSProperties } from 'react';
import { classNames } from './class-names.ts';
import styles from './progress-bar.module.css';

export interface ProgressBarProps {
  /** The measured action. */
  readonly label: string;
  /** 0 to 1; null if the duration is unknown. */
  readonly done: number | null;
  readonly tone?: 'accent' | 'success';
  readonly className?: string | undefined;
}

/** A bar as wide as its parent, in the colour of the port, else in the accent colour. */
export function ProgressBar({ label, done, tone = 'accent', className }: ProgressBarProps) {
  const percent = done === null ? null : Math.floor(done * 100);
  return (
    <div
      className={classNames(styles['bar'], styles[tone], done === null && styles['unknown'], className)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
    >
      <i style={{ '--done': done ?? 1 } as CSSProperties} />
    </div>
  );
}
