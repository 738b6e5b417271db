/** Sentences about the parts of a file that were not read: the first ones, and how many more there are. */
export class Faults {
  readonly #most: number;
  readonly #parts: string;
  readonly #sentences: string[] = [];
  #count = 0;

  /**
   * @param most Sentences that are kept.
   * @param parts Words for what a sentence is about: `rows`.
   */
  constructor(most: number, parts: string) {
    this.#most = most;
    this.#parts = parts;
  }

  /** @param sentence It is not called for parts that are only counted. */
  add(sentence: () => string): void {
    if (++this.#count <= this.#most) {
      this.#sentences.push(sentence());
    }
  }

  /** At most `most` sentences. */
  get sentences(): readonly string[] {
    if (this.#count <= this.#most) {
      return this.#sentences;
    }
    const named = this.#most - 1;
    return [...this.#sentences.slice(0, named), `${this.#count - named} more ${this.#parts} were not read.`];
  }
}
