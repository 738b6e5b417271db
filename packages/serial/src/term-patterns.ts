/** Terms of a query as patterns of bytes and as expressions, without the search for lines: pages need them at once. */
import type { BytePattern } from './byte-pattern.ts';
import { Expression } from './expression/expression.ts';
import { ExpressionError } from './expression/expression-error.ts';
import { SearchQueryError, type SearchTerm } from './line-query.ts';
import { exactPattern, textPattern } from './text-pattern.ts';

/** Returns the bytes that a term searches; null for a regular expression, and for an empty term. */
export function patternOf(term: SearchTerm): BytePattern | null {
  if (term.kind === 'regex') {
    return null;
  }
  return term.kind === 'hex' ? exactPattern(term.bytes) : textPattern(term.text, term.ignoreCase);
}

/**
 * Compiles the expression of a term.
 *
 * @throws SearchQueryError if it cannot be used.
 */
export function expressionOf({ source, ignoreCase, flags = '' }: Extract<SearchTerm, { kind: 'regex' }>): Expression {
  try {
    return new Expression(source, ignoreCase ? `i${flags}` : flags);
  } catch (error) {
    throw error instanceof ExpressionError ? new SearchQueryError(error) : error;
  }
}
