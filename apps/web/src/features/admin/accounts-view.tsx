import type { ModeratedAccount } from '@wirebench/contract';
import { useState } from 'react';
import { exactText } from '../../shared/dates/dates.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { BlockButton } from './block-button.tsx';
import { ListSearch } from './list-search.tsx';
import styles from './moderation.module.css';
import { moderate, moderationLists } from './moderation-calls.ts';
import { ModerationList } from './moderation-list.tsx';
import { ReasonButton } from './reason-button.tsx';

/** Accounts found by name. Without a name: the blocked accounts. */
export function AccountsView({ user }: { readonly user: string }) {
  const [q, setQ] = useState('');
  return (
    <>
      <ListSearch label="Public name" onSearch={setQ} />
      <ModerationList
        key={q}
        label={q === '' ? 'Blocked accounts' : 'Accounts'}
        of={[user, 'accounts', q]}
        load={(skip, signal) => moderationLists.accounts(q, skip, signal)}
        hasMore={({ pagination }) => pagination.hasMore}
        heads={['Account', 'Last seen', 'Tokens', 'Actions']}
        rows={({ accounts }) => accounts.map((account) => <AccountRow key={account._id} account={account} />)}
        empty={q === '' ? 'No account is blocked.' : 'No account has a name like that.'}
      />
    </>
  );
}

function AccountRow({ account }: { readonly account: ModeratedAccount }) {
  const { _id: id, publicName, lastSeenAt, tokens, blocked } = account;
  return (
    <tr>
      <th scope="row">
        {publicName}
        {blocked === null ? null : (
          <small>
            <Badge tone="danger">Blocked</Badge> {blocked.reason}
          </small>
        )}
      </th>
      <td>{lastSeenAt === null ? 'Not known' : exactText(lastSeenAt)}</td>
      <td>{tokens}</td>
      <td>
        <div className={`buttons ${styles['acts']}`}>
          {blocked === null ? (
            <BlockButton id={id} publicName={publicName} />
          ) : (
            <ReasonButton
              action="Unblock"
              what={publicName}
              explanation="The account may share again, and what was public when it was blocked is public again."
              done={`${publicName} may share again`}
              run={(reason) => moderate.unblock(id, reason)}
            />
          )}
          {tokens === 0 ? null : (
            <ReasonButton
              action="Revoke tokens"
              what={`of ${publicName}`}
              danger
              explanation="Every publishing token of the account is deleted. Programs that use one are refused."
              done={`The tokens of ${publicName} were revoked`}
              run={(reason) => moderate.revokeTokens(id, reason)}
            />
          )}
        </div>
      </td>
    </tr>
  );
}
