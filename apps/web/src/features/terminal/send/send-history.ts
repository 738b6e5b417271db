/** What was sent since the page was opened, walked with the arrow keys like a shell's history. */

/** Messages remembered. */
const longest = 200;

export class SendHistory {
  readonly #sent: string[] = [];
  /** Place in the history; its length while the person types something new. */
  #at = 0;
  /** What was typed before the walk began. */
  #draft = '';

  /** Remembers `text` as the newest message. Sending the same again adds nothing. */
  add(text: string): void {
    if (text !== '' && this.#sent.at(-1) !== text) {
      this.#sent.push(text);
      this.#sent.splice(0, Math.max(0, this.#sent.length - longest));
    }
    this.#at = this.#sent.length;
    this.#draft = '';
  }

  /** One message back from `current`, which is kept when it is a draft. Null at the oldest. */
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

  /** One message forward; after the newest the draft comes back. Null when there is nothing further. */
  newer(): string | null {
    if (this.#at === this.#sent.length) {
      return null;
    }
    this.#at++;
    return this.#sent[this.#at] ?? this.#draft;
  }
}
