import type { ComponentPropsWithRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './control.module.css';

export interface TextInputProps extends ComponentPropsWithRef<'input'> {
  /** For machine-readable values: addresses, rates, versions. */
  readonly mono?: boolean | undefined;
}

export function TextInput({ mono = false, className, type = 'text', ...rest }: TextInputProps) {
  return <input {...rest} type={type} className={classNames(styles['control'], mono && styles['mono'], className)} />;
}

export function TextArea({ className, ...rest }: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...rest} className={classNames(styles['control'], styles['area'], className)} />;
}
