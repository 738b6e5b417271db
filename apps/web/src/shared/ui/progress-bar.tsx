import type { ProgressHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';
import styles from './progress-bar.module.css';

export interface ProgressBarProps extends ProgressHTMLAttributes<HTMLProgressElement> {
  /** The measured action. */
  readonly 'aria-label': string;
  readonly max: number;
  readonly value: number;
}

/** A bar that fills up. In the colour of the port that it stands in; elsewhere in the accent's. */
export function ProgressBar({ className, ...progress }: ProgressBarProps) {
  return <progress {...progress} className={classNames(styles['progress'], className)} />;
}
