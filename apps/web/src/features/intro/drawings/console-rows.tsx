import type { PortNumber } from '@wirebench/serial';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from './console-rows.module.css';

export interface ConsoleRow {
  readonly time: string;
  readonly port: PortNumber;
  readonly sent?: boolean;
  /** Colour that the board has set by an escape sequence. Omitted: the default colour. */
  readonly color?: 'green' | 'yellow' | 'red';
  readonly text: string;
}

/** Rows in the look of the console. They wrap, so that no text is cut off. */
export function ConsoleRows({ rows }: { readonly rows: readonly ConsoleRow[] }) {
  return (
    <div className={styles['log']}>
      {rows.map(({ time, port, sent = false, color, text }) => (
        <div key={`${time} ${text}`} data-port={port} className={classNames(styles['row'], sent && styles['sent'])}>
          <time>{time}</time>
          <b>{port}</b>
          <i>{sent ? '→' : '←'}</i>
          <span className={color === undefined ? undefined : styles[color]}>{text}</span>
        </div>
      ))}
    </div>
  );
}
