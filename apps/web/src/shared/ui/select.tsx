import { ChevronsUpDown } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './control.module.css';

export interface SelectProps extends ComponentPropsWithRef<'select'> {
  readonly mono?: boolean | undefined;
}

/** A native selection list in the app's frame. */
export function Select({ mono = false, className, children, ...rest }: SelectProps) {
  return (
    <span className={styles['select']}>
      <select {...rest} className={classNames(styles['control'], mono && styles['mono'], className)}>
        {children}
      </select>
      <ChevronsUpDown />
    </span>
  );
}
