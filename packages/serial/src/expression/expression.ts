/** A regular expression that never takes longer than its text is long: see README.md of this folder. */
import { Automaton } from './automaton.ts';
import { Characters } from './characters.ts';
import { ExpressionError } from './expression-error.ts';
import { compileExpression } from './program.ts';
import { type Span, SpanFinder } from './spans.ts';
import { parseExpression } from './syntax.ts';

export class Expression {
  readonly #automaton: Automaton;
  readonly #spans: SpanFinder;

  /**
   * @param source as JavaScript has it. @param flags of `i`, `s` and `u`.
   * Throws an `ExpressionError` when it is not valid, or is more than can be matched in linear time.
   */
  constructor(source: string, flags: string) {
    checkValid(source, flags);
    const unicode = flags.includes('u');
    const program = compileExpression(parseExpression(source, unicode));
    const characters = new Characters(program.atoms, flags);
    this.#automaton = new Automaton(program, characters, unicode);
    this.#spans = new SpanFinder(program, characters, unicode);
  }

  /** Whether the line in `bytes` from `from` up to `to` has a match, colours left out; its line ending must not be in it. */
  test(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#automaton.test(bytes, from, to);
  }

  /** Where its matches stand in `text`, without those of no character; the first `most` of them. */
  spans(text: string, most: number): Span[] {
    return this.#spans.find(text, most);
  }
}

function checkValid(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new ExpressionError('invalid', error);
  }
}
