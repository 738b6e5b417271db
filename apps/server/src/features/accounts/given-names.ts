/** Public names of people who have not chosen one: the user name where it may be shown, else a neutral one. Knows no storage. */
import { randomBytes } from 'node:crypto';
import { checkPublicName, normalizePublicName } from '@wirebench/contract';

export interface NamedSubject {
  readonly subject: string;
  /** What the identity provider calls the user. */
  readonly username: string;
  /** Whether the provider's subjects are the names that people sign in with, and not numbers of its own. */
  readonly subjectsAreNames: boolean;
}

/** What providers make up: UUIDs, long numbers, hashes. */
const MACHINE_MADE = /^[\da-f]{8}-[\da-f-]{27}$|^\d{8,}$|^[\da-f]{20,}$/i;

/** The user name as a public name; null for an e-mail address, a subject, or a name that nobody could choose. */
export function givenName({ subject, username, subjectsAreNames }: NamedSubject): string | null {
  const isSubject = username === subject && !subjectsAreNames;
  return isSubject || MACHINE_MADE.test(username.trim()) || checkPublicName(username) !== null
    ? null
    : normalizePublicName(username);
}

/** Attempts after which names get longer, because the short ones are about to run out. */
const SAME_LENGTH = 4;

/** `Maker 4F2A`: random, so that it says nothing about anybody. @param attempt how many of them were taken already */
export function neutralName(attempt: number): string {
  const bytes = randomBytes(2 + Math.floor(attempt / SAME_LENGTH));
  return `Maker ${bytes.toString('hex').toUpperCase()}`;
}
