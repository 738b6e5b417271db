/** A regular expression whose run time is linear in its text. See README.md of this folder. */
import { Automaton } from './automaton.ts';
import { Characters } from './characters.ts';
import { ExpressionError } from './expression-error.ts';
import { compileExpression, type Program } from './program.ts';
import { mayMatch } from './reach.ts';
import { type Span, SpanFinder } from './spans.ts';
import { parseExpression } from './syntax.ts';

export class Expression {
  readonly #automaton: Automaton;
  readonly #spans: SpanFinder;
  readonly #program: Program;
  readonly #flags: string;

  /**
   * @param source Source as in JavaScript.
   * @param flags Any of `i`, `s` and `u`.
   * @throws ExpressionError if the source is invalid, or cannot be matched in linear time.
   */
  constructor(source: string, flags: string) {
    checkValid(source, flags);
    const unicode = flags.includes('u');
    const program = compileExpression(parseExpression(source, unicode));
    const characters = new Characters(program.atoms, flags);
    this.#program = program;
    this.#flags = flags;
    this.#automaton = new Automaton(program, characters, unicode);
    this.#spans = new SpanFinder(program, characters, unicode);
  }

  /**
   * Returns true if the line in `bytes` from `from` up to `to` has a match. Colours are skipped. The range must not
   * include the line ending.
   */
  test(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#automaton.test(bytes, from, to);
  }

  /** False: no line matches, whatever it contains. */
  get mayMatch(): boolean {
    return mayMatch(this.#program, this.#flags);
  }

  /** Returns the first `most` matches in `text`, without empty ones. */
  spans(text: string, most: number): Span[] {
    return this.#spans.find(text, most);
  }
}

/** @throws ExpressionError if JavaScript refuses the source. */
export function checkValid(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new ExpressionError('invalid', error);
  }
}
