/** Expressions as people write them: `/source/flags`. */
import { StreamExpression } from '../expression/stream-expression.ts';
import type { AnswerPattern } from './answer-race.ts';

export type ExpressionPattern = Extract<AnswerPattern, { kind: 'expression' }>;

/** Parses `/source/flags` with any of the flags g, i, s and u; null if it is not written like this. */
export function parseExpressionLiteral(text: string): ExpressionPattern | null {
  const [, source, flags = ''] = /^\/(.+)\/([gisu]*)$/s.exec(text) ?? [];
  // The flag `g` has no effect here, but people type it by habit.
  return source === undefined || new Set(flags).size < flags.length
    ? null
    : { kind: 'expression', source, flags: flags.replace('g', '') };
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
