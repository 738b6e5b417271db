import type { Feedback } from '@wirebench/contract';
import { exactText } from '../../shared/dates/dates.ts';
import styles from './feedback-cards.module.css';

/** @param busy while the next page is on its way */
export function FeedbackCards({ items, busy }: { readonly items: readonly Feedback[]; readonly busy: boolean }) {
  return (
    <ul className={`card ${styles['cards']}`} aria-label="Feedbacks" aria-busy={busy}>
      {items.map(({ _id, email, message, createdAt }) => (
        <li key={_id}>
          <article className={styles['card']}>
            <b title={email}>{email}</b>
            <p>{message}</p>
            <time dateTime={createdAt}>{exactText(createdAt)}</time>
          </article>
        </li>
      ))}
    </ul>
  );
}
