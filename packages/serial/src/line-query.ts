/** Queries for lines: the scope of lines, and the terms that they must contain. */
import type { Comparison } from '@wirebench/frames';
import type { ChannelName } from './channel-name.ts';
import { ExpressionError, type ExpressionFailure } from './expression/expression-error.ts';
import type { PortNumber } from './port-number.ts';
import type { NoticeKind, NoticeLevel, Row } from './timeline-rows.ts';

/** Scope of a query. An omitted member includes all lines. */
export interface LineScope {
  readonly channels?: readonly ChannelName[];
  /** Lines of these ports. A notice counts for the port that it concerns. */
  readonly ports?: readonly PortNumber[];
  readonly directions?: readonly Row['direction'][];
  /**
   * Lines of these levels: notices of the bench, and log lines of a board in a known form (`log-prefix.ts`). Other
   * lines have no level and are excluded.
   */
  readonly levels?: readonly NoticeLevel[];
  /** Notices of this kind alone. */
  readonly noticeKind?: NoticeKind;
}

export type SearchTerm =
  | {
      readonly kind: 'text';
      /** Text to find in UTF-8 within one line, in its spellings (`text-pattern.ts`). Empty text is found nowhere. */
      readonly text: string;
      /** True: ignore the case of letters, as an expression with the flags `iu` does. */
      readonly ignoreCase: boolean;
      /** Lines that a decoder has cut are also found by this comparison over their fields. */
      readonly comparison?: Comparison;
    }
  | {
      readonly kind: 'hex';
      /** Bytes to find in received data, also across lines. A match counts for the line in which it begins. */
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: 'regex';
      /**
       * JavaScript expression without lookaround and backreferences (see `expression/README.md`). It is tested on the
       * text of each line without ending and colours, on its first 256 KiB. An empty one is found nowhere.
       */
      readonly source: string;
      readonly ignoreCase: boolean;
      /** Any of `s` and `u`. Default: no flags. */
      readonly flags?: string;
    };

/** A query with one term. */
export type SearchQuery = LineScope & SearchTerm;

/** A query for the lines that satisfy every term; without terms, all lines of the scope. */
export interface LineQuery extends LineScope {
  readonly terms: readonly LineTerm[];
}

/** @property not True: the line must not contain the term. */
export type LineTerm = SearchTerm & { readonly not?: boolean };

/** The regular expression cannot be used. */
export class SearchQueryError extends Error {
  /**
   * `invalid` comes with the browser's message. The others are valid in JavaScript but cannot be matched in linear
   * time.
   */
  readonly code: ExpressionFailure;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'Invalid regular expression', { cause });
    this.name = 'SearchQueryError';
    this.code = cause instanceof ExpressionError ? cause.code : 'invalid';
  }
}

/** Converts both forms of a query to one with a list of terms. */
export function linesWith(query: SearchQuery | LineQuery): LineQuery {
  return 'terms' in query ? query : { ...query, terms: [query] };
}
