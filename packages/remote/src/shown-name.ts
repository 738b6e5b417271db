/** Names that other people give, made fit to be shown: on one line, and without what would change the text around them. */

/**
 * Control characters, those that turn writing around, what has no character, and letters that nobody sees: a name is one line that
 * shows itself.
 */
const unseen = /[\p{C}\u115F\u1160\u2800\u3164\uFFA0]+/gu;
/** Marks that are stacked on one letter, beyond what any writing needs, paint over the lines around them. */
const stacked = /(\p{M}{3})\p{M}+/gu;

/** @param otherwise what is shown when nothing of the name is left */
export function shownName(name: string, otherwise: string): string {
  return name.replace(unseen, '').replace(stacked, '$1').replace(/\s+/g, ' ').trim() || otherwise;
}
