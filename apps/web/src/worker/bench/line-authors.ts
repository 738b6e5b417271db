/** Authors of lines that guests sent, by line number. */

/** Number of lines with a remembered author. A name costs about 100 bytes. Older lines lose theirs. */
const maxLines = 50_000;

export class LineAuthors {
  readonly #words = new Map<number, string>();

  /** @param sequence Line number, higher than all before. */
  add(sequence: number, words: string): void {
    this.#words.set(sequence, words);
    if (this.#words.size > maxLines) {
      const { value: oldest } = this.#words.keys().next();
      this.#words.delete(oldest ?? sequence);
    }
  }

  /** Returns null for a line of this page's user. */
  of(sequence: number): string | null {
    return this.#words.get(sequence) ?? null;
  }
}
