/**
 * Rules of accounts: every user with an accepted access token has an account, with a public name that replaces the
 * user name.
 */
import type { Clock } from '@wirebench/clock';
import { type Account, publicNameText } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import { BoundedMap } from '../../bounded-map.ts';
import type { User } from '../../identity/user.ts';
import { type AccountRepository, type AccountRow, toAccount } from './accounts.repository.ts';
import { givenName, neutralName } from './given-names.ts';

/** Milliseconds that a public name is cached; another process may change it. */
const REMEMBERED = 60_000;

/** Milliseconds for which an account counts as just seen: one write per hour instead of one per call. */
const SEEN_RESOLUTION = 3_600_000;

/** Maximum number of cached public names. */
const MAX_CACHED = 5_000;

const NAME_ATTEMPTS = 40;

export interface AccountServiceOptions {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
  /** See `NamedSubject`. */
  readonly subjectsAreNames: boolean;
  /** Called when the last-seen time of an account could not be saved. */
  readonly onFailure: (error: unknown) => void;
}

export type AccountService = ReturnType<typeof accountService>;

export function accountService({ accounts, clock, subjectsAreNames, onFailure }: AccountServiceOptions) {
  /** Public names by subject. */
  const remembered = new BoundedMap<string, string>({ capacity: MAX_CACHED, clock });
  const writing = new Set<Promise<void>>();
  const at = (moment: number) => new Date(moment).toISOString();

  const isFresh = ({ last_seen_at: seen }: AccountRow, now: number) =>
    seen !== null && Date.parse(seen) > now - SEEN_RESOLUTION;

  /** Saves the last-seen time in the background, so that a full disk does not prevent users from deleting. */
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
    throw new Error('No unused neutral name was found');
  }

  return {
    /** Returns the same user under the public name. Call it for each user whose access token was accepted. */
    async receive(user: User): Promise<User> {
      const now = clock.now();
      const publicName = remembered.get(user.subject);
      if (publicName !== undefined) {
        return { ...user, username: publicName };
      }
      const row = await accountOf(user, now);
      if (!isFresh(row, now)) {
        markSeen(user.subject, now);
      }
      remembered.set(user.subject, row.public_name, now + REMEMBERED);
      return { ...user, username: row.public_name };
    },

    get: async (user: User): Promise<Account> => toAccount(await accountOf(user, clock.now())),

    /** Renames the account and everything that it publishes. */
    async rename({ subject }: User, publicName: string): Promise<Account> {
      const account = await accounts.rename(subject, publicName);
      if (account === null) {
        throw new ApiError('public-name-taken', { message: publicNameText.taken });
      }
      remembered.delete(subject);
      return account;
    },

    /** Waits for pending writes. */
    [Symbol.asyncDispose]: async () => {
      await Promise.all(writing);
    },
  };
}
