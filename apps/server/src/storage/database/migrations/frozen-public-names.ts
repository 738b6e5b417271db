/**
 * Which user names the step to accounts took over as public names, and what it gave instead. A copy of what the product had when
 * the step was released: like the step itself it is never changed.
 */
import { randomBytes } from 'node:crypto';

/** Lengths in UTF-16 code units, once the name is normalized. */
const SHORTEST = 2;
const LONGEST = 40;

const RESERVED: readonly string[] = ['wirebench', 'admin'];
const NEUTRAL = /^maker[\da-f]{4,}$/;

/** What providers make up: UUIDs, long numbers, hashes. */
const MACHINE_MADE = /^[\da-f]{8}-[\da-f-]{27}$|^\d{8,}$|^[\da-f]{20,}$/i;

/** Alphabets with letters that look the same; a word in two of them is meant to be mistaken for another. */
const LOOK_ALIKE_SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u];

/** Attempts after which neutral names get longer, because the short ones are about to run out. */
const SAME_LENGTH = 4;

/** What two names are compared by: only letters and digits count, in any case. */
export function publicNameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/** The user name as a public name; null for an e-mail address, a subject, or a name that nobody could choose. */
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

/** `Maker 4F2A`: random, so that it says nothing about anybody. @param attempt how many of them were taken already */
export function neutralName(attempt: number): string {
  const bytes = randomBytes(2 + Math.floor(attempt / SAME_LENGTH));
  return `Maker ${bytes.toString('hex').toUpperCase()}`;
}
