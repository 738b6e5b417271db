/**
 * Accounts that may currently sign in at the embedded provider: those that an operator created. If none exist and
 * only this machine reaches the server, the demo accounts may sign in. They are read for every token, so that changes
 * by `npm run accounts` apply at once.
 */
import type { User } from '../user.ts';
import type { Account } from './account.ts';
import { type DemoAccount, demoAccounts } from './demo-accounts.ts';
import type { PersonsSession } from './entry-table.ts';
import type { LocalAccount, LocalAccounts, StoredAccount } from './local-accounts.ts';

export interface AccountsOptions {
  readonly local: LocalAccounts;
  /** The realm role that this deployment requires of administrators. */
  readonly adminRole: string;
  readonly allowsDemo: boolean;
  /** Returns the session of a token's `sid`; null if it has ended. */
  readonly findSession: (uid: string) => PersonsSession | null;
}

/** An account that the server itself keeps. */
export interface OwnAccount extends LocalAccount {
  readonly email: string | null;
  /** True: one of the demo accounts, which have no passwords. */
  readonly isDemo: boolean;
}

/** Everything that the account opened before a moment is to end. */
export interface SignedOutAccount {
  readonly subject: string;
  /** Milliseconds since the Unix epoch; infinite for an account that may not sign in. */
  readonly before: number;
}

export interface Accounts {
  /** Returns the demo accounts; null if users sign in with a name and a password. */
  demo(): readonly DemoAccount[] | null;
  /** Returns the accounts that an operator has created, else the demo accounts while they may sign in. */
  own(): readonly OwnAccount[];
  /** Returns null if there is no such account, or if it is disabled. */
  find(subject: string): Account | null;
  /** Returns true if an operator has disabled the account. False for accounts of other providers. */
  isDisabled(subject: string): boolean;
  /** Returns the accounts that an operator has disabled, removed, or signed out by a new password. */
  signedOut(): readonly SignedOutAccount[];
  /** Returns the account of a session. A session ends when its account gets a new password. */
  ofSession(session: PersonsSession): Account | null;
  /** Returns the user of a token with the account's current roles; null if its session has ended. */
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
    own: () => [
      ...local.list().map(({ subject, username, role, isDisabled }) => ({
        subject,
        username,
        role,
        isDisabled,
        email: null,
        isDemo: false,
      })),
      ...(demo() ?? []).map(({ subject, username, roles, email }) => {
        const role = roles.includes(adminRole) ? ('admin' as const) : ('user' as const);
        return { subject, username, role, isDisabled: false, email, isDemo: true };
      }),
    ],
    find: (subject) => find(subject, Number.POSITIVE_INFINITY),
    isDisabled: (subject) => local.withSubject(subject)?.isDisabled ?? false,
    signedOut: () => [
      ...local.list().flatMap(({ subject, isDisabled, signedOutAt }) => {
        if (isDisabled) {
          return [{ subject, before: Number.POSITIVE_INFINITY }];
        }
        // The time is in whole seconds: the one in which the password was set counts as before.
        return signedOutAt === 0 ? [] : [{ subject, before: (signedOutAt + 1) * 1_000 }];
      }),
      ...(demo() === null ? demos.map(({ subject }) => ({ subject, before: Number.POSITIVE_INFINITY })) : []),
    ],
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
