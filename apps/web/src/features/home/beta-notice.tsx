import { FlaskConical } from 'lucide-react';
import styles from './beta-notice.module.css';

/** @param onSendFeedback null while nobody is signed in: then there is no feedback to send. */
export function BetaNotice({ onSendFeedback }: { readonly onSendFeedback: (() => void) | null }) {
  return (
    <aside className={styles['notice']} aria-label="Beta">
      <div className={styles['wrap']}>
        <FlaskConical />
        <span>Wirebench is in beta. STM32 and Nordic flashing are experimental, keep a second programmer at hand.</span>
        {onSendFeedback === null ? null : (
          <button type="button" className="link" aria-haspopup="dialog" onClick={onSendFeedback}>
            Send feedback
          </button>
        )}
      </div>
    </aside>
  );
}
