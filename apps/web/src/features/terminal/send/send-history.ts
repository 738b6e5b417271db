/** Messages sent since the page was opened, navigated with the arrow keys like a shell's history. */

/** Maximum number of messages. */
const longest = 200;

export class SendHistory {
  readonly #sent: string[] = [];
  /** Index of the shown message. Equal to the number of messages while the user types a new one. */
  #at = 0;
  /** Unsent text before the navigation started. */
  #draft = '';

  /** Appends `text` as the newest message. A repetition of the newest message is not added. */
  add(text: string): void {
    if (text !== '' && this.#sent.at(-1) !== text) {
      this.#sent.push(text);
      this.#sent.splice(0, Math.max(0, this.#sent.length - longest));
    }
    this.#at = this.#sent.length;
    this.#draft = '';
  }

  /**
   * Returns the previous message, or null at the oldest.
   *
   * @param current Text in the field. Kept as draft if the user typed it.
   */
  older(current: string): string | null {
    if (this.#at === 0) {
      return null;
    }
    if (this.#at === this.#sent.length) {
      this.#draft = current;
    }
    this.#at--;
    return this.#sent[this.#at] ?? null;
  }

  /** Returns the next message, the draft after the newest message, or null at the draft. */
  newer(): string | null {
    if (this.#at === this.#sent.length) {
      return null;
    }
    this.#at++;
    return this.#sent[this.#at] ?? this.#draft;
  }
}
