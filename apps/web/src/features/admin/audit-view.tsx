import { moderationActions } from '@wirebench/contract';
import { exactText } from '../../shared/dates/dates.ts';
import { moderationLists } from './moderation-calls.ts';
import { ModerationList } from './moderation-list.tsx';

/** Shows the audit list: user, action, time and reason. It cannot be changed here. */
export function AuditView({ user }: { readonly user: string }) {
  return (
    <ModerationList
      label="Audit list"
      of={[user, 'audit']}
      load={moderationLists.audit}
      hasMore={({ pagination: { total, limit } }, skip) => skip + limit < total}
      heads={['What', 'Why', 'Who', 'When']}
      rows={({ entries }) =>
        entries.map(({ _id, at, by, action, what, reason }) => (
          <tr key={_id}>
            <th scope="row">
              {moderationActions[action]}
              <small>{what}</small>
            </th>
            <td>{reason}</td>
            <td>{by}</td>
            <td>
              <time dateTime={at}>{exactText(at)}</time>
            </td>
          </tr>
        ))
      }
      empty="Nothing has been moderated yet."
    />
  );
}
