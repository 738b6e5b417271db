/**
 * Rules of the names that people publish under. The form and the server check with the same functions; which names are taken
 * is the server's to say.
 */

/** Lengths in UTF-16 code units, once the name is normalized. */
export const publicNameLimits = { minLength: 2, maxLength: 40 } as const;

export type PublicNameFault = 'empty' | 'tooShort' | 'tooLong' | 'email' | 'characters' | 'mixedScripts' | 'reserved';

export const publicNameText = {
  empty: 'Please enter a public name',
  tooShort: `A public name has at least ${publicNameLimits.minLength} characters`,
  tooLong: `A public name cannot exceed ${publicNameLimits.maxLength} characters`,
  email: 'A public name cannot be an e-mail address',
  characters:
    "A public name begins with a letter or digit and consists of letters, digits, spaces and the characters . _ - '",
  mixedScripts: 'A public name cannot mix letters of alphabets that look alike',
  reserved: 'This name is reserved. Please choose another one.',
  taken: 'Somebody else publishes under this name. Please choose another one.',
} as const satisfies Record<PublicNameFault, string> & Record<string, string>;

/** Compared without spaces and punctuation, so that `Wire-Bench` is one of them too. */
const reserved: readonly string[] = ['wirebench', 'admin'];

/** What the server gives people who have not chosen a name. */
const NEUTRAL = /^maker[\da-f]{4,}$/;

/** Alphabets with letters that look the same; a word in two of them is meant to be mistaken for another. */
const lookAlikeScripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u];

/** As it is kept and shown: compatibility forms replaced (Unicode NFKC), any white space as one space. */
export function normalizePublicName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}

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

/** What is wrong with `name` as the public name of somebody who chooses it; null when nothing is. */
export function checkPublicName(name: string): PublicNameFault | null {
  const normalized = normalizePublicName(name);
  if (normalized === '') {
    return 'empty';
  }
  if (normalized.includes('@')) {
    return 'email';
  }
  if (normalized.length < publicNameLimits.minLength) {
    return 'tooShort';
  }
  if (normalized.length > publicNameLimits.maxLength) {
    return 'tooLong';
  }
  const isPlain =
    /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'-]*$/u.test(normalized) &&
    !/\p{Default_Ignorable_Code_Point}|\p{M}{3}/u.test(normalized);
  if (!isPlain) {
    return 'characters';
  }
  if (lookAlikeScripts.filter((script) => script.test(normalized)).length > 1) {
    return 'mixedScripts';
  }
  const key = publicNameKey(normalized);
  return reserved.includes(key) || NEUTRAL.test(key) ? 'reserved' : null;
}
