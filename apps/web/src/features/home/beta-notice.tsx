import { allFamilies } from '@wirebench/boards';
import { FlaskConical } from 'lucide-react';
import { hasServer } from '../../shared/edition.ts';
import styles from './beta-notice.module.css';

const experimentalNames = allFamilies.flatMap(({ name, experimental }) => (experimental ? name : [])).join(', ');

/**
 * Explains the beta, and how to send feedback.
 *
 * @param onSendFeedback Null if no user is signed in: feedback requires an account.
 */
export function BetaNotice({ onSendFeedback }: { readonly onSendFeedback: (() => void) | null }) {
  return (
    <aside className={styles['notice']} aria-label="Beta">
      <div className={`page-width ${styles['wrap']}`}>
        <FlaskConical />
        <span>
          Wirebench is in beta. Flashing is experimental for {experimentalNames}: keep a second programmer at hand.
        </span>
        {!hasServer ? null : onSendFeedback === null ? (
          <span>To send feedback, sign in.</span>
        ) : (
          <button type="button" className="link" aria-haspopup="dialog" onClick={onSendFeedback}>
            Send feedback
          </button>
        )}
      </div>
    </aside>
  );
}
