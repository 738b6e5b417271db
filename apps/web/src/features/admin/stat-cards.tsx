import { CalendarCheck, MessagesSquare, Users } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import { type FeedbackCalls, useFeedbackStats } from './feedback-calls.ts';
import styles from './stat-cards.module.css';

const numbers = new Intl.NumberFormat('fr-FR');

export interface StatCardsProps {
  /** Signed-in user. The key keeps one user's counts from the next user. */
  readonly user: string;
  readonly calls: FeedbackCalls;
}

/** Shows three counts. If they cannot be loaded, the rest of the page still works. */
export function StatCards({ user, calls }: StatCardsProps) {
  const { data, error } = useFeedbackStats(calls, user);
  useEffect(() => {
    if (error instanceof ApiError && error.status === 403) {
      console.warn('Feedback statistics are for admins.', error);
    } else if (error !== null) {
      console.error('Feedback statistics could not be loaded.', error);
    }
  }, [error]);
  const cards = [
    { name: 'Total Feedbacks', count: data?.totalFeedbacks, icon: <MessagesSquare /> },
    { name: "Today's Feedbacks", count: data?.todayFeedbacks, icon: <CalendarCheck /> },
    { name: 'Unique Users', count: data?.uniqueEmails, icon: <Users /> },
  ];
  return (
    <dl className={`card ${styles['cards']}`}>
      {cards.map(({ name, count, icon }) => (
        <div key={name} className={styles['card']}>
          <dt>{name}</dt>
          <dd>
            {count === undefined ? '–' : numbers.format(count)}
            {icon}
          </dd>
        </div>
      ))}
    </dl>
  );
}
