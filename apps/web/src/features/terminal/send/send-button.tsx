import type { PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { blockedText, type SendState } from '../open-ports-of.ts';
import styles from './send-bar.module.css';

export interface SendButtonProps {
  readonly port: PortNumber;
  readonly state: SendState;
  readonly onSend: () => void;
}

/** Sends to its port. It stays focusable while the port is closed, so that its tooltip can give the reason. */
export function SendButton({ port, state, onSend }: SendButtonProps) {
  const open = state === 'connected' || state === 'disconnecting';
  const user = useBenchStatus((view) => view.users[port]);
  const button = (
    <Button
      className={classNames(styles['send'], open ? styles['open'] : styles['closed'])}
      data-port={port}
      aria-disabled={open ? undefined : true}
      icon={<PortFlag port={port} off={!open} />}
      onClick={onSend}
    >
      Send
    </Button>
  );
  return open ? button : <Tooltip text={blockedText(port, state) ?? closedText(port, user)}>{() => button}</Tooltip>;
}

const closedText = (port: PortNumber, user: string | null) =>
  user === null ? `Port ${port} is not connected` : `${user} uses port ${port}`;
