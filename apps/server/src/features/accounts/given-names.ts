/** Public names of users who have not chosen one: the user name if it may be shown, otherwise a neutral name. */
import { randomBytes } from 'node:crypto';
import { checkPublicName, normalizePublicName } from '@wirebench/contract';

export interface NamedSubject {
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
export function givenName({ subject, username, subjectsAreNames }: NamedSubject): string | null {
  const isSubject = username === subject && !subjectsAreNames;
  return isSubject || MACHINE_MADE.test(username.trim()) || checkPublicName(username) !== null
    ? null
    : normalizePublicName(username);
}

/** Attempts with names of one length. Then names get longer, because the short ones are running out. */
const SAME_LENGTH = 4;

/**
 * Returns a name such as `Maker 4F2A`. It is random, so that it reveals nothing about the user.
 *
 * @param attempt Number of names that were already taken.
 */
export function neutralName(attempt: number): string {
  const bytes = randomBytes(2 + Math.floor(attempt / SAME_LENGTH));
  return `Maker ${bytes.toString('hex').toUpperCase()}`;
}
