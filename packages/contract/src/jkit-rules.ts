/**
 * Rules of JKits (docs/behaviour.md, "JKits"): limits, texts and the check of content. Forms and the server check
 * with the same functions.
 */
import { isRecord, parseJson } from './json.ts';

/** Lengths in UTF-16 code units, sizes in bytes of UTF-8. The limit of JKits per user is in `/config.json`. */
export const jkitLimits = {
  nameMaxLength: 60,
  descriptionMaxLength: 500,
  tags: 10,
  tagMaxLength: 24,
  versionMaxLength: 32,
  contentSize: 64 * 1_024,
  /** Number of messages that the terminal loads from one JKit. */
  messages: 50,
  messageMaxLength: 256,
  /** Name of a message, shown before its content. */
  labelMaxLength: 32,
  /** Number of answers of a message, besides `expect`. */
  answers: 10,
  /** Sentence of the author about the end of a run. */
  sayMaxLength: 120,
  /** Numbers for `{value}`: magnitude, smallest step, characters of the unit, and sendings a second. */
  valueMax: 1_000_000_000,
  valueMinStep: 0.000_001,
  unitMaxLength: 16,
  valuesPerSecond: 50,
  queryMaxLength: 100,
  /** Highest `skip` of a search. */
  searchDepth: 1_000,
  /** Bytes of an answer that lists other people's JKits. In a longer one, the last JKits come without their content. */
  answerSize: 1_024 * 1_024,
  /** Number of JKits that one user may star. */
  stars: 1_000,
  /** Default number of entries in a list. */
  pageSize: 20,
} as const;

/**
 * `uart`: messages for a serial port. `chip`: a device on an I2C or SPI bus. `decoder`: how bytes are cut into frames with
 * named values. The type of a JKit never changes.
 */
export const jkitTypes = ['uart', 'chip', 'decoder'] as const;

/** Sort keys. Dates and ratings are sorted in descending order, names from A to Z. */
export const jkitSorts = ['createdAt', 'updatedAt', 'rating', 'name'] as const;

export type JkitContentFault = 'invalid' | 'noFields' | 'tooLarge';

export const jkitText = {
  signInRequired: 'Please sign in to access jkits',
  nameRequired: 'Please enter a jkit name',
  invalid: 'Invalid jkit format',
  noFields: 'Invalid jkit format - no fields array found',
  tooLarge: 'The content of a JKit cannot exceed 64 KB',
  notFound: 'This JKit does not exist, or it is private.',
  notYours: (publisher: string) => `You can only save your own JKits. This JKit belongs to ${publisher}.`,
  limit: (limit: number) => `All ${limit} jkit slots are in use. Please delete a jkit before saving a new one.`,
  changed: 'This JKit was changed in another tab or on another device while you were editing it.',
  otherType: 'The type of a JKit cannot be changed.',
  yours: "You can only star and rate other people's JKits.",
  starLimit: 'You have starred 1,000 JKits, the maximum. Please unstar one before starring another.',
} as const satisfies Record<JkitContentFault, string> & Record<string, unknown>;

/**
 * Returns the fault of a JKit's content, null for valid content. Valid is a JSON object with a list in `fields`;
 * everything else in it is ignored.
 */
export function checkJkitContent(content: string): JkitContentFault | null {
  if (new TextEncoder().encode(content).length > jkitLimits.contentSize) {
    return 'tooLarge';
  }
  const parsed = parseJson(content);
  if (!isRecord(parsed)) {
    return 'invalid';
  }
  return Array.isArray(parsed['fields']) ? null : 'noFields';
}
