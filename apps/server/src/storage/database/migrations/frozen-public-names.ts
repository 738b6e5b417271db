/**
 * Rules for the public names that the accounts step assigned. It is a copy of the product's code at its release and,
 * like the step, is never changed.
 */
import { randomBytes } from 'node:crypto';

/** Lengths of the normalized name, in UTF-16 code units. */
const SHORTEST = 2;
const LONGEST = 40;

const RESERVED: readonly string[] = ['wirebench', 'admin'];
const NEUTRAL = /^maker[\da-f]{4,}$/;

/** Identifiers that providers generate: UUIDs, long numbers, hashes. */
const MACHINE_MADE = /^[\da-f]{8}-[\da-f-]{27}$|^\d{8,}$|^[\da-f]{20,}$/i;

/** Alphabets with similar letters. A word in two of them is meant to be confused with another. */
const LOOK_ALIKE_SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u];

/** Attempts with neutral names of one length. Then names get longer, because the short ones are running out. */
const SAME_LENGTH = 4;

/** Returns the key by which names are compared: only letters and digits, without case. */
export function publicNameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/**
 * Returns the user name as a public name. Returns null for an e-mail address, a subject, or a name that the rules
 * forbid.
 */
export function givenName(subject: string, username: string): string | null {
  const normalized = username.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
  const isAllowed = username !== subject && !MACHINE_MADE.test(username.trim()) && isPublicName(normalized);
  return isAllowed ? normalized : null;
}

function isPublicName(normalized: string): boolean {
  const key = publicNameKey(normalized);
  return (
    normalized.length >= SHORTEST &&
    normalized.length <= LONGEST &&
    /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'-]*$/u.test(normalized) &&
    !/\p{Default_Ignorable_Code_Point}|\p{M}{3}/u.test(normalized) &&
    LOOK_ALIKE_SCRIPTS.filter((script) => script.test(normalized)).length <= 1 &&
    !RESERVED.includes(key) &&
    !NEUTRAL.test(key)
  );
}

/**
 * Returns a name such as `Maker 4F2A`. It is random, so that it reveals nothing about the user.
 *
 * @param attempt Number of names that were already taken.
 */
export function neutralName(attempt: number): string {
  const bytes = randomBytes(2 + Math.floor(attempt / SAME_LENGTH));
  return `Maker ${bytes.toString('hex').toUpperCase()}`;
}
