import type { MeterHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';
import styles from './meter.module.css';

export interface MeterProps extends MeterHTMLAttributes<HTMLMeterElement> {
  /** The measured quantity. */
  readonly 'aria-label': string;
  readonly max: number;
  readonly value: number;
}

/** A bar as wide as its parent, in the colour `--c`, which is the port's colour inside of a port. */
export function Meter({ className, ...meter }: MeterProps) {
  return <meter {...meter} className={classNames(styles['meter'], className)} />;
}
