/** Line beside a message field whose text is hidden for one Enter, because the board asks for a password. */
import type { AskedSecret, PortNumber } from '@wirebench/serial';
import { Eye, EyeOff } from 'lucide-react';
import { Button } from '../shared/ui/button.tsx';
import { PortFlag } from '../shared/ui/port-flag.tsx';
import styles from './strip.module.css';

export interface HiddenAnswerStripProps {
  readonly port: PortNumber;
  readonly secret: AskedSecret;
  /** True: the person wants to see the answer. */
  readonly isShown: boolean;
  /** False: the port belongs to a host whose log shows what is sent. */
  readonly canHide: boolean;
  readonly onShow: (isShown: boolean) => void;
}

export function HiddenAnswerStrip({ port, secret, isShown, canHide, onShow }: HiddenAnswerStripProps) {
  return (
    <div className={`row ${styles['strip']}`} role="status">
      <PortFlag port={port} />
      {isShown ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
      <span>
        {isShown ? (
          <>
            <b>Shown:</b> {secret}. It is sent and kept like other text.
          </>
        ) : canHide ? (
          <>
            <b>Hidden for one Enter:</b> {secret}. What the board echoes is not hidden.
          </>
        ) : (
          <>
            <b>Dots for one Enter:</b> {secret}. The host has an older Wirebench, and its log shows what you send.
          </>
        )}
      </span>
      <span className={styles['end']}>
        <Button size="sm" pressed={isShown} onClick={() => onShow(!isShown)}>
          Show
        </Button>
      </span>
    </div>
  );
}
