/** Answers of a run as expressions. */
import { readLiteral } from '../expression/read-literal.ts';
import { StreamExpression } from '../expression/stream-expression.ts';
import type { AnswerPattern } from './answer-race.ts';

export type ExpressionPattern = Extract<AnswerPattern, { kind: 'expression' }>;

/** Parses a text that is `/source/flags`; null if it is not written like this. */
export function parseExpressionLiteral(text: string): ExpressionPattern | null {
  const read = readLiteral(text, 0);
  return read === null || read.flags === null || read.end < text.length
    ? null
    : { kind: 'expression', source: read.source, flags: read.flags };
}

/** Returns the reason why an expression cannot be used, or null. */
export function expressionFault({ source, flags }: ExpressionPattern): string | null {
  try {
    return new StreamExpression(source, flags) && null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the names of the capture groups of a valid expression by number, from 1; null for one without a name. */
export function groupNamesOf({ source, flags }: ExpressionPattern): readonly (string | null)[] {
  return new StreamExpression(source, flags).groupNames;
}
