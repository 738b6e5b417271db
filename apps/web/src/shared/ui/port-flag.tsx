import { classNames } from './class-names.ts';
import styles from './port-flag.module.css';

export interface PortFlagProps {
  readonly port: 1 | 2 | 3 | 4;
  /** True: the port is not connected. */
  readonly off?: boolean | undefined;
}

/** The numbered flag of a port, in its colour. The number is always shown, so that colour is never the only sign. */
export function PortFlag({ port, off = false }: PortFlagProps) {
  return (
    <span
      role="img"
      aria-label={`Port ${port}`}
      data-port={port}
      className={classNames(styles['flag'], off && styles['off'])}
    >
      {port}
    </span>
  );
}
