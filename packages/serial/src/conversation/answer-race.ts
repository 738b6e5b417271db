/**
 * Decides which of several answers comes first in a stream. The result depends on the bytes alone, not on how they are
 * cut: it is the answer that is known after the fewest bytes, the first of the list among equals. An expression then
 * takes as much as it can.
 */
import { AnswerWait } from '../answer-wait.ts';
import { NUL } from '../control-sequences.ts';
import { namesNul, StreamExpression, type StreamMatch } from '../expression/stream-expression.ts';
import { PromptWait } from '../prompt-wait.ts';

export type AnswerPattern =
  /**
   * At least one byte, compared exactly.
   *
   * @property isHex True: the bytes were given in hex, so that a NUL between them counts. Else it counts only if the bytes have one.
   */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly isHex?: boolean }
  /** Source as in JavaScript, and any of the flags `i`, `s` and `u`. See `expression/stream-expression.ts`. */
  | { readonly kind: 'expression'; readonly source: string; readonly flags: string }
  /** Prompt of the board as it is on the screen, such as `gw>`. It takes all bytes that came with it. */
  | { readonly kind: 'prompt'; readonly prompt: string };

/** Returns true if a NUL in the stream counts for a pattern. */
export function countsNul(pattern: AnswerPattern): boolean {
  return pattern.kind === 'bytes'
    ? pattern.isHex === true || pattern.bytes.includes(NUL)
    : pattern.kind === 'expression' && namesNul(pattern.source);
}

export interface RaceResult extends StreamMatch {
  /** Index of the pattern. */
  readonly answer: number;
  /** Names of the capture groups by number; null for a group without one. */
  readonly names: readonly (string | null)[];
}

interface Runner {
  /** Takes the bytes from `from` up to `to`. Returns the offset behind the first match, or -1. */
  take(bytes: Uint8Array, from: number, to: number): number;
  pause(): boolean;
  readonly isOpen: boolean;
  readonly isFinal: boolean;
  readonly match: StreamMatch | null;
  readonly names: readonly (string | null)[];
}

export class AnswerRace {
  readonly #runners: readonly Runner[];
  #winner: number | null = null;

  /**
   * @throws RangeError for bytes or a prompt without content.
   * @throws ExpressionError for an expression that cannot be used.
   */
  constructor(patterns: readonly AnswerPattern[]) {
    this.#runners = patterns.map(runnerOf);
  }

  /** True: a pause decides something. */
  get isOpen(): boolean {
    return this.#runners.some(({ isOpen }) => isOpen);
  }

  /** Takes the next piece of the stream. Returns the result once no further byte changes it, else null. */
  take(bytes: Uint8Array): RaceResult | null {
    let from = 0;
    if (this.#winner === null) {
      let best = -1;
      for (const [index, runner] of this.#runners.entries()) {
        const end = runner.take(bytes, 0, best === -1 ? bytes.length : best - 1);
        if (end !== -1) {
          best = end;
          this.#winner = index;
        }
      }
      from = best;
    }
    const winner = this.#winner === null ? undefined : this.#runners[this.#winner];
    if (winner !== undefined && !winner.isFinal) {
      winner.take(bytes, from, bytes.length);
    }
    return winner?.isFinal ? this.#result(winner) : null;
  }

  /** Ends the race as if nothing followed. Returns the match that is there, or null. */
  pause(): RaceResult | null {
    if (this.#winner !== null) {
      const winner = this.#runners[this.#winner];
      return winner?.pause() ? this.#result(winner) : null;
    }
    const index = this.#runners.findIndex((runner) => runner.pause());
    const found = this.#runners[index];
    if (found === undefined) {
      return null;
    }
    this.#winner = index;
    return this.#result(found);
  }

  #result({ match, names }: Runner): RaceResult | null {
    return match === null ? null : { ...match, answer: this.#winner ?? 0, names };
  }
}

function runnerOf(pattern: AnswerPattern): Runner {
  switch (pattern.kind) {
    case 'bytes':
      return textRunner(new AnswerWait(pattern.bytes, !countsNul(pattern)));
    case 'prompt':
      return textRunner(new PromptWait(pattern));
    case 'expression':
      return expressionRunner(pattern);
  }
}

function textRunner(wait: AnswerWait | PromptWait): Runner {
  let taken = 0;
  let match: StreamMatch | null = null;
  return {
    take: (piece, from, to) => {
      const end = wait.take(piece.subarray(from, to));
      if (end === -1) {
        taken += to - from;
        return -1;
      }
      const span = { start: wait.start, end: taken + end };
      match = { ...span, groups: [span] };
      return from + end;
    },
    pause: () => false,
    isOpen: false,
    get isFinal() {
      return match !== null;
    },
    get match() {
      return match;
    },
    names: [],
  };
}

function expressionRunner({ source, flags }: Extract<AnswerPattern, { kind: 'expression' }>): Runner {
  const expression = new StreamExpression(source, flags);
  return {
    take: (piece, from, to) => expression.take(piece, from, to),
    pause: () => expression.pause(),
    get isOpen() {
      return expression.isOpen;
    },
    get isFinal() {
      return expression.isFinal;
    },
    get match() {
      return expression.found;
    },
    names: expression.groupNames,
  };
}
