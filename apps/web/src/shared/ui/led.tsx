import { classNames } from './class-names.ts';
import styles from './led.module.css';

export interface LedProps {
  readonly tone: 'off' | 'success' | 'accent' | 'danger' | 'port';
  /** Port whose colour the LED has with the tone `port`. */
  readonly port?: 1 | 2 | 3 | 4 | undefined;
}

/** A small square light. It has no accessible text, because the text beside it states the same. */
export function Led({ tone, port }: LedProps) {
  return <span aria-hidden="true" data-port={port} className={classNames(styles['led'], styles[tone])} />;
}
