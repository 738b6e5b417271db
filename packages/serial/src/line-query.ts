/** What is asked for when lines are looked for: which lines count, and what has to stand in them. */
import type { ChannelName } from './channel-name.ts';
import { ExpressionError, type ExpressionFailure } from './expression/expression-error.ts';
import type { PortNumber } from './port-settings.ts';
import type { NoticeLevel, Row } from './timeline-rows.ts';

/** Which lines count; all of them where nothing is said. */
export interface LineScope {
  readonly channels?: readonly ChannelName[];
  /** Of these ports; what the bench says counts for the port that it is about. */
  readonly ports?: readonly PortNumber[];
  readonly directions?: readonly Row['direction'][];
  /**
   * Of these levels: what the bench says, and what a board says in the form of ESP-IDF's log, `E (123) tag: …`. Nothing
   * else has a level, and so does not count then.
   */
  readonly levels?: readonly NoticeLevel[];
}

export type SearchTerm =
  | {
      readonly kind: 'text';
      /** Looked for in UTF-8 within one line, as the bytes came; an empty one is found nowhere. */
      readonly text: string;
      /** Of the 26 letters of ASCII. */
      readonly ignoreCase: boolean;
    }
  | {
      readonly kind: 'hex';
      /** Looked for in what was received whatever lines it falls in; it counts for the line where it begins. */
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: 'regex';
      /**
       * Of JavaScript, without lookaround and backreferences (see `expression/README.md`); tried on the text of each line
       * without its ending and its colours, of the first 256 KiB of it. An empty one is found nowhere.
       */
      readonly source: string;
      readonly ignoreCase: boolean;
      /** Of `s` and `u`; none unless told. */
      readonly flags?: string;
    };

/** One thing looked for. */
export type SearchQuery = LineScope & SearchTerm;

/** The lines that have every one of the terms, or all that count where there are none. */
export interface LineQuery extends LineScope {
  readonly terms: readonly LineTerm[];
}

/** @property not true: it must not stand in the line. */
export type LineTerm = SearchTerm & { readonly not?: boolean };

/** The regular expression cannot be used. */
export class SearchQueryError extends Error {
  /** `invalid` with the browser's message; the others are valid for JavaScript, but cannot be matched in linear time. */
  readonly code: ExpressionFailure;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'Invalid regular expression', { cause });
    this.name = 'SearchQueryError';
    this.code = cause instanceof ExpressionError ? cause.code : 'invalid';
  }
}

/** The terms and the scope apart, whichever way they were given. */
export function linesWith(query: SearchQuery | LineQuery): LineQuery {
  return 'terms' in query ? query : { ...query, terms: [query] };
}
