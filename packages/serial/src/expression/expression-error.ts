/**
 * Reason why an expression cannot be used. `invalid`: the browser's message says what is wrong. The others are valid
 * in JavaScript, but not here.
 */
export type ExpressionFailure = 'invalid' | 'lookaround' | 'backreference' | 'modifiers' | 'too-large';

/** Texts by failure. `{detail}` is the browser's message. */
const expressionFailureText = {
  invalid: '{detail}',
  lookaround: 'Lookahead and lookbehind are not supported here. To leave lines out, use not: in the filter.',
  backreference: 'Backreferences such as \\1 are not supported here.',
  modifiers: 'Modifiers inside the expression are not supported here. Write them after the last slash.',
  'too-large': 'This expression is too large. Use smaller counts or fewer alternatives.',
} satisfies Record<ExpressionFailure, string>;

export class ExpressionError extends Error {
  readonly code: ExpressionFailure;

  /** @param cause Error of the browser, for `invalid`. */
  constructor(code: ExpressionFailure, cause?: unknown) {
    const detail = cause instanceof Error ? cause.message : 'Invalid regular expression';
    super(
      expressionFailureText[code].replace('{detail}', () => detail),
      { cause },
    );
    this.name = 'ExpressionError';
    this.code = code;
  }
}
