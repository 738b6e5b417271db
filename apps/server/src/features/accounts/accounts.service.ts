/** Rules of accounts: everybody whose access token is accepted has one, with a public name in place of the user name. */
import type { Clock } from '@wirebench/clock';
import { type Account, publicNameText } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import { type AccountRepository, type AccountRow, toAccount } from './accounts.repository.ts';
import { givenName, neutralName } from './given-names.ts';

/** Milliseconds for which a public name is not looked up again; another process may have changed it. */
const REMEMBERED = 60_000;

/** Milliseconds for which an account counts as seen: one write an hour and not one a call. */
const SEEN_RESOLUTION = 3_600_000;

/** Accounts that are remembered; the ones that were looked up first go first. */
const MOST = 5_000;

const NAME_ATTEMPTS = 40;

export interface AccountServiceOptions {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
  /** See `NamedSubject`. */
  readonly subjectsAreNames: boolean;
  /** Called when it could not be written that an account was seen. */
  readonly onFailure: (error: unknown) => void;
}

export type AccountService = ReturnType<typeof accountService>;

export function accountService({ accounts, clock, subjectsAreNames, onFailure }: AccountServiceOptions) {
  const remembered = new Map<string, { readonly publicName: string; readonly until: number }>();
  const writing = new Set<Promise<void>>();
  const at = (moment: number) => new Date(moment).toISOString();

  const isFresh = ({ last_seen_at: seen }: AccountRow, now: number) =>
    seen !== null && Date.parse(seen) > now - SEEN_RESOLUTION;

  /** Nobody waits for it: a disk that is full keeps nobody from deleting. */
  function markSeen(subject: string, now: number): void {
    const write = accounts
      .markSeen(subject, at(now))
      .catch(onFailure)
      .finally(() => writing.delete(write));
    writing.add(write);
  }

  async function accountOf({ subject, username }: User, now: number): Promise<AccountRow> {
    const known = await accounts.find(subject);
    if (known !== null) {
      return known;
    }
    const given = givenName({ subject, username, subjectsAreNames });
    for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
      const name = attempt === 0 && given !== null ? given : neutralName(attempt);
      const row = await accounts.insert(subject, name, at(now));
      if (row !== null) {
        return row;
      }
    }
    throw new Error('No neutral name is free');
  }

  return {
    /** To be called with whoever's access token was accepted: the same user under the public name. */
    async receive(user: User): Promise<User> {
      const now = clock.now();
      const entry = remembered.get(user.subject);
      if (entry !== undefined && now < entry.until) {
        return { ...user, username: entry.publicName };
      }
      const row = await accountOf(user, now);
      if (!isFresh(row, now)) {
        markSeen(user.subject, now);
      }
      remembered.delete(user.subject);
      remembered.set(user.subject, { publicName: row.public_name, until: now + REMEMBERED });
      if (remembered.size > MOST) {
        const [first = ''] = remembered.keys();
        remembered.delete(first);
      }
      return { ...user, username: row.public_name };
    },

    get: async (user: User): Promise<Account> => toAccount(await accountOf(user, clock.now())),

    /** With effect on everything that the account publishes. */
    async rename({ subject }: User, publicName: string): Promise<Account> {
      const account = await accounts.rename(subject, publicName);
      if (account === null) {
        throw new ApiError('public-name-taken', { message: publicNameText.taken });
      }
      remembered.delete(subject);
      return account;
    },

    /** Waits for what is being written. */
    [Symbol.asyncDispose]: async () => {
      await Promise.all(writing);
    },
  };
}
