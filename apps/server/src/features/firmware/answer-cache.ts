/** Finished answers, each good for one revision of what it tells about; the least recently used go first. */

export interface CachedAnswer {
  readonly body: string;
  /** With its quotes, as the header has it. */
  readonly etag: string;
}

interface Entry extends CachedAnswer {
  readonly revision: number;
}

export class AnswerCache {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  #length = 0;

  /** @param capacity UTF-16 code units of all bodies together. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, revision: number): CachedAnswer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.revision !== revision) {
      return null;
    }
    // Last in the order of the map, which is the order of use.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, revision: number, answer: CachedAnswer): void {
    this.#remove(key);
    this.#entries.set(key, { ...answer, revision });
    this.#length += answer.body.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= this.#capacity) {
        break;
      }
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#length -= this.#entries.get(key)?.body.length ?? 0;
    this.#entries.delete(key);
  }
}
