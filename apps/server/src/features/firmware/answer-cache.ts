/** Cache of finished answers, each valid for one revision of its item. The least recently used are removed first. */

interface Entry<Answer> {
  readonly answer: Answer;
  readonly revision: number;
  readonly length: number;
}

export class AnswerCache<Answer> {
  readonly #capacity: number;
  readonly #lengthOf: (answer: Answer) => number;
  readonly #entries = new Map<string, Entry<Answer>>();
  #length = 0;

  /**
   * @param capacity UTF-16 code units of all answers together.
   * @param lengthOf Returns the code units of one answer.
   */
  constructor(capacity: number, lengthOf: (answer: Answer) => number) {
    this.#capacity = capacity;
    this.#lengthOf = lengthOf;
  }

  get(key: string, revision: number): Answer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.revision !== revision) {
      return null;
    }
    // Reinserted, because the order of the map is the order of use.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.answer;
  }

  set(key: string, revision: number, answer: Answer): void {
    this.#remove(key);
    const length = this.#lengthOf(answer);
    this.#entries.set(key, { answer, revision, length });
    this.#length += length;
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= this.#capacity) {
        break;
      }
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#length -= this.#entries.get(key)?.length ?? 0;
    this.#entries.delete(key);
  }
}
