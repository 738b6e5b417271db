/** Waits in a stream for the first of several answers. A silence decides about an expression that could still grow. */
import type { Clock } from '@wirebench/clock';
import { type AnswerPattern, AnswerRace, type RaceResult } from './answer-race.ts';

/** Silence after which an expression takes what it has, in milliseconds. Longer than the latency timer of bridges. */
const pauseTime = 100;

export class AnswerWatch {
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #race: AnswerRace;
  readonly #found: (result: RaceResult) => void;
  #isOver = false;
  #cancelPause: () => void = () => undefined;

  /**
   * @param found Called once, with the result. Offsets count from the first byte that the watch has taken.
   * @throws RangeError for bytes or a prompt without content.
   * @throws ExpressionError for an expression that cannot be used.
   */
  constructor(clock: Pick<Clock, 'schedule'>, patterns: readonly AnswerPattern[], found: (result: RaceResult) => void) {
    this.#clock = clock;
    this.#race = new AnswerRace(patterns);
    this.#found = found;
  }

  /** Takes the next piece of the stream. Nothing happens after the end of the watch. */
  take(piece: Uint8Array): void {
    if (this.#isOver) {
      return;
    }
    this.#cancelPause();
    if (!this.#endWith(this.#race.take(piece)) && this.#race.isOpen) {
      this.#cancelPause = this.#clock.schedule(pauseTime, () => this.#endWith(this.#race.pause()));
    }
  }

  /** Decides as if nothing followed. Returns true if the bytes so far have a match, which `found` has received. */
  pause(): boolean {
    return !this.#isOver && this.#endWith(this.#race.pause());
  }

  /** Ends the watch without a result. */
  stop(): void {
    this.#isOver = true;
    this.#cancelPause();
  }

  #endWith(result: RaceResult | null): boolean {
    if (result === null) {
      return false;
    }
    this.stop();
    this.#found(result);
    return true;
  }
}
