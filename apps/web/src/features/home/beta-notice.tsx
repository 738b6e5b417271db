import { FlaskConical } from 'lucide-react';
import styles from './beta-notice.module.css';

export interface BetaNoticeProps {
  readonly signedIn: boolean;
  readonly onSendFeedback: () => void;
  readonly onSignIn: () => void;
}

/** Says what to expect of a beta. Feedback takes an account: visitors are told so. */
export function BetaNotice({ signedIn, onSendFeedback, onSignIn }: BetaNoticeProps) {
  return (
    <aside className={styles['notice']} aria-label="Beta">
      <div className={styles['wrap']}>
        <FlaskConical />
        <span>Wirebench is in beta. STM32 and Nordic flashing is experimental: keep a second programmer at hand.</span>
        {signedIn ? (
          <button type="button" className="link" aria-haspopup="dialog" onClick={onSendFeedback}>
            Send feedback
          </button>
        ) : (
          <button type="button" className="link" onClick={onSignIn}>
            Sign in to send feedback
          </button>
        )}
      </div>
    </aside>
  );
}
