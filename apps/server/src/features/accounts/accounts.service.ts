/**
 * Rules of accounts: every user with an accepted access token has an account, with a public name that replaces the
 * user name.
 */

import { randomBytes } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import { type Account, checkPublicName, normalizePublicName, publicNameText } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import { BoundedMap } from '../../bounded-map.ts';
import type { User } from '../../identity/user.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import {
  type AccountRepository,
  type AccountRow,
  hasNames,
  type SignInNames,
  toAccount,
} from './accounts.repository.ts';

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
  /** Realm role of administrators. */
  readonly adminRole: string;
  /** See `NamedSubject`. */
  readonly subjectsAreNames: boolean;
  /** Called when the last-seen time of an account could not be saved. */
  readonly onFailure: (error: unknown) => void;
}

export type AccountService = ReturnType<typeof accountService>;

/** Public names of users who have not chosen one: the user name if it may be shown, otherwise a neutral name. */

interface NamedSubject {
  readonly subject: string;
  /** The user's name at the identity provider. */
  readonly username: string;
  /** True: the provider's subjects are sign-in names. False: they are generated ids. */
  readonly subjectsAreNames: boolean;
}

/** Identifiers that providers generate: UUIDs, long numbers, hashes. */
const MACHINE_MADE = /^[\da-f]{8}-[\da-f-]{27}$|^\d{8,}$|^[\da-f]{20,}$/i;

/**
 * Returns the user name as a public name. Returns null for an e-mail address, a generated subject, or a name that the
 * rules of public names forbid.
 */
function givenName({ subject, username, subjectsAreNames }: NamedSubject): string | null {
  const isSubject = username === subject && !subjectsAreNames;
  return isSubject || MACHINE_MADE.test(username.trim()) || checkPublicName(username) !== null
    ? null
    : normalizePublicName(username);
}

const namesOf = ({ username, email }: Pick<User, 'username' | 'email'>): SignInNames => ({
  signInName: username,
  email,
});

/** Attempts with names of one length. Then names get longer, because the short ones are running out. */
const SAME_LENGTH = 4;

/**
 * Returns a name such as `Maker 4F2A`. It is random, so that it reveals nothing about the user.
 *
 * @param attempt Number of names that were already taken.
 */
function neutralName(attempt: number): string {
  const bytes = randomBytes(2 + Math.floor(attempt / SAME_LENGTH));
  return `Maker ${bytes.toString('hex').toUpperCase()}`;
}

export function accountService({ accounts, clock, adminRole, subjectsAreNames, onFailure }: AccountServiceOptions) {
  /** Public names by subject. */
  const remembered = new BoundedMap<string, string>({ capacity: MAX_CACHED, clock });
  const writing = new Set<Promise<void>>();
  const at = (moment: number) => new Date(moment).toISOString();
  const isAdmin = ({ roles }: Pick<User, 'roles'>) => roles.includes(adminRole);

  const isFresh = (row: AccountRow, user: User, now: number) =>
    row.last_seen_at !== null &&
    Date.parse(row.last_seen_at) > now - SEEN_RESOLUTION &&
    row.is_admin === Number(isAdmin(user)) &&
    hasNames(row, namesOf(user));

  /** Saves the last-seen time in the background, so that a full disk does not prevent users from deleting. */
  function markSeen(user: User, now: number): void {
    const write = accounts
      .markSeen(user.subject, { at: at(now), isAdmin: isAdmin(user), ...namesOf(user) })
      .catch(onFailure)
      .finally(() => writing.delete(write));
    writing.add(write);
  }

  async function accountOf(
    {
      subject,
      username,
      email,
      roles,
    }: Pick<User, 'subject' | 'username' | 'email'> & { readonly roles: User['roles'] | null },
    now: number,
  ): Promise<AccountRow> {
    const known = await accounts.find(subject);
    if (known !== null) {
      return known;
    }
    const given = givenName({ subject, username, subjectsAreNames });
    for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
      const name = attempt === 0 && given !== null ? given : neutralName(attempt);
      const names = namesOf({ username, email });
      const visit = roles === null ? names : { ...names, at: at(now), isAdmin: isAdmin({ roles }) };
      const row = await accounts.insert(subject, name, at(now), visit);
      if (row !== null) {
        return row;
      }
    }
    throw new Error('No unused neutral name was found');
  }

  return {
    /** Returns the same user under the public name. Call it for each user whose access token was accepted. */
    async receive(user: User): Promise<User> {
      const now = clock.wallTime();
      const publicName = remembered.get(user.subject);
      if (publicName !== undefined) {
        return { ...user, username: publicName };
      }
      const row = await accountOf(user, now).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailableError && error.reason === 'full') {
          return null;
        }
        throw error;
      });
      if (row === null) {
        // A first visit on a full disk. The account is stored at a later call: until then its owner can only read.
        return { ...user, username: givenName({ ...user, subjectsAreNames }) ?? neutralName(0) };
      }
      if (!isFresh(row, user, now)) {
        markSeen(user, now);
      }
      remembered.set(user.subject, row.public_name, clock.now() + REMEMBERED);
      return { ...user, username: row.public_name };
    },

    /** Gives accounts of the server itself a place in the list of accounts before their first sign-in. */
    async list(known: readonly Pick<User, 'subject' | 'username' | 'email'>[]): Promise<void> {
      for (const { subject, username, email } of known) {
        const row = await accountOf({ subject, username, email, roles: null }, clock.wallTime());
        if (!hasNames(row, namesOf({ username, email }))) {
          await accounts.nameSignIn(subject, namesOf({ username, email }));
        }
      }
    },

    get: async (user: User): Promise<Account> => toAccount(await accountOf(user, clock.wallTime())),

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
