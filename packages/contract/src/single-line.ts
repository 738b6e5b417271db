/** The rule for every text that is shown in one line: names, versions, file names, tags, causes, senders. */

/**
 * Characters that a reader cannot see, that change how their neighbours are read, or that end a line: control
 * characters, line and paragraph separators, marks, overrides and isolates of the writing direction, spaces of no
 * width, invisible operators, interlinear annotations and tags.
 */
const deceiving =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|[\u180b-\u180d]|\u180f/u;

/**
 * The two joiners where they join nothing. Between letters of Arabic and Indic scripts and between emoji they are part
 * of the spelling.
 */
const looseJoiner =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*[\u200c\u200d]|[\u200c\u200d][\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

export type SingleLineFault = 'control' | 'invisible' | 'long';

/**
 * Returns the text as it is stored: without white space around it. Lone surrogates are replaced by U+FFFD, as in UTF-8.
 */
export function normalizeLine(text: string): string {
  return text.toWellFormed().trim();
}

/**
 * Returns the first fault of a text as one line; null for a valid one.
 *
 * @param line Result of `normalizeLine`.
 * @param maxLength In UTF-16 code units. Unicode's composed form (NFC), in which other programs may write it, must not be
 *   longer either.
 */
export function singleLineFault(line: string, maxLength: number): SingleLineFault | null {
  if (line.length > maxLength || line.normalize('NFC').length > maxLength) {
    return 'long';
  }
  if (/\p{Cc}/u.test(line)) {
    return 'control';
  }
  return deceiving.test(line) || looseJoiner.test(line) ? 'invisible' : null;
}

/** Returns the sentence about a fault. `name` begins it: `Project name`. */
export function singleLineText(name: string, fault: SingleLineFault, maxLength: number): string {
  switch (fault) {
    case 'control':
      return `${name} cannot contain control characters`;
    case 'invisible':
      return `${name} cannot contain characters that are invisible or change the direction of text`;
    case 'long':
      return `${name} cannot exceed ${maxLength} characters`;
  }
}

const everyDeceiving = new RegExp(`(?:${deceiving.source}|${looseJoiner.source})+`, 'gu');

/** Returns a text of any origin as one valid line, with a space for each run of characters that it must not have. */
export function readableLine(text: string): string {
  // Twice, because what a removed joiner stood between may be deceiving in turn.
  const once = normalizeLine(text).replaceAll(everyDeceiving, ' ');
  return normalizeLine(once.replaceAll(everyDeceiving, ' '));
}
