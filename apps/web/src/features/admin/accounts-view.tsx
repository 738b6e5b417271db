import type { ModeratedAccount } from '@wirebench/contract';
import { useState } from 'react';
import { exactText } from '../../shared/dates/dates.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { BlockButton } from './block-button.tsx';
import { ListSearch } from './list-search.tsx';
import styles from './moderation.module.css';
import { moderate, moderationLists } from './moderation-calls.ts';
import { ModerationList } from './moderation-list.tsx';
import { ReasonButton } from './reason-button.tsx';

type State = 'any' | 'blocked';

const states: readonly { readonly value: State; readonly label: string }[] = [
  { value: 'any', label: 'All' },
  { value: 'blocked', label: 'Blocked' },
];

/** All accounts of the server, by name. */
export function AccountsView({ user }: { readonly user: string }) {
  const [state, setState] = useState<State>('any');
  const [q, setQ] = useState('');
  const none = state === 'blocked' ? 'No account is blocked.' : 'No account has signed in yet.';
  return (
    <>
      <ListSearch label="Name or e-mail" onSearch={setQ}>
        <Segmented label="Accounts" options={states} value={state} onChange={setState} />
      </ListSearch>
      <ModerationList
        key={`${state} ${q}`}
        label={state === 'blocked' ? 'Blocked accounts' : 'Accounts'}
        of={[user, 'accounts', state, q]}
        load={(skip, signal) => moderationLists.accounts({ q, state }, skip, signal)}
        hasMore={({ pagination }) => pagination.hasMore}
        heads={['Account', 'Role', 'Last seen', 'Tokens', 'Actions']}
        rows={({ accounts }) => accounts.map((account) => <AccountRow key={account._id} account={account} />)}
        empty={q === '' ? none : 'No account has a name or e-mail address like that.'}
        isByName
        note={({ command }) => <AccountsNote command={command} />}
      />
    </>
  );
}

function AccountsNote({ command }: { readonly command: string | undefined }) {
  return (
    <p className={styles['explanation']}>
      {command === undefined ? (
        'Your identity provider keeps the accounts, their passwords and roles. This list has the accounts that have signed in here.'
      ) : (
        <>
          On the server, <code>{command}</code> makes accounts (<code>add</code>), sets passwords (<code>passwd</code>)
          and roles (<code>role</code>), and disables and enables accounts (<code>disable</code>, <code>enable</code>).
          A disabled account cannot sign in. A blocked account can, and shares nothing.
        </>
      )}
    </p>
  );
}

const roleNames = { user: 'User', admin: 'Administrator' } as const;

function AccountRow({ account }: { readonly account: ModeratedAccount }) {
  const {
    _id: id,
    publicName,
    signInName,
    email,
    isYou = false,
    role,
    isDisabled = false,
    lastSeenAt,
    tokens,
    blocked,
  } = account;
  return (
    <tr>
      <th scope="row">
        {publicName}
        {signInName === undefined && email === undefined ? null : (
          <small>{[signInName === publicName ? undefined : signInName, email].filter(Boolean).join(' · ')}</small>
        )}
        {isYou ? (
          <small>
            <Badge tone="neutral">You</Badge>
          </small>
        ) : null}
        {isDisabled ? (
          <small>
            <Badge tone="warning">Disabled</Badge>
          </small>
        ) : null}
        {blocked === null ? null : (
          <small>
            <Badge tone="danger">Blocked</Badge> {blocked.reason}
          </small>
        )}
      </th>
      <td data-head="Role">{role === undefined ? 'Not known' : roleNames[role]}</td>
      <td data-head="Last seen">{lastSeenAt === null ? 'Not known' : exactText(lastSeenAt)}</td>
      <td data-head="Tokens">{tokens}</td>
      <td>
        <div className={`buttons ${styles['acts']}`}>
          {blocked === null && isYou ? null : blocked === null ? (
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
