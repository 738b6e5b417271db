/**
 * Who may sign in at the embedded provider at the moment: the accounts that an operator made, or, while there are none and only this machine
 * reaches the server, the demo accounts. Asked for every token, so that what `npm run accounts` changes holds at once.
 */
import type { User } from '../user.ts';
import type { Account } from './account.ts';
import { type DemoAccount, demoAccounts } from './demo-accounts.ts';
import type { PersonsSession } from './entry-table.ts';
import type { LocalAccounts, StoredAccount } from './local-accounts.ts';

export interface AccountsOptions {
  readonly local: LocalAccounts;
  /** The realm role that this deployment asks of an administrator. */
  readonly adminRole: string;
  readonly allowsDemo: boolean;
  /** The session of a token's `sid`; null when it has ended. */
  readonly findSession: (uid: string) => PersonsSession | null;
}

export interface Accounts {
  /** The demo accounts; null where people sign in with a name and a password. */
  demo(): readonly DemoAccount[] | null;
  /** Null when there is no such account, or it may not be used any more. */
  find(subject: string): Account | null;
  /** Whether an operator has disabled the account. False for accounts that this server does not keep. */
  isDisabled(subject: string): boolean;
  /** The account of a session, which ends when its account gets another password. */
  ofSession(session: PersonsSession): Account | null;
  /** The user of a token as the account is now; null when its session has ended. */
  userNow(user: User, sessionUid: unknown): User | null;
}

export function accountsOf({ local, adminRole, allowsDemo, findSession }: AccountsOptions): Accounts {
  const demos = demoAccounts(adminRole);
  const demo = () => (allowsDemo && !local.exist() ? demos : null);
  const find = (subject: string, signedInAt: number): Account | null => {
    const account = local.withSubject(subject);
    if (account !== null) {
      return account.isDisabled || signedInAt < account.signedOutAt ? null : accountOf(account, adminRole);
    }
    return demo()?.find((candidate) => candidate.subject === subject) ?? null;
  };
  const ofSession = ({ subject, signedInAt }: PersonsSession) => find(subject, signedInAt);
  return {
    demo,
    find: (subject) => find(subject, Number.POSITIVE_INFINITY),
    isDisabled: (subject) => local.withSubject(subject)?.isDisabled ?? false,
    ofSession,
    userNow: (user, sessionUid) => {
      const session = typeof sessionUid === 'string' ? findSession(sessionUid) : null;
      const account = session?.subject === user.subject ? ofSession(session) : null;
      return account && { ...user, roles: account.roles };
    },
  };
}

function accountOf({ subject, username, role }: StoredAccount, adminRole: string): Account {
  return { subject, username, name: null, email: null, roles: role === 'admin' ? ['user', adminRole] : ['user'] };
}
