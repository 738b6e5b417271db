/** Cache of finished answers, each valid for one revision of its item. */
import { BoundedMap } from '../../bounded-map.ts';

interface Entry<Answer> {
  readonly answer: Answer;
  readonly revision: number;
}

export class AnswerCache<Answer> {
  readonly #entries: BoundedMap<string, Entry<Answer>>;

  /**
   * @param capacity UTF-16 code units of all answers together.
   * @param lengthOf Returns the code units of one answer.
   */
  constructor(capacity: number, lengthOf: (answer: Answer) => number) {
    this.#entries = new BoundedMap({ capacity, sizeOf: ({ answer }) => lengthOf(answer) });
  }

  get(key: string, revision: number): Answer | null {
    const entry = this.#entries.get(key);
    return entry?.revision === revision ? entry.answer : null;
  }

  set(key: string, revision: number, answer: Answer): void {
    this.#entries.set(key, { answer, revision });
  }
}
