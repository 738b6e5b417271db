/** Makes other people's names safe to show: one line, without characters that change the text around them. */

/**
 * Control characters, characters that reverse the writing direction, unassigned code points, and invisible letters.
 * The shown name must be the whole name.
 */
const unseen = /[\p{C}\u115F\u1160\u2800\u3164\uFFA0]+/gu;
/**
 * More than three marks stacked on one letter. No writing system needs more, and they paint over the lines around
 * them.
 */
const stacked = /(\p{M}{3})\p{M}+/gu;

/**
 * Cleans a name for display.
 *
 * @param otherwise Text to show if nothing of the name is left.
 */
export function shownName(name: string, otherwise: string): string {
  return name.replace(unseen, '').replace(stacked, '$1').replace(/\s+/g, ' ').trim() || otherwise;
}
