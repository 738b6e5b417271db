/** Returns the class names of a button, so that links can look like buttons. */
import styles from './button.module.css';
import { classNames } from './class-names.ts';

export type ButtonVariant = 'default' | 'primary' | 'quiet' | 'danger' | 'danger-fill';
export type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
  /** True: square, for a single icon. */
  readonly square?: boolean | undefined;
}

export function buttonClass({ variant = 'default', size = 'md', square = false }: ButtonLook = {}): string {
  return classNames(styles['button'], styles[variant], styles[size], square && styles['square']);
}
