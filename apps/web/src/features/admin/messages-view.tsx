import { exactText } from '../../shared/dates/dates.ts';
import styles from './moderation.module.css';
import { moderate, moderationLists } from './moderation-calls.ts';
import { ModerationList } from './moderation-list.tsx';
import { ReasonButton } from './reason-button.tsx';

/** Feedback, where it can be deleted. */
export function MessagesView({ user }: { readonly user: string }) {
  return (
    <ModerationList
      label="Feedback"
      of={[user, 'feedback']}
      load={moderationLists.feedback}
      hasMore={({ pagination: { total, limit } }, skip) => skip + limit < total}
      heads={['Message', 'From', 'When', 'Actions']}
      rows={({ data }) =>
        data.map(({ _id, email, message, createdAt }) => (
          <tr key={_id}>
            <th scope="row" className={styles['note']}>
              {message}
            </th>
            <td>{email}</td>
            <td>
              <time dateTime={createdAt}>{exactText(createdAt)}</time>
            </td>
            <td>
              <div className={`buttons ${styles['acts']}`}>
                <ReasonButton
                  action="Delete"
                  what="this feedback"
                  danger
                  explanation="The message and its sender are gone for good."
                  done="The feedback was deleted"
                  run={(reason) => moderate.deleteFeedback(_id, reason)}
                />
              </div>
            </td>
          </tr>
        ))
      }
      empty="No feedback."
    />
  );
}
