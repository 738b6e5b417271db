/** The signed-in user as shown on pages. */

export interface UserInfo {
  /** Preferred username, else name. */
  readonly name: string;
  readonly email: string | null;
  /** Address of an image. */
  readonly picture: string | null;
  readonly roles: readonly string[];
}

/**
 * Returns one or two capitals for the avatar: the initials of the first and the last word, or the first two letters
 * of a single word.
 */
export function initials(name: string): string {
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  const [first = '?', ...others] = parts;
  const last = others.at(-1);
  const letters = last === undefined ? [...first].slice(0, 2) : [[...first][0], [...last][0]];
  return letters.join('').toLocaleUpperCase('en');
}
