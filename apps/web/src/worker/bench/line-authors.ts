/** Authors of lines that guests sent, by line number. */

/** Lines that are remembered. A name costs about 100 bytes; lines that are older lose theirs. */
const maxLines = 50_000;

export class LineAuthors {
  readonly #words = new Map<number, string>();

  /** @param sequence the line's number, higher than all before */
  add(sequence: number, words: string): void {
    this.#words.set(sequence, words);
    if (this.#words.size > maxLines) {
      const { value: oldest } = this.#words.keys().next();
      this.#words.delete(oldest ?? sequence);
    }
  }

  /** Null for a line of one's own. */
  of(sequence: number): string | null {
    return this.#words.get(sequence) ?? null;
  }
}
