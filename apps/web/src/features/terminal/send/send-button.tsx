import type { PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import styles from './send-bar.module.css';

export interface SendButtonProps {
  readonly port: PortNumber;
  readonly onSend: () => void;
}

/** Sends to its port. */
export function SendButton({ port, onSend }: SendButtonProps) {
  return (
    <Button className={styles['send']} data-port={port} icon={<PortFlag port={port} />} onClick={onSend}>
      Send
    </Button>
  );
}
