/**
 * Rules of the names that people publish under. The form and the server check with the same functions. Only the
 * server knows which names are taken.
 */

/** Lengths of a normalized name, in UTF-16 code units. */
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

/** Compared by `publicNameKey`, so that `Wire-Bench` is reserved too. */
const reserved: readonly string[] = ['wirebench', 'admin'];

/** Form of the names that the server assigns to people who have not chosen one. */
const NEUTRAL = /^maker[\da-f]{4,}$/;

/**
 * Scripts with letters that look the same. A name that mixes two of them is refused, because it may imitate another
 * name.
 */
const lookAlikeScripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u];

/**
 * Returns the name as it is stored and shown: compatibility forms replaced (Unicode NFKC), and each run of white
 * space as one space.
 */
export function normalizePublicName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}

/** Returns the key that two names are compared by: letters and digits only, without case. */
export function publicNameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/** Returns the first fault of `name` as a public name that a person chooses; null for a valid name. */
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
